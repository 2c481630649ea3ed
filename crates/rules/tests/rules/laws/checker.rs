//! The laws of `Game`, checked on random sequences of actions for any game.
//!
//! A game under test implements [`Subject`]: which actions are worth trying, and which laws of its own have to hold. This module generates
//! the sequences, including forfeits and refused actions.

use dicehill_rules::chance::TableDice;
use dicehill_rules::{Chance, Dice, Face, Forfeit, Game, PublicInfo, Seat};

/// The number of legal actions that are checked where there are millions.
const MAX_LISTED: usize = 500;
/// One in this number of sequences has one of its states enumerated.
const ENUMERATED: u64 = 64;
/// The length limit of sequences that play to the end of the game.
const LONGEST: u64 = 2000;

/// What the checker needs to know about a game.
pub(crate) trait Subject: Game {
    /// Actions to try in this state, legal and illegal; all actions where that is feasible.
    fn universe(&self) -> Vec<Self::Action>;

    /// A random action, not always legal, that leads to interesting states.
    fn propose(&self, draw: &mut Draw) -> Self::Action;

    /// Whether `action` would follow `last` in a truncated list of legal actions.
    fn is_beyond(_last: &Self::Action, _action: &Self::Action) -> bool {
        false
    }

    /// Checks the laws of every state of a game of `seats` seats.
    fn check_state(&self, seats: usize);

    /// Checks what an accepted action may change; `None` is a forfeit.
    fn check_step(before: &Self, after: &Self, action: Option<&Self::Action>);
}

/// Checks the laws on `sequences` random sequences, the same in every run.
pub(crate) fn check_laws<G: Subject>(rules: G::Rules, sequences: u64) {
    let mut tally = Tally::default();
    for number in 0..sequences {
        let report = FailureReport { game: G::NAME, number };
        check_sequence::<G>(rules, number, &mut tally);
        drop(report);
    }
    let Tally { accepted, refused, forfeits, ended, enumerated } = tally;
    let all = [accepted, refused, forfeits, ended, enumerated];
    assert!(all.iter().all(|count| *count > 0), "{tally:?}: too few sequences to show anything");
}

/// Counts of the cases, so that a law is not satisfied for lack of cases.
#[derive(Default, Debug)]
struct Tally {
    accepted: u64,
    refused: u64,
    forfeits: u64,
    ended: u64,
    enumerated: u64,
}

/// Reports the number of the sequence if a law is broken.
struct FailureReport {
    game: &'static str,
    number: u64,
}

impl Drop for FailureReport {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("a law of {} is broken in sequence {}", self.game, self.number);
        }
    }
}

fn check_sequence<G: Subject>(rules: G::Rules, number: u64, tally: &mut Tally) {
    let mut draw = Draw::new(number);
    let chance = Chance::new("laws");
    let dice = LoadedDice { table: chance.table(number), loaded: draw.one_in(2) };
    let (least, sizes) = (*G::SEATS.start(), G::SEATS.count().min(4));
    let seats = least + draw.below(sizes as u64) as usize;
    let forfeits = draw.one_in(2);
    let steps = if draw.one_in(4) { LONGEST } else { 1 + draw.below(40) };
    let enumerated = number.is_multiple_of(ENUMERATED).then(|| draw.below(steps.min(60)));
    let mut game = G::new(rules, seats, &dice);
    let mut moves = Vec::new();
    for step in 0..steps {
        check_state(&game, seats);
        if enumerated == Some(step) {
            check_enumeration(&game, &dice);
            tally.enumerated += 1;
        }
        match check_move(&mut game, &dice, &mut draw, forfeits, tally) {
            Some(played) => moves.push(played),
            None => break,
        }
    }
    check_points(&game, seats);
    check_replay(&game, rules, seats, &moves, &dice);
}

/// No seat has more points, or a larger lead, than the bounds of the game.
fn check_points<G: Game>(game: &G, seats: usize) {
    let points = Seat::all(seats).map(|seat| game.result(seat).points);
    let (least, most) = points.fold((u64::MAX, 0), |(l, m), p| (l.min(p), m.max(p)));
    assert!(most <= G::max_points(seats), "{most} points: {game:?}");
    assert!(most - least <= G::max_lead(seats), "{least} to {most} points: {game:?}");
}

/// Makes a random move; `None` if the game has ended or is void.
fn check_move<G: Subject>(
    game: &mut G,
    dice: &LoadedDice,
    draw: &mut Draw,
    forfeits: bool,
    tally: &mut Tally,
) -> Option<Move<G>> {
    if game.has_ended() {
        tally.ended += 1;
        check_ended(game, dice, draw);
        None
    } else if forfeits && draw.one_in(30) {
        tally.forfeits += 1;
        check_forfeit(game, dice)
    } else {
        Some(check_turn(game, dice, draw, tally))
    }
}

/// How a turn was taken.
enum Move<G: Game> {
    Acted(G::Action),
    Forfeited,
}

/// The game has ended, or waits for a seat that has a view and a legal action; and the game's own laws hold.
fn check_state<G: Subject>(game: &G, seats: usize) {
    let public = PublicInfo { names: vec!["A"; seats], points: vec![1; seats] };
    let in_progress = !game.has_ended();
    assert_eq!(game.view(&public).is_some(), in_progress, "{game:?}");
    assert_eq!(game.legal_actions().next().is_some(), in_progress, "{game:?} is stuck");
    assert!(game.to_act().is_none_or(|seat| seat.index() < seats), "{game:?}");
    game.check_state(seats);
}

/// Proposes actions until one is accepted.
fn check_turn<G: Subject>(
    game: &mut G,
    dice: &LoadedDice,
    draw: &mut Draw,
    tally: &mut Tally,
) -> Move<G> {
    let before = game.clone();
    loop {
        let action = game.propose(draw);
        check_text::<G>(&action);
        if game.apply(&action, dice).is_ok() {
            tally.accepted += 1;
            G::check_step(&before, game, Some(&action));
            return Move::Acted(action);
        }
        tally.refused += 1;
        assert!(*game == before, "{action} was refused and changed something: {before:?} {game:?}");
    }
}

/// Forfeits the turn; `None` if that makes the game void.
fn check_forfeit<G: Subject>(game: &mut G, dice: &LoadedDice) -> Option<Move<G>> {
    let before = game.clone();
    match game.forfeit(dice) {
        Forfeit::Void => {
            assert!(*game == before, "a void game stays as it is: {before:?} {game:?}");
            None
        }
        Forfeit::Eliminated => {
            assert!(*game != before, "no seat was eliminated: {game:?}");
            G::check_step(&before, game, None);
            Some(Move::Forfeited)
        }
    }
}

fn check_text<G: Game>(action: &G::Action) {
    let text = action.to_string();
    match text.parse::<G::Action>() {
        Ok(read) => assert_eq!(read, *action, "read from {text:?}"),
        Err(_) => panic!("{text:?} cannot be read"),
    }
}

/// Whether the action is accepted. A refused action has to leave the state as it was.
fn is_accepted<G: Game>(game: &G, action: &G::Action, dice: &LoadedDice) -> bool {
    let mut after = game.clone();
    let accepted = after.apply(action, dice).is_ok();
    assert!(accepted || after == *game, "{action} was refused and changed something: {game:?}");
    accepted
}

/// An action is listed exactly once if it is accepted, and not at all otherwise.
fn check_enumeration<G: Subject>(game: &G, dice: &LoadedDice) {
    let listed: Vec<_> = game.legal_actions().take(MAX_LISTED).collect();
    for (index, action) in listed.iter().enumerate() {
        assert!(is_accepted(game, action, dice), "{action} is listed and refused: {game:?}");
        assert!(!listed[..index].contains(action), "{action} is listed twice: {game:?}");
        check_text::<G>(action);
    }
    let last = listed.last().filter(|_| listed.len() == MAX_LISTED);
    let beyond = |action: &G::Action| last.is_some_and(|last| G::is_beyond(last, action));
    for action in game.universe() {
        let legal = listed.contains(&action) || beyond(&action);
        assert_eq!(is_accepted(game, &action, dice), legal, "{action} in {game:?}");
    }
}

/// An ended game refuses all actions, and a forfeit has no effect.
fn check_ended<G: Subject>(game: &G, dice: &LoadedDice, draw: &mut Draw) {
    let universe = if draw.one_in(ENUMERATED) { game.universe() } else { Vec::new() };
    for action in universe.into_iter().chain([game.propose(draw)]) {
        assert!(!is_accepted(game, &action, dice), "{action} in an ended game: {game:?}");
    }
    let mut after = game.clone();
    after.forfeit(dice);
    assert!(after == *game, "a forfeit has changed an ended game: {game:?} {after:?}");
}

/// The same rules, dice and moves lead to the same state.
fn check_replay<G: Game>(
    end: &G,
    rules: G::Rules,
    seats: usize,
    moves: &[Move<G>],
    dice: &LoadedDice,
) {
    let mut replayed = G::new(rules, seats, dice);
    for one in moves {
        match one {
            Move::Acted(action) => {
                assert!(
                    replayed.apply(action, dice).is_ok(),
                    "{action} is refused in {replayed:?}"
                );
            }
            Move::Forfeited => {
                replayed.forfeit(dice);
            }
        }
    }
    assert!(replayed == *end, "replayed: {replayed:?}, recorded: {end:?}");
    let results = |game: &G| Seat::all(seats).map(|seat| game.result(seat)).collect::<Vec<_>>();
    assert_eq!(results(&replayed), results(end));
}

/// The dice of a table. If they are loaded, half of the rolls show a single face, so that positions are tested that are rare with fair dice.
struct LoadedDice {
    table: TableDice,
    loaded: bool,
}

impl LoadedDice {
    /// An offset to rounds that no game reaches, whose dice decide which rolls are loaded.
    const LOADING_ROUNDS: u32 = 1_000_000;
}

impl Dice for LoadedDice {
    fn roll(&self, seat: Seat, round: u32, roll: u8, faces: &mut [Face]) {
        let mut loading = [Face::ONE; 2];
        self.table.roll(seat, Self::LOADING_ROUNDS + round, roll, &mut loading);
        if self.loaded && loading[0].pips() > 3 {
            faces.fill(loading[1]);
        } else {
            self.table.roll(seat, round, roll, faces);
        }
    }
}

/// Random choices: SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) struct Draw(u64);

impl Draw {
    fn new(number: u64) -> Self {
        Self(number)
    }

    /// A number in `0..choices`. The modulo bias is negligible here.
    pub(crate) fn below(&mut self, choices: u64) -> u64 {
        self.word() % choices
    }

    pub(crate) fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}
