//! What `check` finds wrong with a bot.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use dicehill_arena::{Check, Finding, Program, Reason, check};
use dicehill_rules::Game;
use dicehill_rules::liars_dice::{self, LiarsDice};
use dicehill_rules::yahtzee::{Action, Category, Yahtzee};

use crate::support::{
    best_box, failure, fill_best, fill_first, first_box, player, raise_to, raiser,
};

const GAMES: u64 = 40;

fn check_yahtzee(program: &Arc<dyn Program<Yahtzee>>) -> Check {
    check(yahtzee_rules(), program, &[first_box(), best_box()], GAMES, "check")
}

fn yahtzee_rules() -> <Yahtzee as Game>::Rules {
    <Yahtzee as Game>::Rules::default()
}

fn check_liar(program: &Arc<dyn Program<LiarsDice>>) -> Check {
    let opponents = [20, 60, 35, 70].map(raiser);
    check(<LiarsDice as Game>::Rules::default(), program, &opponents, GAMES, "check")
}

fn unrepeatable(check: &Check) -> Vec<(u64, usize)> {
    let place = |finding: &Finding| match finding {
        Finding::Unrepeatable { game, answer, first, again } => {
            assert_ne!(first, again);
            (*game, *answer)
        }
        Finding::Failed { failure, .. } => panic!("it played legally: {failure}"),
    };
    check.findings.iter().map(place).collect()
}

#[test]
fn nothing_is_wrong_with_good_bots() {
    for program in [first_box(), best_box()] {
        let found = check_yahtzee(&program);
        assert_eq!(found, Check { games: GAMES, answers: 13 * GAMES, findings: Vec::new() });
    }
    let by_seed = player::<Yahtzee>(|turn, view| match turn.start.seed % 2 {
        0 => fill_best(view),
        _ => fill_first(view),
    });
    assert_eq!(check_yahtzee(&by_seed).findings, []);
    let found = check_liar(&raiser(40));
    assert_eq!((found.games, found.findings), (GAMES, Vec::new()));
    assert!(found.answers > 2 * GAMES);
}

#[test]
fn an_illegal_action_is_shown_with_its_place() {
    let program = player::<Yahtzee>(|turn, view| {
        let guilty = turn.start.game == 7 && turn.answer == 3;
        if guilty { Ok(Action::Fill(Category::Twos)) } else { fill_first(view) }
    });
    let found = check_yahtzee(&program);
    let [Finding::Failed { game: 7, answer, position, failure }] = found.findings.as_slice() else {
        panic!("{:?}", found.findings)
    };
    // Two rounds of everybody lie before the third answer.
    assert!((5..=9).contains(answer), "answer {answer}");
    assert!(position.contains("round: 3"), "{position}");
    assert_eq!(failure.to_string(), "illegal-move: TWOS: category TWOS is already used");
    // The game ends there.
    assert_eq!(found.answers, 13 * (GAMES - 1) + 3);
}

#[test]
fn every_failure_is_shown() {
    for reason in Reason::ALL {
        let program = player::<LiarsDice>(move |turn, view| match turn.start.game % 10 {
            0 => failure(reason),
            _ => raise_to(40, view),
        });
        let failed = |finding: &Finding| match finding {
            Finding::Failed { game, failure, .. } if failure.reason == reason => *game,
            other @ (Finding::Failed { .. } | Finding::Unrepeatable { .. }) => {
                panic!("{other:?}")
            }
        };
        let games: Vec<_> = check_liar(&program).findings.iter().map(failed).collect();
        // Who was late once is not waited for again.
        let expected: &[u64] = if reason.is_by_the_clock() { &[10] } else { &[10, 20, 30, 40] };
        assert_eq!(games, expected, "{reason:?}");
    }
}

#[test]
fn a_counter_across_games_is_not_repeatable() {
    let counter = AtomicU64::new(0);
    let program =
        player::<Yahtzee>(move |_, view| match counter.fetch_add(1, Ordering::Relaxed) % 5 {
            0 => fill_best(view),
            _ => fill_first(view),
        });
    let found = unrepeatable(&check_yahtzee(&program));
    assert!(found.len() > 10, "{found:?}");
    // At most one finding a game: what follows a difference says nothing.
    let games: BTreeSet<_> = found.iter().map(|(game, _)| *game).collect();
    assert_eq!(games.len(), found.len());
}

#[test]
fn one_game_is_enough_to_find_a_counter() {
    let counter = AtomicU64::new(0);
    let program = player::<Yahtzee>(move |_, view| match counter.fetch_add(1, Ordering::Relaxed) {
        0..13 => fill_best(view),
        _ => fill_first(view),
    });
    let found = check(yahtzee_rules(), &program, &[first_box()], 1, "check");
    assert_eq!(unrepeatable(&found).len(), 1);
}

#[test]
fn a_bot_that_remembers_other_games_is_found() {
    // Legal, and the same within a game whatever came before, but for the last game's number.
    let last = Mutex::new((0, 0));
    let program = player::<LiarsDice>(move |turn, view| {
        let mut last = last.lock().expect("no test panics while it holds the lock");
        if turn.answer == 1 {
            *last = (last.1, turn.start.game);
        }
        raise_to(if last.0 > last.1 { 20 } else { 60 }, view)
    });
    assert!(unrepeatable(&check_liar(&program)).len() > 5);
}

#[test]
fn a_bot_that_remembers_only_having_played_is_found() {
    let seen = Mutex::new(BTreeSet::new());
    let program = player::<Yahtzee>(move |turn, view| {
        let mut seen = seen.lock().expect("no test panics while it holds the lock");
        let known = turn.answer == 1 && !seen.insert(turn.start.game);
        if known { fill_first(view) } else { fill_best(view) }
    });
    let found = unrepeatable(&check_yahtzee(&program));
    assert!(found.len() > 10, "{found:?}");
}

#[test]
fn it_sits_at_every_seat_of_every_table() {
    let places = Arc::new(Mutex::new(BTreeSet::new()));
    let watcher = {
        let places = Arc::clone(&places);
        player::<LiarsDice>(move |turn, view: &liars_dice::View<'_>| {
            if turn.answer == 1 && view.counts.len() == turn.start.players {
                let mut places = places.lock().expect("no test panics while it writes");
                places.insert((turn.start.players, view.you));
            }
            raise_to(40, view)
        })
    };
    assert_eq!(check_liar(&watcher).findings, []);
    let every: BTreeSet<_> = (2..=5).flat_map(|n| (0..n).map(move |seat| (n, seat))).collect();
    assert_eq!(*places.lock().unwrap(), every);
}
