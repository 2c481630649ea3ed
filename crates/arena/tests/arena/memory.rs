//! How long a bot lives, and what it may know of other games.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use dicehill_arena::{HillDraft, Memory, Program, Reason, Replay, read_game_line};
use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game};

use crate::support::{
    Cast, Outcome, Turn, draft, failure, fill_first, first_box, hill, play, player, raise_to,
    raiser,
};

/// What a bot saw when it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    life: u64,
    games: u64,
    game: u64,
    answer: u64,
    you: usize,
    /// By position.
    names: Vec<String>,
    points: Vec<u64>,
}

type Diary = Arc<Mutex<Vec<Asked>>>;

fn note(diary: &Diary, turn: &Turn, you: usize, names: Vec<String>, points: Vec<u64>) {
    let Turn { start, life, games, answer } = turn;
    let (game, life, games, answer) = (start.game, *life, *games, *answer);
    let asked = Asked { life, games, game, answer, you, names, points };
    diary.lock().expect("no test panics while it writes").push(asked);
}

fn liar_with(diary: &Diary, percent: u32) -> Arc<dyn Program<LiarsDice>> {
    let diary = Arc::clone(diary);
    player::<LiarsDice>(move |turn, view| {
        let positions = 0..view.players();
        let names = positions.clone().map(|at| view.name(at).expect("public").to_owned());
        let points = positions.map(|at| view.points(at)).collect();
        note(&diary, turn, view.you, names.collect(), points);
        raise_to(percent, view)
    })
}

fn liars(diary: &Diary) -> Cast<LiarsDice> {
    let mut cast: Cast<_> =
        vec![("A", raiser(20)), ("B", raiser(60)), ("C", raiser(30)), ("D", raiser(70))];
    cast.insert(2, ("W", liar_with(diary, 40)));
    cast
}

fn entries(diary: &Diary) -> Vec<Asked> {
    std::mem::take(&mut *diary.lock().expect("no bot panics"))
}

fn play_with_memory<G: Game>(
    cast: &Cast<G>,
    memory: Memory,
    games: i64,
    jobs: usize,
) -> Outcome<G> {
    play(&hill(HillDraft { memory, games, ..draft(cast) }), jobs)
}

/// The numbers of the games in which somebody of this name sat.
fn games_of(outcome: &Outcome<LiarsDice>, name: &str) -> Vec<u64> {
    let replays = outcome.lines.iter().map(|line| replay(line));
    replays.filter(|game| game.names.iter().any(|n| n == name)).map(|game| game.game).collect()
}

fn replay(line: &str) -> Replay<LiarsDice> {
    let chance = Chance::new("a seed");
    read_game_line(line, LiarsDiceRules::Official, &chance).expect("a line of this run")
}

#[test]
fn one_life_sees_all_its_games_in_order() {
    for jobs in [1, 8] {
        let diary = Diary::default();
        let outcome = play_with_memory(&liars(&diary), Memory::Set, 60, jobs);
        let mut games: Vec<_> = entries(&diary)
            .into_iter()
            .filter(|asked| asked.answer == 1)
            .map(|asked| (asked.life, asked.games, asked.game))
            .collect();
        games.dedup();
        let sat = games_of(&outcome, "W").into_iter();
        let expected: Vec<_> = (1..).zip(sat).map(|(count, game)| (1, count, game)).collect();
        assert_eq!(games, expected, "{jobs} threads");
    }
}

#[test]
fn a_life_goes_on_in_play_off_games() {
    let diary = Diary::default();
    let writer = |diary: &Diary| {
        let diary = Arc::clone(diary);
        player::<Yahtzee>(move |turn, view| {
            note(&diary, turn, 0, Vec::new(), Vec::new());
            fill_first(view)
        })
    };
    let mut play_offs = 0;
    for seed in 0..10 {
        let cast = vec![("A", writer(&diary)), ("B", first_box())];
        let seed = format!("life {seed}");
        let draft = HillDraft { memory: Memory::Set, games: 2, seed, ..draft(&cast) };
        let outcome = play(&hill(draft), 2);
        let first = entries(&diary).into_iter().filter(|asked| asked.answer == 1);
        let games: Vec<_> = first.map(|asked| (asked.life, asked.games, asked.game)).collect();
        let expected: Vec<_> = (1..=outcome.games.len() as u64).map(|n| (1, n, n)).collect();
        assert_eq!(games, expected);
        play_offs += outcome.document.extra_games;
    }
    assert!(play_offs > 0);
}

#[test]
fn games_that_do_not_know_of_each_other_have_fresh_bots() {
    for jobs in [1, 8] {
        let diary = Diary::default();
        let outcome = play_with_memory(&liars(&diary), Memory::Game, 60, jobs);
        let mut lives = BTreeMap::new();
        for asked in entries(&diary) {
            assert_eq!(asked.games, 1);
            assert_eq!(*lives.entry(asked.life).or_insert(asked.game), asked.game);
        }
        let mut games: Vec<_> = lives.into_values().collect();
        games.sort_unstable();
        assert_eq!(games, games_of(&outcome, "W"), "{jobs} threads");
    }
}

#[test]
fn a_run_without_a_barred_entrant_begins_with_new_lives() {
    let diary = Diary::default();
    let writer = {
        let diary = Arc::clone(&diary);
        player::<Yahtzee>(move |turn, view| {
            note(&diary, turn, 0, Vec::new(), Vec::new());
            fill_first(view)
        })
    };
    let crash = player::<Yahtzee>(|turn, view| match turn.start.game {
        4 => failure(Reason::Crash),
        _ => fill_first(view),
    });
    let cast = vec![("A", writer), ("B", crash), ("C", first_box())];
    let outcome = play_with_memory(&cast, Memory::Set, 7, 2);
    assert_eq!(outcome.bars.len(), 1);
    let second: Vec<_> = entries(&diary)
        .into_iter()
        .filter(|asked| asked.answer == 1 && asked.life == 2)
        .map(|asked| (asked.games, asked.game))
        .collect();
    let games = outcome.games.len() as u64;
    assert_eq!(second, (1..=games).map(|game| (game, game)).collect::<Vec<_>>());
}

/// The points that each name has after each game, by game number, nothing before the first.
fn points_after(outcome: &Outcome<LiarsDice>) -> Vec<BTreeMap<String, u64>> {
    let mut all = vec![BTreeMap::new()];
    for line in &outcome.lines {
        let game = replay(line);
        let mut points = all.last().cloned().unwrap_or_default();
        for (name, result) in game.names.into_iter().zip(game.results) {
            *points.entry(name).or_default() += result.points;
        }
        all.push(points);
    }
    all
}

#[test]
fn points_of_the_set_are_public_in_one_life() {
    check_points(Memory::Set);
}

#[test]
fn points_begin_at_nothing_in_games_that_do_not_know_of_each_other() {
    check_points(Memory::Game);
}

/// A bot that begins a game sees what everybody brought to it.
fn check_points(memory: Memory) {
    let diary = Diary::default();
    let outcome = play_with_memory(&liars(&diary), memory, 60, 1);
    let brought = points_after(&outcome);
    let mut began = 0;
    // The seat that begins a game is asked before anybody has a turn behind it.
    for asked in entries(&diary).into_iter().filter(|asked| asked.answer == 1 && asked.you == 0) {
        began += 1;
        for (position, (name, points)) in asked.names.iter().zip(&asked.points).enumerate() {
            let expected = match memory {
                Memory::Set => brought[asked.game as usize - 1].get(name).copied().unwrap_or(0),
                Memory::Game => 0,
            };
            // The turn of the bot itself has begun, and earned its point.
            let expected = expected + u64::from(position == asked.you);
            assert_eq!(*points, expected, "{name} in game {}", asked.game);
        }
    }
    assert!(began > 5);
}

#[test]
fn names_move_up_when_somebody_leaves() {
    let diary = Diary::default();
    let outcome = play_with_memory(&liars(&diary), Memory::Game, 40, 1);
    let seats: BTreeMap<_, _> =
        outcome.lines.iter().map(|line| replay(line)).map(|game| (game.game, game.names)).collect();
    let (mut shifted, mut all) = (0, 0);
    for asked in entries(&diary) {
        assert_eq!(asked.names[asked.you], "W");
        // Those who are left, in the order of their seats.
        let seated = &seats[&asked.game];
        let left = seated.iter().filter(|name| asked.names.contains(name));
        assert!(left.eq(&asked.names), "{:?} of {seated:?}", asked.names);
        let own = seated.iter().position(|name| name == "W").unwrap();
        shifted += usize::from(asked.you < own);
        all += usize::from(asked.names.len() == seated.len());
    }
    assert!(shifted > 10 && all > 10);
}

#[test]
fn names_and_hands_agree_with_the_replay() {
    let diary = Diary::default();
    let outcome = play_with_memory(&liars(&diary), Memory::Game, 20, 1);
    let chance = Chance::new("a seed");
    let mut expected = Vec::new();
    for line in &outcome.lines {
        let game = replay(line);
        let mut play = game.begin(LiarsDiceRules::Official, &chance);
        for one in &game.moves {
            let (seat, view) = play.turn().unwrap();
            if game.names[seat.index()] == "W" {
                let name = |seat: &dicehill_rules::Seat| game.names[seat.index()].clone();
                let names: Vec<_> = play.game().seats().iter().map(name).collect();
                expected.push((game.game, view.you, names));
            }
            play.repeat(one);
        }
    }
    let asked = entries(&diary).into_iter().map(|asked| (asked.game, asked.you, asked.names));
    assert_eq!(asked.collect::<Vec<_>>(), expected);
}
