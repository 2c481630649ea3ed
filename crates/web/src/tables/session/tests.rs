//! Whole games, and what each seat sees of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dicehill_arena::{Failure, Program};
use dicehill_rules::liars_dice::{self, LiarsDice};
use dicehill_rules::yahtzee::{self, Yahtzee};
use dicehill_rules::{Chance, Face};

use super::*;
use crate::model::table::PlayerDocument;

/// Dice of a table, of which those of one seat and round are others.
#[derive(Clone)]
struct Changed {
    dice: TableDice,
    of: Option<(Seat, u32)>,
}

impl Dice for Changed {
    fn roll(&self, seat: Seat, round: u32, roll: u8, faces: &mut [Face]) {
        self.dice.roll(seat, round, roll, faces);
        if self.of == Some((seat, round)) {
            faces.iter_mut().for_each(|face| *face = Face::ALL[(face.index() + 1) % 6]);
        }
    }
}

/// A game with dice that only their holders see.
trait Secret: TableGame {
    /// The seats with such dice now.
    fn holders(&self) -> Vec<Seat>;

    /// How many legal actions are looked at, for a game whose actions never end.
    const ACTIONS: usize;
}

impl Secret for Yahtzee {
    fn holders(&self) -> Vec<Seat> {
        self.to_act().into_iter().collect()
    }

    const ACTIONS: usize = 400;
}

impl Secret for LiarsDice {
    fn holders(&self) -> Vec<Seat> {
        self.seats().to_vec()
    }

    const ACTIONS: usize = 9;
}

/// Numbers that look random, the same each time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, choices: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % choices
    }
}

fn blank(names: &[String]) -> TableDocument {
    let player = |name: &String| PlayerDocument { name: name.clone(), bot: None };
    TableDocument {
        id: String::new(),
        game: "",
        title: "",
        rules: String::new(),
        version: 0,
        seed_given: false,
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
    }
}

fn shown<G: TableGame, D: Dice + Clone>(
    session: &Session<G, D>,
    viewer: Option<Seat>,
) -> TableDocument {
    let mut document = blank(session.names());
    session.show(viewer, &mut document);
    document
}

fn json<G: TableGame, D: Dice + Clone>(session: &Session<G, D>, viewer: Option<Seat>) -> String {
    serde_json::to_string(&shown(session, viewer)).unwrap()
}

fn people<G: Game>(seats: usize) -> Vec<(String, Player<G>)> {
    (0..seats).map(|seat| (format!("P{seat}"), Player::Person)).collect()
}

fn random_action<G: Secret>(game: &G, draw: &mut Draw) -> G::Action {
    let actions: Vec<_> = game.legal_actions().take(G::ACTIONS).collect();
    actions[draw.below(actions.len())].clone()
}

/// A person acts at random, or a bot thinks.
fn step<G: Secret>(session: &mut Session<G, Changed>, draw: &mut Draw) {
    if let Some(thought) = session.thought() {
        session.conclude(thought.think());
        return;
    }
    let seat = session.turn().unwrap();
    let action = random_action(session.game(), draw).to_string();
    let known = shown(session, Some(seat)).moves;
    session.act(seat, &action, known).unwrap();
}

/// The same game up to now, with other dice for one seat in the round being played.
fn twin<G: Secret>(session: &Session<G, Changed>, of: Seat) -> Session<G, Changed> {
    let dice = Changed { of: Some((of, session.game().round_of())), ..session.dice.clone() };
    let mut twin = Session::new(session.rules, dice, people(session.names.len()));
    twin.names.clone_from(&session.names);
    for one in session.play.moves() {
        let Move::Acted(action) = one else { panic!("nobody fails") };
        let seat = twin.turn().unwrap();
        twin.judge(seat, Ok(action.clone()));
    }
    assert_eq!(twin.play.moves(), session.play.moves(), "the moves are legal with other dice, too");
    twin
}

/// Whoever does not hold the dice of `of` sees the same whatever they show; the holder does not.
fn check_hidden<G: Secret>(session: &Session<G, Changed>, of: Seat) {
    let twin = twin(session, of);
    let seats = Seat::first(session.names().len()).map(Some).chain([None]);
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
fn check_game<G: Secret>(seats: usize, bots: usize, seed: u64) {
    let chance = Chance::new(&seed.to_string());
    let mut players = people(seats);
    let fast = |name: &str| !["optimal", "winner"].contains(&name);
    let houses = G::house_bots().into_iter().filter(|house| fast(house.name()));
    for (house, index) in houses.skip(seed as usize % 3).zip(0..bots) {
        let mut bot = house.bot();
        bot.start(&dicehill_arena::Start { game: 1, id: 1, players: seats, seed });
        players[(index * 2 + 1) % seats].1 = Player::Bot(Some(bot));
    }
    let dice = Changed { dice: chance.table(1), of: None };
    let mut session = Session::<G, _>::new(G::RULES[seed as usize % 2], dice, players);
    let mut draw = Draw(seed);
    let mut checked = 0;
    while !session.is_over() {
        for of in session.game().holders() {
            check_hidden(&session, of);
            checked += 1;
        }
        step(&mut session, &mut draw);
    }
    assert!(checked >= 13 * usize::from(G::NAME == Yahtzee::NAME) + 5, "{checked} positions");
    assert_eq!(session.stage(), Stage::Over);
    let report = session.finished().unwrap();
    assert_eq!(report.moves().len(), session.play.moves().len());
    assert_eq!(shown(&session, None).results.unwrap().len(), seats);
}

#[test]
fn nobody_sees_hidden_dice_of_others_in_yahtzee() {
    for seed in 0..6 {
        check_game::<Yahtzee>(2 + seed as usize % 3, seed as usize % 3, seed);
    }
}

#[test]
fn nobody_sees_hidden_dice_of_others_in_liars_dice() {
    for seed in 0..9 {
        check_game::<LiarsDice>(2 + seed as usize % 3, seed as usize % 3, seed);
    }
}

fn session<G: TableGame>(seats: usize) -> Session<G> {
    Session::new(G::Rules::default(), Chance::new("a table").table(1), people(seats))
}

const FIRST: Seat = Seat::new(0);
const SECOND: Seat = Seat::new(1);

#[test]
fn others_learn_nothing_of_a_roll() {
    let mut session = session::<Yahtzee>(2);
    for (known, keep) in ["01", "-"].into_iter().enumerate() {
        let before = [json(&session, Some(SECOND)), json(&session, None)];
        assert_eq!(session.act(FIRST, keep, known), Ok(Audience::Only(FIRST)));
        assert_eq!([json(&session, Some(SECOND)), json(&session, None)], before);
    }
    assert_eq!(session.act(FIRST, "CHANCE", 2), Ok(Audience::Everybody));
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
fn what_is_refused_changes_nothing() {
    let mut session = session::<Yahtzee>(2);
    let before = json(&session, Some(FIRST));
    let illegal = |why: &str| Err(Refusal::Illegal(why.to_owned()));
    assert_eq!(session.act(FIRST, "5", 0), illegal("keep index 5 is not 0-4"));
    assert_eq!(session.act(FIRST, "\u{1b}", 0), illegal("unknown category \"\\u{1b}\""));
    assert_eq!(session.act(FIRST, &"0".repeat(41), 0), illegal("no action is so long"));
    assert_eq!(session.act(FIRST, "-", 1), Err(Refusal::Stale { made: 0, known: 1 }));
    assert_eq!(session.act(SECOND, "-", 0), Err(Refusal::NotYourTurn));
    assert_eq!(json(&session, Some(FIRST)), before);
    assert_eq!(session.act(FIRST, "-", 0), Ok(Audience::Only(FIRST)));
    assert_eq!(session.act(FIRST, "-", 0), Err(Refusal::Stale { made: 1, known: 0 }));
}

#[test]
fn a_call_shows_all_hands() {
    let mut session = session::<LiarsDice>(3);
    session.act(FIRST, "1 2", 0).unwrap();
    let hands: Vec<_> = session.game().hands().iter().map(|hand| hand.faces().to_vec()).collect();
    assert!(shown(&session, Some(SECOND)).liars_dice.unwrap().turn.unwrap().may_call);
    session.act(SECOND, "Liar!", 0).unwrap();
    let seen = shown(&session, None);
    let call = seen.happenings.last().unwrap();
    let told: Vec<Vec<u8>> = call.hands.iter().map(|hand| hand.dice.clone()).collect();
    let rolled: Vec<Vec<u8>> =
        hands.iter().map(|hand| hand.iter().map(|face| face.pips()).collect()).collect();
    assert_eq!((told, call.face), (rolled, Some(2)));
    assert!(call.text.starts_with("P1 calls: Liar! There "), "{}", call.text);
    let dice: usize = seen.liars_dice.unwrap().seats.iter().map(|seat| seat.dice).sum();
    assert_eq!(dice, 15);
}

/// Bids one more of the same face until it is 3, and then calls; counts what it is told.
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
fn bots_are_told_of_calls_and_of_the_end() {
    let told = Arc::new(AtomicUsize::new(0));
    let bot = Player::Bot(Some(Box::new(Caller(Arc::clone(&told))) as Box<dyn Bot<LiarsDice>>));
    let mut players = people(1);
    players.push(("caller".to_owned(), bot));
    let dice = Chance::new("a table").table(1);
    let mut session = Session::<LiarsDice, _>::new(Default::default(), dice, players);
    let (mut moves, mut calls) = (0, 0);
    while let Some(seat) = session.turn() {
        let is_call = !session.game().bids().is_empty();
        calls += usize::from(is_call);
        if seat == FIRST {
            assert!(session.thought().is_none(), "it is the person's turn");
            session.act(FIRST, if is_call { "Liar!" } else { "9 6" }, moves).unwrap();
            moves += 1;
        } else {
            let thought = session.thought().unwrap();
            assert!(session.thought().is_none(), "it thinks once");
            session.conclude(thought.think());
        }
    }
    assert_eq!(told.load(Ordering::Relaxed), 1000 + calls);
}

struct Broken;

impl Bot<Yahtzee> for Broken {
    fn act(&mut self, _view: &yahtzee::View<'_>) -> Result<yahtzee::Action, Failure> {
        panic!("a fault of the bot's, for this test")
    }
}

#[test]
fn a_bot_that_gives_up_ends_the_game() {
    let bot = Player::Bot(Some(Box::new(Broken) as Box<dyn Bot<Yahtzee>>));
    let mut players = vec![("broken".to_owned(), bot)];
    players.extend(people(1));
    let dice = Chance::new("a table").table(1);
    let mut session = Session::<Yahtzee, _>::new(Default::default(), dice, players);
    let thought = session.thought().unwrap();
    assert_eq!(session.conclude(thought.think()), Audience::Everybody);
    let seen = shown(&session, None);
    assert_eq!((seen.stage, seen.turn), (Stage::Void, None));
    assert_eq!(seen.happenings[0].text, "broken gives no legal action: the bot has given up");
    assert!(seen.results.unwrap().iter().all(|result| !result.won));
    assert_eq!(session.act(SECOND, "-", 0), Err(Refusal::Over));
}
