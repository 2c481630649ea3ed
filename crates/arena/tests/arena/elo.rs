//! Ratings on the scale of mean strength: how often their intervals hold the truth, and what moves them.

use dicehill_arena::{
    Bounds, EloRating, FormatName, Hill, HillDraft, ResultDocument, StatisticsVersion,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;

use crate::ratings::{all_games, document_of, row};
use crate::simulated_ratings::{Coverage, NEVER, SimulatedField};
use crate::support::{Bots, best_box, draft, hill, raiser};

const NAMES: [&str; 5] = ["A", "B", "C", "D", "E"];

/// A hill whose bots never play, because the results are invented.
fn idle_hill(entrants: usize, format: FormatName, games: i64) -> Hill<Yahtzee> {
    let bots: Bots<Yahtzee> = NAMES[..entrants].iter().map(|name| (*name, best_box())).collect();
    hill(HillDraft { format, games, ..draft(&bots) })
}

fn elo(document: &ResultDocument, name: &str) -> EloRating {
    row(document, name).elo.expect("a rating")
}

/// Checks that over many runs the intervals and bounds of each entrant hold its rating in 92 to 99 %: 95 %, give or take
/// what 400 runs vary by. The bound of an entrant that never wins always holds.
fn check_coverage(field: &SimulatedField) {
    const RUNS: u64 = 400;
    let hill = idle_hill(field.strengths.len(), field.format, field.games);
    let coverage = Coverage::of((0..RUNS).map(|run| {
        let [_, elo] = field.play(&hill, run);
        elo
    }));
    for (index, strength) in field.strengths.iter().enumerate() {
        let range = if *strength == NEVER { 1.0..=1.0 } else { 0.92..=0.99 };
        let share = coverage.share(index).expect("a rating");
        assert!(range.contains(&share), "{}, {strength}: {coverage:?}", field.name);
        assert_eq!(u64::from(coverage.runs[index]), RUNS, "{}, {strength}", field.name);
    }
}

#[test]
fn intervals_hold_the_truth_beside_entrants_that_never_win() {
    check_coverage(&SimulatedField {
        name: "challenge with two that never win",
        format: FormatName::Challenge,
        games: 100,
        strengths: vec![1.7, 0.0, NEVER, NEVER],
        tie: 0.0,
    });
    check_coverage(&SimulatedField {
        name: "duels with one that never wins",
        format: FormatName::Duel,
        games: 60,
        strengths: vec![0.6, 0.0, -0.6, NEVER],
        tie: 0.0,
    });
}

#[test]
fn intervals_hold_the_truth_where_ties_are_frequent() {
    check_coverage(&SimulatedField {
        name: "challenge with ties",
        format: FormatName::Challenge,
        games: 100,
        strengths: vec![0.5, 0.0, -0.5],
        tie: 0.7,
    });
    check_coverage(&SimulatedField {
        name: "duels with ties",
        format: FormatName::Duel,
        games: 60,
        strengths: vec![0.5, -0.5],
        tie: 2.0,
    });
}

#[test]
fn intervals_hold_the_truth_of_many_entrants_at_small_tables() {
    const RUNS: u64 = 24;
    let strengths: Vec<f64> =
        [1.6, -0.5, -1.5, -2.5, -2.5, -9.5].into_iter().flat_map(|one| [one; 5]).collect();
    let names: Vec<&'static str> = (0..30).map(|index| &*format!("bot-{index}").leak()).collect();
    let bots: Bots<LiarsDice> = names.iter().map(|name| (*name, raiser(100))).collect();
    let hill = hill(HillDraft { games: 200, ..draft(&bots) });
    let field = SimulatedField {
        name: "30 at tables of three to five",
        format: FormatName::Challenge,
        games: 200,
        strengths,
        tie: 0.0,
    };
    let coverage = Coverage::of((0..RUNS).map(|run| field.play_for_elo(&hill, run)));
    // The last five win so rarely that most of their intervals are bounds.
    let [held, runs] = [coverage.held, coverage.runs].map(|of| of[..25].iter().sum::<u32>());
    let share = f64::from(held) / f64::from(runs);
    assert!(runs > 550 && (0.93..=0.97).contains(&share), "{share} of {runs}");
}

/// A run of a challenge; in game i the entrant `winners[i]` wins.
fn won_by(entrants: usize, winners: &[usize]) -> ResultDocument {
    let hill = idle_hill(entrants, FormatName::Challenge, winners.len() as i64);
    document_of(&hill, 1..=winners.len() as u64, |fixture| {
        let winner = winners[fixture.game as usize - 1];
        fixture.seats.iter().map(|id| id.index() == winner).collect()
    })
}

#[test]
fn an_entrant_that_never_won_has_an_upper_bound_and_one_that_always_won_a_lower_one() {
    let document = won_by(3, &[0; 30]);
    // A chance that misses 30 times with 5 %: that of winning is at most this, and of the winner at least the rest.
    let chance = 1.0 - 0.05f64.powf(1.0 / 30.0);
    let points = |share: f64| 400.0 * (3.0 * share).log10();
    let near = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-6;
    let EloRating { value, ci95: Some(Bounds { low, high }) } = elo(&document, "A") else {
        panic!("a bound")
    };
    assert!(value.is_none() && high.is_none() && near(low, points(1.0 - chance)), "{low:?}");
    for name in ["B", "C"] {
        let EloRating { value, ci95: Some(Bounds { low, high }) } = elo(&document, name) else {
            panic!("a bound")
        };
        assert!(value.is_none() && low.is_none() && near(high, points(chance)), "{high:?}");
    }
}

#[test]
fn entrants_that_never_win_do_not_move_the_differences_of_the_others() {
    let games: Vec<usize> = (0..60).map(|game| if game % 4 == 0 { 1 } else { 0 }).collect();
    let difference = |entrants| {
        let document = won_by(entrants, &games);
        let of = |name| elo(&document, name).value.expect("a rating");
        of("A") - of("B")
    };
    let [two, five] = [2, 5].map(difference);
    assert!((two - five).abs() < 1e-6, "{two} {five}");
    // 45 won games and 15, to which half a game is added.
    assert!((two - 400.0 * (45.5f64 / 15.5).log10()).abs() < 1e-6, "{two}");
}

#[test]
fn a_document_of_the_first_version_has_no_such_ratings() {
    let first = idle_hill(2, FormatName::Duel, 8).with_statistics(StatisticsVersion::First);
    let second = idle_hill(2, FormatName::Duel, 8);
    let documents = [first, second].map(|hill| {
        let document = document_of(&hill, all_games(&hill), |fixture| {
            fixture.seats.iter().map(|id| (fixture.game % 3 == 0) == (id.index() == 0)).collect()
        });
        serde_json::to_value(document).expect("a document")
    });
    let [first, second] = &documents;
    assert_eq!(
        (&first["statistics"], &second["statistics"]),
        (&serde_json::Value::Null, &5.into())
    );
    for key in ["elo", "elo_ci95"] {
        assert!(first["standings"][0].get(key).is_none(), "{first}");
        assert!(second["standings"][0].get(key).is_some(), "{second}");
    }
    assert_eq!(first["standings"][0]["rating_ci95"], second["standings"][0]["rating_ci95"]);
    let low = |document: &serde_json::Value| document["standings"][0]["win_rate_ci95"][0].as_f64();
    assert!(low(second) < low(first), "{first} {second}");
}

#[test]
fn duels_of_more_than_64_entrants_leave_out_pairs_unless_their_version_is_the_first() {
    let names: Vec<&'static str> = (0..65).map(|index| &*format!("bot-{index}").leak()).collect();
    let bots: Bots<Yahtzee> = names.iter().map(|name| (*name, best_box())).collect();
    let document = |entrants: usize, version| {
        let bots = bots[..entrants].to_vec();
        let draft = HillDraft { format: FormatName::Duel, games: 2, ..draft(&bots) };
        // A single block, so that nothing is resampled.
        document_of(&hill(draft).with_statistics(version), 1..=2, |fixture| {
            fixture.seats.iter().map(|id| id.index() == 0).collect()
        })
    };
    let large = document(65, StatisticsVersion::Fifth);
    assert_eq!(large.left_out, ["pairings", "head_to_head"]);
    assert!(large.pairings.is_empty() && large.head_to_head.is_empty());
    let small = document(64, StatisticsVersion::Fifth);
    assert!(small.left_out.is_empty() && small.pairings.len() == 64 * 63 / 2);
    let first = document(65, StatisticsVersion::First);
    assert!(first.left_out.is_empty() && first.pairings.len() == 65 * 64 / 2);
}

#[test]
fn a_few_games_with_the_same_winner_leave_a_doubt() {
    // By Student's distribution, after the two samples that are added.
    for (games, expected) in [(2, 0.8045), (5, 0.9767), (9, 0.9994)] {
        let best = |version| {
            let hill = idle_hill(2, FormatName::Challenge, games).with_statistics(version);
            let document = document_of(&hill, all_games(&hill), |fixture| {
                fixture.seats.iter().map(|id| id.index() == 0).collect()
            });
            let [a, b] = ["A", "B"].map(|name| row(&document, name).best.expect("a probability"));
            assert!((a + b - 1.0).abs() < 1e-9, "{a} {b}");
            a
        };
        let found = best(StatisticsVersion::Fifth);
        assert!((found - expected).abs() < 0.01, "{games}: {found}");
        assert!(best(StatisticsVersion::Third) > found, "{games}");
    }
}
