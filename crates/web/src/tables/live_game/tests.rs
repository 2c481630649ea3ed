//! Whole games, and what each seat sees of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dicehill_arena::{Failure, Program};
use dicehill_rules::liars_dice::{self, LiarsDice};
use dicehill_rules::yahtzee::{self, Yahtzee};
use dicehill_rules::{Chance, Face};

use super::*;
use crate::model::table::PlayerDocument;

/// Dice of a table, except that those of one seat and round are different.
#[derive(Clone)]
struct ChangedDice {
    dice: TableDice,
    of: Option<(Seat, u32)>,
}

impl Dice for ChangedDice {
    fn roll(&self, seat: Seat, round: u32, roll: u8, faces: &mut [Face]) {
        self.dice.roll(seat, round, roll, faces);
        if self.of == Some((seat, round)) {
            faces.iter_mut().for_each(|face| *face = Face::ALL[(face.index() + 1) % 6]);
        }
    }
}

/// A game in which some dice are hidden.
trait HiddenDice: TableGame {
    /// The seats that hold hidden dice.
    fn holders(&self) -> Vec<Seat>;

    /// The number of legal actions from which tests choose: Liar's Dice has no end of them.
    const ACTIONS: usize;
}

impl HiddenDice for Yahtzee {
    fn holders(&self) -> Vec<Seat> {
        self.to_act().into_iter().collect()
    }

    const ACTIONS: usize = 400;
}

impl HiddenDice for LiarsDice {
    fn holders(&self) -> Vec<Seat> {
        self.seats().to_vec()
    }

    const ACTIONS: usize = 9;
}

/// A deterministic random generator.
struct Random(u64);

impl Random {
    fn below(&mut self, choices: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % choices
    }
}

fn empty_document(names: &[String]) -> TableDocument {
    let player = |name: &String| PlayerDocument { name: name.clone(), bot: None, absence: None };
    TableDocument {
        id: String::new(),
        game: "",
        title: "",
        rules: String::new(),
        version: 0,
        seed_given: false,
        open: false,
        move_seconds: None,
        seconds_left: None,
        free_seats: 0,
        players: names.iter().map(player).collect(),
        you: None,
        moves: 0,
        stage: Stage::Gathering,
        turn: None,
        happenings: Vec::new(),
        yahtzee: None,
        liars_dice: None,
        results: None,
        rematch: None,
    }
}

fn shown<G: TableGame, D: Dice + Clone>(
    session: &LiveGame<G, D>,
    viewer: Option<Seat>,
) -> TableDocument {
    let mut document = empty_document(session.names());
    session.show(viewer, &mut document);
    document
}

fn json<G: TableGame, D: Dice + Clone>(session: &LiveGame<G, D>, viewer: Option<Seat>) -> String {
    serde_json::to_string(&shown(session, viewer)).unwrap()
}

fn people<G: Game>(seats: usize) -> Vec<(String, Player<G>)> {
    (0..seats).map(|seat| (format!("P{seat}"), Player::Person)).collect()
}

fn random_action<G: HiddenDice>(game: &G, random: &mut Random) -> G::Action {
    let actions: Vec<_> = game.legal_actions().take(G::ACTIONS).collect();
    actions[random.below(actions.len())].clone()
}

/// A person acts at random, or a bot moves.
fn step<G: HiddenDice>(session: &mut LiveGame<G, ChangedDice>, random: &mut Random) {
    if let Some(turn) = session.take_bot_turn() {
        session.apply_bot_answer(turn.play());
        return;
    }
    let seat = session.turn().unwrap();
    let action = random_action(session.state(), random).to_string();
    let known = shown(session, Some(seat)).moves;
    session.act(seat, &action, known).unwrap();
}

/// The same game so far, with different dice for one seat in the current round.
fn twin<G: HiddenDice>(session: &LiveGame<G, ChangedDice>, of: Seat) -> LiveGame<G, ChangedDice> {
    let dice = ChangedDice { of: Some((of, session.state().round_of())), ..session.dice.clone() };
    let mut twin = LiveGame::new(session.rules, dice, people(session.names.len()));
    twin.names.clone_from(&session.names);
    for one in session.play.moves() {
        let Move::Acted(action) = one else { panic!("no move fails") };
        let seat = twin.turn().unwrap();
        twin.apply(seat, Ok(action.clone()));
    }
    assert_eq!(twin.play.moves(), session.play.moves(), "the moves are legal with other dice too");
    twin
}

/// Checks that the dice of `of` change only what their holder sees.
fn check_hidden<G: HiddenDice>(session: &LiveGame<G, ChangedDice>, of: Seat) {
    let twin = twin(session, of);
    let seats = Seat::all(session.names().len()).map(Some).chain([None]);
    for viewer in seats {
        let (one, other) = (json(session, viewer), json(&twin, viewer));
        if viewer == Some(of) {
            assert_ne!(one, other, "seat {of} sees its own dice");
        } else {
            assert_eq!(one, other, "{viewer:?} sees nothing of the dice of {of}");
        }
    }
}

/// Plays a game with `bots` bots and people at the other seats.
fn check_game<G: HiddenDice>(seats: usize, bots: usize, seed: u64) {
    let chance = Chance::new(&seed.to_string());
    let mut players = people(seats);
    let fast = |name: &str| !["optimal", "winner"].contains(&name);
    let houses = G::house_bots().into_iter().filter(|house| fast(house.name()));
    for (house, index) in houses.skip(seed as usize % 3).zip(0..bots) {
        let mut bot = house.bot();
        bot.start(&dicehill_arena::Start { game: 1, id: 1, players: seats, seed });
        players[(index * 2 + 1) % seats].1 = Player::Bot(Some(bot));
    }
    let dice = ChangedDice { dice: chance.table(1), of: None };
    let mut session = LiveGame::<G, _>::new(G::RULES[seed as usize % 2], dice, players);
    let mut random = Random(seed);
    let mut checked = 0;
    while !session.is_over() {
        for of in session.state().holders() {
            check_hidden(&session, of);
            checked += 1;
        }
        step(&mut session, &mut random);
    }
    assert!(checked >= 13 * usize::from(G::NAME == Yahtzee::NAME) + 5, "{checked} positions");
    assert_eq!(session.stage(), Stage::Over);
    let report = session.finished().unwrap();
    assert_eq!(G::moves(&report).len(), session.play.moves().len());
    assert_eq!(shown(&session, None).results.unwrap().len(), seats);
}

#[test]
fn other_seats_see_no_hidden_dice_in_yahtzee() {
    for seed in 0..6 {
        check_game::<Yahtzee>(2 + seed as usize % 3, seed as usize % 3, seed);
    }
}

#[test]
fn other_seats_see_no_hidden_dice_in_liars_dice() {
    for seed in 0..6 {
        check_game::<LiarsDice>(2 + seed as usize % 3, seed as usize % 3, seed);
    }
}

fn session<G: TableGame>(seats: usize) -> LiveGame<G> {
    LiveGame::new(G::Rules::default(), Chance::new("a table").table(1), people(seats))
}

const FIRST: Seat = Seat::new(0);
const SECOND: Seat = Seat::new(1);

#[test]
fn a_roll_is_visible_only_to_its_player() {
    let mut session = session::<Yahtzee>(2);
    for (known, keep) in ["01", "-"].into_iter().enumerate() {
        let before = [json(&session, Some(SECOND)), json(&session, None)];
        assert_eq!(session.act(FIRST, keep, known), Ok(Recipients::Only(FIRST)));
        assert_eq!([json(&session, Some(SECOND)), json(&session, None)], before);
    }
    assert_eq!(session.act(FIRST, "CHANCE", 2), Ok(Recipients::Everyone));
    let seen = shown(&session, None);
    assert_eq!(seen.happenings[0].text, "P0 ends the turn");
    assert_eq!(seen.yahtzee.as_ref().unwrap().cards, None);
    assert!(seen.yahtzee.unwrap().turn.is_none());
    let own = shown(&session, Some(FIRST)).yahtzee.unwrap();
    assert!(own.turn.is_none() && own.card.unwrap().score > 0);
    let theirs = shown(&session, Some(SECOND)).yahtzee.unwrap();
    assert_eq!(theirs.turn.unwrap().scores.len(), 2);
    assert_eq!(theirs.card.unwrap().score, 0);
}

#[test]
fn a_refused_action_changes_nothing() {
    let mut session = session::<Yahtzee>(2);
    let before = json(&session, Some(FIRST));
    let illegal = |why: &str| Err(Refusal::Illegal(why.to_owned()));
    assert_eq!(session.act(FIRST, "5", 0), illegal("keep index 5 is not 0-4"));
    assert_eq!(session.act(FIRST, "\u{1b}", 0), illegal("unknown category \"\\u{1b}\""));
    assert_eq!(session.act(FIRST, &"0".repeat(41), 0), illegal("the action is too long"));
    assert_eq!(session.act(FIRST, "-", 1), Err(Refusal::Stale { made: 0, known: 1 }));
    assert_eq!(session.act(SECOND, "-", 0), Err(Refusal::NotYourTurn));
    assert_eq!(json(&session, Some(FIRST)), before);
    assert_eq!(session.act(FIRST, "-", 0), Ok(Recipients::Only(FIRST)));
    assert_eq!(session.act(FIRST, "-", 0), Err(Refusal::Stale { made: 1, known: 0 }));
}

#[test]
fn a_call_shows_all_hands() {
    let mut session = session::<LiarsDice>(3);
    session.act(FIRST, "1 2", 0).unwrap();
    let hands: Vec<_> = session.state().hands().iter().map(|hand| hand.faces().to_vec()).collect();
    assert!(shown(&session, Some(SECOND)).liars_dice.unwrap().turn.unwrap().may_call);
    session.act(SECOND, "Liar!", 0).unwrap();
    let seen = shown(&session, None);
    let call = seen.happenings.last().unwrap();
    let revealed: Vec<Vec<u8>> = call.hands.iter().map(|hand| hand.dice.clone()).collect();
    let rolled: Vec<Vec<u8>> =
        hands.iter().map(|hand| hand.iter().map(|face| face.pips()).collect()).collect();
    assert_eq!((revealed, call.face), (rolled, Some(2)));
    assert!(call.text.starts_with("P1 calls: Liar! There "), "{}", call.text);
    let dice: usize = seen.liars_dice.unwrap().seats.iter().map(|seat| seat.dice).sum();
    assert_eq!(dice, 15);
}

/// Bids `1 1` at the start of a round and otherwise calls; counts the calls and the end that it is informed of.
struct Caller(Arc<AtomicUsize>);

impl Bot<LiarsDice> for Caller {
    fn reveal(&mut self, game: &LiarsDice, _action: &liars_dice::Action) {
        assert!(!game.bids().is_empty(), "the game is as it was before");
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn end(&mut self, finished: &Finished<'_, LiarsDice>) {
        assert_eq!(finished.public.names, ["P0", "caller"]);
        self.0.fetch_add(1000, Ordering::Relaxed);
    }

    fn act(&mut self, view: &liars_dice::View<'_>) -> Result<liars_dice::Action, Failure> {
        assert_eq!(view.name(0), Some("P0"));
        Ok(match view.last_bid() {
            None => "1 1".parse().unwrap(),
            Some(_) => liars_dice::Action::Call,
        })
    }
}

#[test]
fn bots_are_informed_of_calls_and_of_the_end() {
    let count = Arc::new(AtomicUsize::new(0));
    let bot = Player::Bot(Some(Box::new(Caller(Arc::clone(&count))) as Box<dyn Bot<LiarsDice>>));
    let mut players = people(1);
    players.push(("caller".to_owned(), bot));
    let dice = Chance::new("a table").table(1);
    let mut session = LiveGame::<LiarsDice, _>::new(Default::default(), dice, players);
    let (mut moves, mut calls) = (0, 0);
    while let Some(seat) = session.turn() {
        let is_call = !session.state().bids().is_empty();
        calls += usize::from(is_call);
        if seat == FIRST {
            assert!(session.take_bot_turn().is_none(), "it is the person's turn");
            session.act(FIRST, if is_call { "Liar!" } else { "9 6" }, moves).unwrap();
            moves += 1;
        } else {
            let turn = session.take_bot_turn().unwrap();
            assert!(session.take_bot_turn().is_none(), "the bot is taken once");
            session.apply_bot_answer(turn.play());
        }
    }
    assert_eq!(count.load(Ordering::Relaxed), 1000 + calls);
}

struct PanickingBot;

impl Bot<Yahtzee> for PanickingBot {
    fn act(&mut self, _view: &yahtzee::View<'_>) -> Result<yahtzee::Action, Failure> {
        panic!("a fault of the bot's, for this test")
    }
}

#[test]
fn a_bot_that_panics_ends_the_game() {
    let bot = Player::Bot(Some(Box::new(PanickingBot) as Box<dyn Bot<Yahtzee>>));
    let mut players = vec![("broken".to_owned(), bot)];
    players.extend(people(1));
    let dice = Chance::new("a table").table(1);
    let mut session = LiveGame::<Yahtzee, _>::new(Default::default(), dice, players);
    let turn = session.take_bot_turn().unwrap();
    assert_eq!(session.apply_bot_answer(turn.play()), Some(Recipients::Everyone));
    let seen = shown(&session, None);
    assert_eq!((seen.stage, seen.turn), (Stage::Void, None));
    assert_eq!(seen.happenings[0].text, "broken gives no legal action: the bot has given up");
    assert!(seen.results.unwrap().iter().all(|result| !result.won));
    assert_eq!(session.act(SECOND, "-", 0), Err(Refusal::Over));
}

/// A bot for the seat of a person.
fn substitute<G: TableGame>() -> Box<dyn Bot<G>> {
    let houses = G::house_bots();
    houses.into_iter().find(|house| house.name() == G::SUBSTITUTE).unwrap().bot()
}

#[test]
fn the_answer_of_a_substitute_is_not_used_once_the_person_is_back() {
    let mut session = session::<Yahtzee>(2);
    session.replace(FIRST, substitute(), Absence::Away);
    let turn = session.take_bot_turn().unwrap();
    session.give_back(FIRST);
    assert_eq!(session.apply_bot_answer(turn.play()), None);
    assert_eq!(session.act(FIRST, "-", 0), Ok(Recipients::Only(FIRST)));
    session.replace(FIRST, substitute(), Absence::Late);
    let (turn, moves) = (session.take_bot_turn().unwrap(), session.count_moves());
    assert!(session.apply_bot_answer(turn.play()).is_some());
    assert_eq!(
        (session.count_moves(), session.substituted.clone()),
        (moves + 1, vec![false, true])
    );
    let seen = shown(&session, None);
    let texts: Vec<_> = seen.happenings.iter().map(|event| event.text.as_str()).collect();
    assert_eq!(
        texts[..3],
        ["P0 is away: a bot plays for P0", "P0 is back", "P0 is out of time: a bot plays for P0"]
    );
}

#[test]
fn a_resigned_seat_cannot_win() {
    for seed in 0..4 {
        let dice = Chance::new(&seed.to_string()).table(1);
        let mut session = LiveGame::<LiarsDice>::new(Default::default(), dice, people(2));
        session.replace(FIRST, substitute(), Absence::Resigned);
        session.replace(SECOND, substitute(), Absence::Away);
        while let Some(turn) = session.take_bot_turn() {
            session.apply_bot_answer(turn.play());
        }
        let won: Vec<_> =
            shown(&session, None).results.unwrap().iter().map(|result| result.won).collect();
        assert_eq!(won, [false, true], "seed {seed}");
    }
}

#[test]
fn everyone_sees_cards_and_dice_of_an_open_game() {
    let mut session = session::<Yahtzee>(2).opened(true);
    assert_eq!(session.act(FIRST, "01", 0), Ok(Recipients::Everyone));
    let visitor = shown(&session, None).yahtzee.unwrap();
    assert_eq!(visitor.dice.unwrap(), session.state().own_dice());
    assert!(visitor.turn.is_none() && visitor.card.is_none());
    assert_eq!(session.act(FIRST, "CHANCE", 1), Ok(Recipients::Everyone));
    let seen = shown(&session, Some(SECOND));
    let cards = seen.yahtzee.unwrap().cards.unwrap();
    assert!(cards[0].score > 0 && cards[1].score == 0);
    let [kept, filled] = &seen.happenings[..] else { panic!("{:?}", seen.happenings) };
    assert_eq!((kept.kind, filled.kind), (EventKind::Keep, EventKind::Fill));
    assert!(kept.text.starts_with("P0: Keep ") && filled.text.starts_with("P0 fills Chance for "));
    assert_eq!((kept.dice.len(), filled.dice.len()), (5, 5));
}

#[test]
fn events_have_what_a_page_needs_to_show_them_one_by_one() {
    let mut session = session::<LiarsDice>(3);
    session.act(FIRST, "1 2", 0).unwrap();
    session.act(SECOND, "Liar!", 0).unwrap();
    let seen = shown(&session, None);
    let [bid, call] = &seen.happenings[..] else { panic!("{:?}", seen.happenings) };
    let counts = |event: &TableEvent| -> Vec<_> {
        event.seats.iter().map(|seat| (seat.player, seat.dice)).collect()
    };
    assert_eq!((bid.kind, counts(bid)), (EventKind::Bid, vec![(0, 5), (1, 5), (2, 5)]));
    let made = bid.bid.as_ref().unwrap();
    assert_eq!((made.player, made.count, made.face), (0, 1, 2));
    let holds = call.holds.unwrap();
    let after = if holds { vec![(0, 6), (1, 4), (2, 5)] } else { vec![(0, 4), (1, 6), (2, 5)] };
    assert_eq!((call.kind, counts(call)), (EventKind::Call, after));
    assert_eq!(call.bid, bid.bid);
}
