//! The conformance bot in Rust. `sdk/conformance/README.md` says what it does.

use std::cell::Cell;
use std::fmt::Display;
use std::rc::Rc;

use dicehill_bot::{Bots, Hello, Start, liars_dice, yahtzee};

fn main() {
    let actions = std::env::args().skip(1).take_while(|word| word != "--transcript");
    let bot = Conformance { actions: actions.collect(), ..Conformance::default() };
    let is_of_one_game = bot.actions[0] == "one-game";
    // The turns of the process are counted, and those of each game.
    let new_game = move |_: &Hello| Conformance { turns: 0, ..bot.clone() };
    let bots = Bots::new().yahtzee(new_game.clone());
    if is_of_one_game { bots.run() } else { bots.liars_dice(new_game).run() }
}

#[derive(Clone, Default)]
struct Conformance {
    actions: Vec<String>,
    turns_of_all_games: Rc<Cell<usize>>,
    turns: usize,
}

impl Conformance {
    /// The next action and its values.
    fn next(&mut self) -> (String, Vec<String>) {
        self.turns += 1;
        let turn = self.turns_of_all_games.get();
        self.turns_of_all_games.set(turn + 1);
        let mut words =
            self.actions[turn.min(self.actions.len() - 1)].split(' ').map(str::to_owned);
        (words.next().unwrap_or_default(), words.collect())
    }

    fn fail(&self, action: &str) {
        assert!(self.actions[0] != action, "as told");
    }

    fn tell(&self, kind: &str, groups: &[String]) {
        if self.actions[0] == "tell" {
            println!("{kind} {}", groups.join(" | "));
        }
    }
}

/// The actions that need no answer of their own.
fn other_action(action: &str) {
    match action {
        "print" => println!("stray"),
        "fail" => panic!("as told"),
        _ => {}
    }
}

fn words<T: Display>(values: impl IntoIterator<Item = T>) -> String {
    joined(values, " ")
}

fn joined<T: Display>(values: impl IntoIterator<Item = T>, between: &str) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(between)
}

fn bids<'a>(all: impl IntoIterator<Item = &'a liars_dice::Bid>) -> String {
    joined(all.into_iter().map(|bid| format!("{} {}", bid.count, bid.face)), ", ")
}

fn boxes(scores: &yahtzee::Boxes) -> String {
    words(scores.iter().map(|(category, score)| format!("{category} {score}")))
}

fn number<N: std::str::FromStr>(text: &str) -> N {
    text.parse().unwrap_or_else(|_| panic!("not a number: {text}"))
}

impl yahtzee::Bot for Conformance {
    fn start(&mut self, start: &Start) {
        self.fail("fail-start");
        self.tell("start", &[format!("{} {} {}", start.game, start.players, start.seed)]);
    }

    fn turn(&mut self, turn: &yahtzee::Turn) -> yahtzee::Answer {
        let (action, values) = self.next();
        match action.as_str() {
            "keep" => return turn.keep(values.iter().map(|value| number(value))),
            "turns" => return turn.keep(0..self.turns - 1),
            "category" => {
                // The constant of ACES is all that an author can name.
                let name = if values[0] == "ONES" { "ACES" } else { values[0].as_str() };
                let mut all = yahtzee::Category::ALL.into_iter();
                return turn.fill(all.find(|one| one.name() == name).expect("a category"));
            }
            other => other_action(other),
        }
        let yahtzee::Turn { id, game, round, stage, dice, card, legal, .. } = turn;
        let sums = [turn.upper, turn.upper_bonus, turn.yahtzee_bonus, turn.score];
        let place = format!("{id} {game} {round} {stage}");
        let (card, legal) = (boxes(card), boxes(legal));
        self.tell("turn", &[place, words(dice), card, legal, words(sums), words(&turn.scores)]);
        turn.fill(turn.legal.best())
    }

    fn end(&mut self, end: &yahtzee::End) {
        self.fail("fail-end");
        let yahtzee::End { game, scores, score, won } = end;
        self.tell("end", &[game.to_string(), words(scores), format!("{score} {won}")]);
    }
}

impl liars_dice::Bot for Conformance {
    const ROUNDS: bool = true;

    fn start(&mut self, start: &Start) {
        yahtzee::Bot::start(self, start);
    }

    fn turn(&mut self, turn: &liars_dice::Turn) -> liars_dice::Answer {
        let (action, values) = self.next();
        if action == "bid" {
            return turn.bid(number(&values[0]), number(&values[1]));
        }
        other_action(&action);
        let liars_dice::Turn { id, game, you, counts, dice, names, points, .. } = turn;
        let place = format!("{id} {game} {you}");
        let (counts, dice, names) = (words(counts), words(dice), words(names));
        self.tell("turn", &[place, counts, dice, bids(&turn.bids), names, words(points)]);
        let table = format!("{} {}", turn.dice_in_play(), turn.hidden_dice());
        let bidders = words((0..turn.bids.len()).map(|index| turn.bidder(index)));
        let lowest = bids(&[1, 2, 3, 4, 5, 6].map(|face| turn.lowest_bid(face)));
        let is_higher = |face| turn.is_higher(liars_dice::Bid { count: 4, face });
        self.tell("table", &[table, bidders, lowest, words([2, 3].map(is_higher))]);
        turn.liar()
    }

    fn round(&mut self, round: &liars_dice::Round) {
        self.fail("fail-round");
        let liars_dice::Round { game, hands, caller, bidder, held, .. } = round;
        let hands = joined(hands.iter().map(words), "; ");
        let call = format!("{caller} {bidder} {held}");
        self.tell("round", &[game.to_string(), bids(&round.bids), hands, call]);
    }

    fn end(&mut self, end: &liars_dice::End) {
        self.fail("fail-end");
        let winner = end.winner.clone().unwrap_or_else(|| "-".to_owned());
        let game = end.game.to_string();
        self.tell("end", &[game, winner, words(&end.points), words(&end.names)]);
    }
}
