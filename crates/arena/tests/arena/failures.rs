//! In Liar's Dice an illegal bid eliminates, and only repeated process failures bar.

use std::sync::Arc;

use dicehill_arena::{Program, Reason};
use dicehill_rules::liars_dice::{Action, LiarsDice};

use crate::support::{
    Bots, Outcome, Turn, challenge, failure, json, play, raise_to, raiser, results_of, scripted,
    without,
};

/// A bot that fails in its first answer of every game for which `reason` returns one.
fn failing(
    reason: impl Fn(&Turn) -> Option<Reason> + Send + Sync + 'static,
) -> Arc<dyn Program<LiarsDice>> {
    scripted::<LiarsDice>(move |turn, view| match reason(turn) {
        Some(reason) if turn.answer == 1 => failure(reason),
        Some(_) | None => raise_to(45, view),
    })
}

fn crashes_in(fails: fn(u64) -> bool) -> Arc<dyn Program<LiarsDice>> {
    failing(move |turn| fails(turn.start.game).then_some(Reason::Crash))
}

/// `program` as `F` in the middle of the hill, with `others` other bots.
fn bots_with(program: Arc<dyn Program<LiarsDice>>, others: usize) -> Bots<LiarsDice> {
    let names = ["A", "B", "C", "D", "E"];
    let mut bots: Bots<_> =
        names.into_iter().take(others).zip([15, 70, 25, 60, 35].map(raiser)).collect();
    bots.insert(others / 2, ("F", program));
    bots
}

/// Plays `games` games with an `F` that crashes where `fails` says so. It must be barred in the game in which its
/// failures first exceed both 10 and 1 % of its games, counted here one by one, or not at all. Returns that game.
fn check(games: i64, others: usize, fails: fn(u64) -> bool) -> Option<u64> {
    let bots = bots_with(crashes_in(fails), others);
    let hill = challenge(&bots, games);
    let good = challenge(&bots_with(raiser(45), others), games);
    let sits: Vec<_> =
        results_of(&play(&good, 1), &good, "F").into_iter().map(|(game, _)| game).collect();
    let failed = sits.iter().copied().filter(|game| fails(*game));
    let too_many = |(before, _): &(usize, u64)| before + 1 > 10 && 100 * (before + 1) > sits.len();
    let expected = failed.enumerate().find(too_many).map(|(_, game)| game);

    let [outcome, two, eight] = [1, 2, 8].map(|jobs| play(&hill, jobs));
    assert_eq!(outcome.events, two.events);
    assert_eq!(outcome.events, eight.events);
    let bars: Vec<_> = outcome.bars.iter().map(|bar| (bar.bot.as_str(), bar.game)).collect();
    assert_eq!(bars, expected.map(|game| ("F", game)).into_iter().collect::<Vec<_>>());
    if expected.is_some() {
        check_same_as_without(&outcome, &play(&challenge(&without(&bots, &["F"]), games), 2));
    } else {
        assert_eq!(outcome.row("F").games, sits.len() as u64);
    }
    expected
}

fn check_same_as_without(outcome: &Outcome<LiarsDice>, clean: &Outcome<LiarsDice>) {
    assert_eq!(outcome.lines, clean.lines);
    assert_eq!(outcome.document.records, clean.document.records);
    assert_eq!(json(&outcome.ranked()), json(&clean.ranked()));
    let row = outcome.row("F");
    assert_eq!((row.rank, row.games, row.points), (None, 0, 0));
    assert_eq!(row.barred.as_ref().expect("barred").reason, "crash");
}

#[test]
fn ten_failures_do_not_bar() {
    assert_eq!(check(10, 2, |_| true), None);
    assert_eq!(check(400, 2, |game| game > 390), None);
}

#[test]
fn the_eleventh_failure_bars_if_failures_exceed_one_percent() {
    for games in [11, 12, 100, 1000, 1099] {
        assert_eq!(check(games, 2, |_| true), Some(11), "{games} games");
    }
}

#[test]
fn in_long_sets_failures_must_exceed_one_percent() {
    for (games, bar) in [(1100, 12), (1199, 12), (1200, 13)] {
        assert_eq!(check(games, 2, |_| true), Some(bar), "{games} games");
    }
    assert_eq!(check(1300, 2, |game| game <= 13), None);
    assert_eq!(check(1300, 2, |game| game <= 12 || game >= 1299), Some(1300));
}

#[test]
fn only_games_with_the_entrant_count_for_the_one_percent() {
    // It plays in about two thirds of the games.
    for games in [30, 400, 1600] {
        let every = check(games, 5, |_| true);
        assert!(every.is_some_and(|game| game > 11), "{every:?}");
        check(games, 5, |game| game % 3 == 0);
    }
}

#[test]
fn an_illegal_bid_eliminates_and_does_not_bar() {
    // A call before any bid, or a repetition of the last bid.
    let illegal = scripted::<LiarsDice>(|_, view| match view.last_bid() {
        None => Ok(Action::Call),
        Some(last) => Ok(Action::Bid(last)),
    });
    let hill = challenge(&bots_with(illegal, 3), 400);
    let outcome = play(&hill, 2);
    assert!(outcome.bars.is_empty());
    let results = results_of(&outcome, &hill, "F");
    assert!(results.len() > 200);
    for (game, result) in results {
        // One turn with its point, no call and no die.
        assert_eq!((result.points, result.won), (1, false), "game {game}");
        assert_eq!(result.figures[..3], [1, 0, 0], "game {game}");
    }
    let offences = |game: &dicehill_arena::GameRecord<LiarsDice>| game.offences.len();
    assert!(outcome.games.iter().all(|game| offences(game) <= 1 && !game.void));
}

#[test]
fn illegal_bids_do_not_count_as_failures() {
    let half = failing(|turn| {
        let odd = !turn.start.game.is_multiple_of(2);
        Some(if odd { Reason::IllegalMove } else { Reason::MoveTimeout })
    });
    let outcome = play(&challenge(&bots_with(half, 2), 100), 2);
    let [bar] = outcome.bars.as_slice() else { panic!("{:?}", outcome.bars) };
    assert_eq!((bar.game, bar.reason.as_str()), (22, "move-timeout"));
}

#[test]
fn process_failures_of_all_kinds_count_together() {
    let kinds = Reason::OF_PROGRAMS.into_iter().filter(|reason| reason.is_process_failure());
    let kinds: Vec<_> = kinds.collect();
    assert_eq!(kinds.len(), 7);
    let mixed = failing(move |turn| Some(kinds[turn.start.game as usize % 7]));
    let outcome = play(&challenge(&bots_with(mixed, 2), 100), 2);
    let [bar] = outcome.bars.as_slice() else { panic!("{:?}", outcome.bars) };
    assert_eq!((bar.game, bar.reason.as_str()), (11, "game-timeout"));
    assert_eq!(bar.detail, "as scripted");
}

#[test]
fn a_bot_without_a_connection_is_left_out_at_once() {
    let absent = failing(|turn| (turn.start.game == 3).then_some(Reason::Absent));
    let outcome = play(&challenge(&bots_with(absent, 2), 100), 2);
    let [bar] = outcome.bars.as_slice() else { panic!("{:?}", outcome.bars) };
    assert_eq!((bar.game, bar.reason.as_str()), (3, "absent"));
}

#[test]
fn failures_are_counted_per_program() {
    let mut bots = bots_with(crashes_in(|game| game % 2 == 0), 2);
    bots.push(("G", crashes_in(|game| game % 2 == 1)));
    bots.truncate(4);
    // Of four entrants one is left out in a third of the games.
    let outcome = play(&challenge(&bots, 200), 2);
    let bars: Vec<_> = outcome.bars.iter().map(|bar| bar.bot.as_str()).collect();
    let first = outcome.bars[0].game;
    assert!(bars == ["F", "G"] || bars == ["G", "F"], "{bars:?}");
    assert!(first >= 21, "neither has failed more than 10 times before game 21, not {first}");
    assert_eq!(outcome.ranked().len(), 2);
}

#[test]
fn a_bar_in_a_set_of_30_000_games_is_at_the_right_game() {
    assert_eq!(check(30_000, 2, |game| game % 2 == 0), Some(602));
}
