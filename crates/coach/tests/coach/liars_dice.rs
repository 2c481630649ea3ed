//! Values and probabilities in Liar's Dice, compared with enumerated hands and with games of house
//! bots.

use dicehill_arena::{Bot, Failure, Move, Play, Reason, Replay, Start};
use dicehill_bots::HouseBot;
use dicehill_coach::liars_dice::{
    Accuracy, Analysis, AppraisedGame, BotReport, DecisionKind, Fault, Habit, Holding, Infoset,
    Share,
};
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, LiarsDiceRules, dice_that_count};
use dicehill_rules::{Chance, Face, Game, PublicInfo, Seat};

const RULES: LiarsDiceRules = LiarsDiceRules::Official;

fn faces(pips: &[u8]) -> Vec<Face> {
    pips.iter().map(|pips| Face::new(*pips).expect("a face")).collect()
}

fn bid(text: &str) -> Bid {
    text.parse().expect("a bid")
}

/// A player with these dice, whose next player holds `next` of the `hidden` others.
fn infoset(own: &[u8], hidden: u8, next: u8, last: Option<&str>) -> Infoset {
    Infoset::new(&faces(own), hidden, next, last.map(bid)).expect("a possible table")
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-12
}

/// All ordered rolls of some dice.
fn rolls(dice: u8) -> impl Iterator<Item = Vec<Face>> {
    let die = |roll: usize, place: u8| Face::ALL[roll / 6usize.pow(place.into()) % 6];
    let all = 6usize.pow(dice.into());
    (0..all).map(move |roll| (0..dice).map(|place| die(roll, place)).collect())
}

/// The share of ordered rolls with at least `needed` matching dice.
fn share_of_rolls(dice: u8, face: Face, needed: u32) -> f64 {
    let holds = rolls(dice).filter(|roll| dice_that_count(roll, face) >= needed).count();
    holds as f64 / 6f64.powi(dice.into())
}

/// At small tables, the value of every bid is its mean over all enumerated hands.
#[test]
fn bid_values_match_enumerated_hands() {
    for (own, hidden, next) in
        [(&[6][..], 1, 1), (&[1], 2, 1), (&[3], 3, 1), (&[2, 5], 2, 2), (&[1, 4], 3, 2)]
    {
        let all = own.len() as u8 + hidden;
        let infoset = infoset(own, hidden, next, None);
        let own = faces(own);
        for bid in Bid::above(None).take(6 * usize::from(all) + 1) {
            let (face, count) = (bid.face(), bid.count());
            let (mut worth, mut holding) = (0.0, 0u32);
            for roll in rolls(hidden) {
                let next_matching = dice_that_count(&roll[..usize::from(next)], face);
                let matching = dice_that_count(&own, face) + dice_that_count(&roll, face);
                holding += u32::from(matching >= count);
                let is_called =
                    share_of_rolls(all - next, face, count.saturating_sub(next_matching)) < 0.5;
                if is_called {
                    worth += if matching >= count { 1.0 } else { -1.0 };
                }
            }
            let rolls = 6f64.powi(hidden.into());
            let found = infoset.value(Action::Bid(bid)).expect("a bid");
            assert!(close(found, worth / rolls), "{own:?} of {all}, {bid}: {found} {worth}");
            let chance = infoset.odds(bid).chance();
            assert!(close(chance, f64::from(holding) / rolls), "{own:?} of {all}, {bid}");
        }
    }
}

/// With one die each, the opponent calls every bid that its own die does not support: two times out
/// of three.
#[test]
fn values_at_the_smallest_table_are_known() {
    let opening = infoset(&[6], 1, 1, None);
    let worth = |text| opening.value(Action::Bid(bid(text))).expect("a bid");
    assert!(close(worth("1 6"), 2.0 / 3.0) && close(worth("1 2"), -2.0 / 3.0));
    assert!(close(worth("2 6"), -1.0 / 3.0) && close(worth("1 1"), -5.0 / 6.0));
    check(&opening, "1 6", "1 6", 0.0, None);
    check(&opening, "1 2", "1 6", 2.0 / 3.0, Some(Fault::OpenedTooLow));
    check(&opening, "2 6", "1 6", 1.0 / 3.0, Some(Fault::OpenedTooHigh));
    check(&opening, "1000000 6", "1 6", 1.0, Some(Fault::OpenedTooHigh));

    let certain = infoset(&[6], 1, 1, Some("1 6"));
    check(&certain, "Liar!", "2 6", 2.0 / 3.0, Some(Fault::CalledLikely));
    check(&certain, "2 5", "2 6", 2.0 / 3.0, Some(Fault::RaisedTooLittle));
    check(&certain, "3 6", "2 6", 2.0 / 3.0, Some(Fault::RaisedTooFar));

    let impossible = infoset(&[6], 1, 1, Some("2 2"));
    check(&impossible, "Liar!", "Liar!", 0.0, None);
    check(&impossible, "2 6", "Liar!", 4.0 / 3.0, Some(Fault::MissedCall));
    assert!(impossible.is_unsupported(bid("2 6")) && !opening.is_unsupported(bid("1 6")));
}

#[track_caller]
fn check(infoset: &Infoset, chosen: &str, best: &str, lost: f64, fault: Option<Fault>) {
    let [chosen, best] = [chosen, best].map(|text| text.parse::<Action>().expect("an action"));
    let (loss, found) = infoset.loss(chosen).expect("a legal action");
    assert!(close(loss, lost) && found == best, "{loss} {found}");
    assert_eq!(Fault::classify(infoset, chosen, found), fault);
}

#[test]
fn impossible_tables_are_rejected() {
    let of = |own: usize, hidden, next| Infoset::new(&vec![Face::SIX; own], hidden, next, None);
    for (own, hidden, next) in [(0, 5, 5), (5, 0, 0), (5, 5, 0), (5, 5, 6), (5, 21, 5), (26, 1, 1)]
    {
        assert_eq!(of(own, hidden, next), None, "{own} {hidden} {next}");
    }
    for (own, hidden, next) in [(1, 24, 24), (24, 1, 1), (5, 20, 5)] {
        let infoset = of(own, hidden, next).expect("a possible table");
        assert!(infoset.best().1 <= 1.0 && infoset.loss(Action::Call).is_none());
    }
}

/// A game between bots, as a log would contain it.
fn play(
    chance: &Chance,
    table: u64,
    names: &[&str],
    bots: &mut [Box<dyn Bot<LiarsDice>>],
) -> Replay<LiarsDice> {
    for (bot, name) in bots.iter_mut().zip(names) {
        let (id, seed) = (chance.game_id(table, name), chance.bot_seed(table, name));
        bot.start(&Start { game: table, id, players: names.len(), seed });
    }
    let public = PublicInfo { names: names.to_vec(), points: Vec::new() };
    let mut play = Play::new(RULES, chance.table(table), names.len(), public);
    let mut asked: Vec<_> = bots.iter_mut().map(|bot| &mut **bot as &mut dyn Bot<_>).collect();
    play.drive(&mut asked);
    replay((chance, table), names, play.moves().to_vec(), play.game())
}

fn replay(
    (chance, table): (&Chance, u64),
    names: &[&str],
    moves: Vec<Move<LiarsDice>>,
    game: &LiarsDice,
) -> Replay<LiarsDice> {
    Replay {
        game: table,
        table,
        chance: chance.clone(),
        seed: None,
        names: names.iter().map(ToString::to_string).collect(),
        moves,
        results: Seat::all(names.len()).map(|seat| game.result(seat)).collect(),
        appraisals: Vec::new(),
    }
}

fn house(name: &str) -> Box<dyn Bot<LiarsDice>> {
    let house = dicehill_bots::liars_dice_bots().into_iter().find(|bot| bot.name() == name);
    house.map(HouseBot::entrant).expect("a house bot").program.bot()
}

fn reports(
    chance: &Chance,
    names: &[&str],
    games: u64,
) -> (Vec<BotReport>, Vec<Replay<LiarsDice>>) {
    let mut analysis = Analysis::new(names.iter().map(ToString::to_string));
    let played = (1..=games).map(|table| {
        let mut bots: Vec<_> = names.iter().map(|name| house(name)).collect();
        play(chance, table, names, &mut bots)
    });
    let played: Vec<_> = played.collect();
    for replay in &played {
        analysis.add(&AppraisedGame::new(RULES, replay, |_| true));
    }
    (analysis.reports(), played)
}

/// Plays these moves in a game of two, where `!` fails, and appraises the game.
fn by_hand(chance: &Chance, moves: &[&str]) -> AppraisedGame {
    let names = ["A", "B"];
    let public = PublicInfo { names: names.to_vec(), points: Vec::new() };
    let mut play = Play::<LiarsDice>::new(RULES, chance.table(1), 2, public);
    for one in moves {
        let failure = || Failure::new(Reason::IllegalMove, "no answer");
        play.answer(one.parse().map_err(|_| failure()));
    }
    assert!(play.turn().is_none(), "the game is over");
    let replay = replay((chance, 1), &names, play.moves().to_vec(), play.game());
    AppraisedGame::new(RULES, &replay, |_| true)
}

/// In a game with known dice, every decision has the values that were computed by hand.
#[test]
fn every_decision_of_a_game_is_appraised() {
    let chance = Chance::new("by hand");
    let game = LiarsDice::new(RULES, 2, &chance.table(1));
    let hands: Vec<_> = game.hands().iter().map(|hand| hand.faces().to_vec()).collect();
    assert_eq!(hands, [faces(&[1, 3, 2, 1, 6]), faces(&[3, 6, 2, 5, 3])]);
    let game = by_hand(&chance, &["3 6", "Liar!", "10 6", "Liar!", "1 6", "!"]);
    let [a, b] = &game.seats[..] else { panic!("two seats") };

    // Its own three dice support the bid, and the opponent loses a die.
    assert_eq!((a.steps[0].number, a.steps[0].loss, a.steps[0].dice()), (1, 0.0, 1));
    // Two of five dice must match: 131 of 243. The opponent would call its next bids, and they
    // would mostly fail.
    assert_eq!((b.steps[0].number, b.steps[0].loss, b.steps[0].dice()), (2, 0.0, -1));
    let right = b.steps[0].chance(Action::Call).expect("a bid");
    assert!(close(right, 112.0 / 243.0), "{right}");

    // Everyone calls a bid of ten out of ten dice, and no player calls "1 1".
    let mistake = a.steps[1];
    assert_eq!((mistake.number, mistake.round, mistake.players, mistake.called), (3, 2, 2, true));
    assert_eq!((mistake.best.to_string().as_str(), mistake.loss), ("1 1", 1.0));
    assert_eq!((mistake.dice(), mistake.best_dice, mistake.hindsight()), (-1, 0, 1));
    assert_eq!(mistake.fault(), Some(Fault::OpenedTooHigh));
    let habit = Habit::classify(&mistake).expect("a mistake");
    assert!(habit.heads_up && habit.fault == Fault::OpenedTooHigh);
    assert_eq!((b.steps[1].dice(), b.steps[1].loss), (1, 0.0));
    // It has no legal action in the third round.
    assert_eq!((a.forfeited, a.steps.len(), b.forfeited, b.steps.len()), (true, 2, false, 3));

    let mut analysis = Analysis::new(["A", "B"].map(str::to_owned));
    analysis.add(&game);
    let reports = analysis.reports();
    let bids = &reports[0].bids;
    assert_eq!((bids.unsupported.times, bids.unsupported_called.times), (1, 1));
    assert_eq!(bids.unsupported_lost, Share { times: 1, of: 1 });
    assert_eq!(reports.iter().map(|report| report.forfeits).sum::<u64>(), 1);
    assert_eq!(
        reports[0].faults[Fault::OpenedTooHigh.index()].costliest,
        Some(reports[0].worst[0])
    );
    assert!(reports[0].loss.loss.se.is_none(), "one block has no error");
}

#[test]
fn habits_describe_the_dice_held() {
    let habit = Habit { fault: Fault::MissedCall, holding: Holding::None, heads_up: false };
    let text =
        "let an improbable bid stand and bid on a face it held none of, against several players";
    assert_eq!(habit.to_string(), text);
}

/// The sums of the analysis match the figures of the rules.
#[test]
fn sums_match_the_figures_of_the_rules() {
    let chance = Chance::new("sums");
    let names = ["badnomial", "bayes", "honest", "random", "pirate"];
    let (reports, played) = reports(&chance, &names, 60);
    for (seat, report) in reports.iter().enumerate() {
        let figure =
            |which: usize| played.iter().map(|one| one.results[seat].figures[which]).sum::<u64>();
        let BotReport { calls, bids, loss, .. } = report;
        assert_eq!((report.games, report.forfeits), (60, 0));
        assert_eq!(report.all_decisions(), figure(0));
        assert_eq!(calls.came_true.of, figure(1));
        assert_eq!(report.decisions[DecisionKind::Call.index()], calls.came_true.of);
        let gained = calls.came_true.times + bids.when_called.came_true.times;
        assert_eq!(gained, figure(2));
        let given = calls.came_true.of + bids.when_called.came_true.of - gained;
        let balance = (gained as f64 - given as f64) / 60.0;
        assert!(close(report.balance.mean, balance), "{balance} {:?}", report.balance);

        let adds_up =
            |one: &Accuracy| close(one.expected + one.beyond_odds(), one.came_true.times as f64);
        assert!(adds_up(calls) && adds_up(&bids.when_called));
        let in_bands = |bands: &[dicehill_coach::liars_dice::Band]| {
            bands.iter().map(|band| band.accuracy.came_true.of).sum::<u64>()
        };
        assert_eq!(
            (in_bands(&report.call_bands), in_bands(&bids.bands)),
            (calls.came_true.of, bids.called.of)
        );

        let sum = |parts: &mut dyn Iterator<Item = f64>| parts.sum::<f64>();
        let matches_total = |other: f64| (other - loss.sum).abs() < 1e-9;
        assert!(matches_total(sum(&mut report.kinds.iter().map(|part| part.sum))));
        assert!(matches_total(sum(&mut report.faults.iter().map(|fault| fault.part.sum))));
        assert!(matches_total(sum(&mut report.players.iter().map(|part| part.sum))));
        assert!(matches_total(sum(&mut report.habits.iter().map(|habit| habit.part.sum))));
        assert!(close(loss.loss.mean, loss.sum / 60.0) && loss.loss.se.is_some());
    }
    assert!(close(reports.iter().map(|report| report.balance.mean).sum(), 0.0));
}

#[test]
fn honest_makes_fewer_unsupported_bids_than_random() {
    let (reports, _) = reports(&Chance::new("honest"), &["honest", "random", "bayes"], 200);
    let unsupported = |bot: usize| reports[bot].bids.unsupported.interval().expect("bids");
    assert!(unsupported(0).high < unsupported(1).low);
    let hindsight = |bot: usize| reports[bot].loss.hindsight.interval().expect("games");
    assert!(hindsight(2).high < hindsight(0).low && hindsight(0).high < hindsight(1).low);
}

/// Plays the best action of the model.
struct Best;

impl Bot<LiarsDice> for Best {
    fn act(&mut self, view: &dicehill_rules::liars_dice::View<'_>) -> Result<Action, Failure> {
        let (hidden, next) = (view.hidden_dice() as u8, view.counts[view.next_position()]);
        let infoset =
            Infoset::new(view.dice, hidden, next, view.last_bid()).expect("a possible table");
        Ok(infoset.best().0)
    }
}

#[test]
fn best_actions_lose_nothing() {
    let chance = Chance::new("best");
    let names = ["best", "random", "pirate"];
    let mut analysis = Analysis::new(["best".to_owned()]);
    for table in 1..=40 {
        let mut bots =
            [Box::new(Best) as Box<dyn Bot<LiarsDice>>, house("random"), house("pirate")];
        let replay = play(&chance, table, &names, &mut bots);
        let game = AppraisedGame::new(RULES, &replay, |name| name == "best");
        assert_eq!(game.seats.len(), 1);
        analysis.add(&game);
    }
    let report = analysis.reports().remove(0);
    assert_eq!((report.loss.mistakes, report.loss.sum), (0, 0.0));
    assert!(report.habits.is_empty() && report.worst.is_empty());
}
