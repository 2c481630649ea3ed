//! How long a bot keeps its memory, and what it may know of other games.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use dicehill_arena::{HillDraft, Memory, Program, Reason, Replay, TournamentGame, read_game_line};
use dicehill_rules::Chance;
use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};
use dicehill_rules::yahtzee::Yahtzee;

use crate::support::{
    Bots, Outcome, Turn, draft, failure, fill_first, first_box, hill, play, raise_to, raiser,
    scripted,
};

/// What a bot saw when it was asked for an action.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Observation {
    instance: u64,
    games: u64,
    game: u64,
    answer: u64,
    you: usize,
    /// By position.
    names: Vec<String>,
    points: Vec<u64>,
}

type ObservationLog = Arc<Mutex<Vec<Observation>>>;

fn record(log: &ObservationLog, turn: &Turn, you: usize, names: Vec<String>, points: Vec<u64>) {
    let Turn { start, instance, games, answer } = turn;
    let (game, instance, games, answer) = (start.game, *instance, *games, *answer);
    let observation = Observation { instance, games, game, answer, you, names, points };
    log.lock().expect("no test panics while it writes").push(observation);
}

fn liar_with(log: &ObservationLog, percent: u32) -> Arc<dyn Program<LiarsDice>> {
    let log = Arc::clone(log);
    scripted::<LiarsDice>(move |turn, view| {
        let positions = 0..view.players();
        let names = positions.clone().map(|at| view.name(at).expect("public").to_owned());
        let points = positions.map(|at| view.points(at)).collect();
        record(&log, turn, view.you, names.collect(), points);
        raise_to(percent, view)
    })
}

fn liars(log: &ObservationLog) -> Bots<LiarsDice> {
    let mut bots: Bots<_> =
        vec![("A", raiser(20)), ("B", raiser(60)), ("C", raiser(30)), ("D", raiser(70))];
    bots.insert(2, ("W", liar_with(log, 40)));
    bots
}

fn take_observations(log: &ObservationLog) -> Vec<Observation> {
    std::mem::take(&mut *log.lock().expect("no bot panics"))
}

fn play_with_memory<G: TournamentGame>(
    bots: &Bots<G>,
    memory: Memory,
    games: i64,
    jobs: usize,
) -> Outcome<G> {
    play(&hill(HillDraft { memory, games, ..draft(bots) }), jobs)
}

/// The numbers of the games in which the bot of this name played.
fn games_of(outcome: &Outcome<LiarsDice>, name: &str) -> Vec<u64> {
    let replays = outcome.lines.iter().map(|line| replay(line));
    replays.filter(|game| game.names.iter().any(|n| n == name)).map(|game| game.game).collect()
}

fn replay(line: &str) -> Replay<LiarsDice> {
    let chance = Chance::new("a seed");
    read_game_line(line, LiarsDiceRules::Official, &chance).expect("a line of this run")
}

#[test]
fn in_a_set_one_bot_plays_all_games_in_order() {
    for jobs in [1, 8] {
        let log = ObservationLog::default();
        let outcome = play_with_memory(&liars(&log), Memory::Set, 60, jobs);
        let mut games: Vec<_> = take_observations(&log)
            .into_iter()
            .filter(|observation| observation.answer == 1)
            .map(|observation| (observation.instance, observation.games, observation.game))
            .collect();
        games.dedup();
        let sat = games_of(&outcome, "W").into_iter();
        let expected: Vec<_> = (1..).zip(sat).map(|(count, game)| (1, count, game)).collect();
        assert_eq!(games, expected, "{jobs} threads");
    }
}

#[test]
fn in_a_set_the_bot_also_plays_the_play_offs() {
    let log = ObservationLog::default();
    let writer = |log: &ObservationLog| {
        let log = Arc::clone(log);
        scripted::<Yahtzee>(move |turn, view| {
            record(&log, turn, 0, Vec::new(), Vec::new());
            fill_first(view)
        })
    };
    let mut play_offs = 0;
    for seed in 0..10 {
        let bots = vec![("A", writer(&log)), ("B", first_box())];
        let seed = format!("life {seed}");
        let draft = HillDraft { memory: Memory::Set, games: 2, seed, ..draft(&bots) };
        let outcome = play(&hill(draft), 2);
        let first =
            take_observations(&log).into_iter().filter(|observation| observation.answer == 1);
        let games: Vec<_> = first
            .map(|observation| (observation.instance, observation.games, observation.game))
            .collect();
        let expected: Vec<_> = (1..=outcome.games.len() as u64).map(|n| (1, n, n)).collect();
        assert_eq!(games, expected);
        play_offs += outcome.document.extra_games;
    }
    assert!(play_offs > 0);
}

#[test]
fn with_memory_of_one_game_every_game_has_a_fresh_bot() {
    for jobs in [1, 8] {
        let log = ObservationLog::default();
        let outcome = play_with_memory(&liars(&log), Memory::Game, 60, jobs);
        let mut games_by_instance = BTreeMap::new();
        for observation in take_observations(&log) {
            assert_eq!(observation.games, 1);
            assert_eq!(
                *games_by_instance.entry(observation.instance).or_insert(observation.game),
                observation.game
            );
        }
        let mut games: Vec<_> = games_by_instance.into_values().collect();
        games.sort_unstable();
        assert_eq!(games, games_of(&outcome, "W"), "{jobs} threads");
    }
}

#[test]
fn after_a_bar_the_run_restarts_with_fresh_bots() {
    let log = ObservationLog::default();
    let writer = {
        let log = Arc::clone(&log);
        scripted::<Yahtzee>(move |turn, view| {
            record(&log, turn, 0, Vec::new(), Vec::new());
            fill_first(view)
        })
    };
    let crash = scripted::<Yahtzee>(|turn, view| match turn.start.game {
        4 => failure(Reason::Crash),
        _ => fill_first(view),
    });
    let bots = vec![("A", writer), ("B", crash), ("C", first_box())];
    let outcome = play_with_memory(&bots, Memory::Set, 7, 2);
    assert_eq!(outcome.bars.len(), 1);
    let second: Vec<_> = take_observations(&log)
        .into_iter()
        .filter(|observation| observation.answer == 1 && observation.instance == 2)
        .map(|observation| (observation.games, observation.game))
        .collect();
    let games = outcome.games.len() as u64;
    assert_eq!(second, (1..=games).map(|game| (game, game)).collect::<Vec<_>>());
}

/// The points of each name after each game, by game number; empty at 0.
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
fn in_a_set_the_points_of_earlier_games_are_public() {
    check_points(Memory::Set);
}

#[test]
fn with_memory_of_one_game_points_start_at_zero() {
    check_points(Memory::Game);
}

/// Checks the points that a bot sees at its first turn as the first to act.
fn check_points(memory: Memory) {
    let log = ObservationLog::default();
    let outcome = play_with_memory(&liars(&log), memory, 60, 1);
    let points_before = points_after(&outcome);
    let mut began = 0;
    // The seat that begins a game is asked before any other turn has ended.
    for observation in take_observations(&log)
        .into_iter()
        .filter(|observation| observation.answer == 1 && observation.you == 0)
    {
        began += 1;
        for (position, (name, points)) in
            observation.names.iter().zip(&observation.points).enumerate()
        {
            let expected = match memory {
                Memory::Set => {
                    points_before[observation.game as usize - 1].get(name).copied().unwrap_or(0)
                }
                Memory::Game => 0,
            };
            // The bot's own turn has begun and earned its point.
            let expected = expected + u64::from(position == observation.you);
            assert_eq!(*points, expected, "{name} in game {}", observation.game);
        }
    }
    assert!(began > 5);
}

#[test]
fn positions_move_up_when_an_entrant_is_eliminated() {
    let log = ObservationLog::default();
    let outcome = play_with_memory(&liars(&log), Memory::Game, 40, 1);
    let seats: BTreeMap<_, _> =
        outcome.lines.iter().map(|line| replay(line)).map(|game| (game.game, game.names)).collect();
    let (mut shifted, mut all) = (0, 0);
    for observation in take_observations(&log) {
        assert_eq!(observation.names[observation.you], "W");
        // The remaining names are in the order of their seats.
        let seated = &seats[&observation.game];
        let left = seated.iter().filter(|name| observation.names.contains(name));
        assert!(left.eq(&observation.names), "{:?} of {seated:?}", observation.names);
        let own = seated.iter().position(|name| name == "W").unwrap();
        shifted += usize::from(observation.you < own);
        all += usize::from(observation.names.len() == seated.len());
    }
    assert!(shifted > 10 && all > 10);
}

#[test]
fn names_and_positions_agree_with_the_replay() {
    let log = ObservationLog::default();
    let outcome = play_with_memory(&liars(&log), Memory::Game, 20, 1);
    let mut expected = Vec::new();
    for line in &outcome.lines {
        let game = replay(line);
        let mut play = game.begin(LiarsDiceRules::Official);
        for recorded in &game.moves {
            let (seat, view) = play.turn().unwrap();
            if game.names[seat.index()] == "W" {
                let name = |seat: &dicehill_rules::Seat| game.names[seat.index()].clone();
                let names: Vec<_> = play.game().seats().iter().map(name).collect();
                expected.push((game.game, view.you, names));
            }
            play.repeat(recorded);
        }
    }
    let observation = take_observations(&log)
        .into_iter()
        .map(|observation| (observation.game, observation.you, observation.names));
    assert_eq!(observation.collect::<Vec<_>>(), expected);
}
