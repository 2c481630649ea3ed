//! Losses and luck-adjusted points, recomputed from the recorded games by direct formulas.

use std::collections::BTreeMap;

use dicehill_arena::{
    FigureSummary, FormatName, GameRecord, Hill, Interval, Luck, ResultDocument, StatisticsVersion,
};
use dicehill_rules::yahtzee::Yahtzee;

use crate::luck::{START, appraised};
use crate::statistics::student_quantile;
use crate::support::{Outcome, names_at, play};

/// Sums of one entrant in a sample: points, score, loss, and the five controls.
type Sample = [f64; 8];

/// The samples of an entrant by pairing: single games in a challenge, blocks in other formats.
fn samples(hill: &Hill<Yahtzee>, outcome: &Outcome<Yahtzee>, name: &str) -> Vec<Vec<Sample>> {
    let length = hill.format().games_per_block() as usize;
    let mut strata: BTreeMap<Vec<String>, Vec<Sample>> = BTreeMap::new();
    let scheduled = outcome.games.len() - outcome.document.extra_games as usize;
    for block in outcome.games[..scheduled].chunks(length) {
        let mut sample = [0.0; 8];
        for game in block {
            let Some(values) = values(hill, game, name) else { continue };
            sample.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
        let mut pairing: Vec<_> =
            names_at(hill, &block[0]).into_iter().map(str::to_owned).collect();
        pairing.sort();
        if pairing.iter().any(|other| other == name) {
            strata.entry(pairing).or_default().push(sample);
        }
    }
    strata.into_values().collect()
}

fn values(hill: &Hill<Yahtzee>, game: &GameRecord<Yahtzee>, name: &str) -> Option<Sample> {
    let own = names_at(hill, game).iter().position(|other| *other == name)?;
    let luck = |seat: usize| {
        let loss = game.appraisals[seat].loss as f64 / 1e6;
        game.results[seat].figures[0] as f64 - START + loss
    };
    let variance = |seat: usize| game.appraisals[seat].variance as f64 / 1e3;
    let others = (0..game.results.len()).filter(|seat| *seat != own);
    let (luck_of_others, variance_of_others) = others
        .fold((0.0, 0.0), |(sum, squares), seat| (sum + luck(seat), squares + variance(seat)));
    Some([
        game.results[own].points as f64,
        game.results[own].figures[0] as f64,
        game.appraisals[own].loss as f64 / 1e6,
        luck(own),
        luck_of_others,
        luck(own) * luck(own) - variance(own),
        luck(own) * luck_of_others,
        luck_of_others * luck_of_others - variance_of_others,
    ])
}

/// Deviations from the mean of the samples.
fn centred(samples: &[Sample]) -> Vec<Sample> {
    let n = samples.len() as f64;
    let mean: Sample = std::array::from_fn(|a| samples.iter().map(|s| s[a]).sum::<f64>() / n);
    samples.iter().map(|sample| std::array::from_fn(|a| sample[a] - mean[a])).collect()
}

/// The variance of the sum of a value over all samples.
fn variance_of_sum(strata: &[Vec<Sample>], value: impl Fn(&Sample) -> f64) -> f64 {
    let each = strata.iter().map(|samples| {
        let n = samples.len() as f64;
        let squares: f64 = centred(samples).iter().map(|sample| value(sample).powi(2)).sum();
        n * squares / (n - 1.0)
    });
    each.sum()
}

/// The least-squares weights of the controls, by Gaussian elimination of the normal equations.
fn weights(strata: &[Vec<Sample>]) -> [f64; 5] {
    let all: Vec<Sample> = strata.iter().flat_map(|samples| centred(samples)).collect();
    let product = |a: usize, b: usize| all.iter().map(|s| s[a] * s[b]).sum::<f64>();
    let mut rows: Vec<[f64; 6]> = (3..8)
        .map(|a| std::array::from_fn(|b| if b < 5 { product(a, b + 3) } else { product(a, 0) }))
        .collect();
    for a in 0..5 {
        let pivot = rows[a];
        for (b, row) in rows.iter_mut().enumerate().filter(|(b, _)| *b != a) {
            let factor = row[a] / pivot[a];
            assert!(factor.is_finite(), "{a} of {b} is singular");
            row.iter_mut().zip(pivot).for_each(|(value, other)| *value -= factor * other);
        }
    }
    std::array::from_fn(|a| rows[a][5] / rows[a][a])
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-7 * expected.abs().max(1e-3), "{found}, not {expected}");
}

/// The interval is Student's, as closely as its quantiles are known.
fn assert_half_width(interval: Interval, freedom: u64, se: f64) {
    let (found, expected) = (interval.half_width(), student_quantile(freedom) * se);
    assert!((found - expected).abs() <= 3e-4 * expected, "{found}, not {expected}");
}

fn check(luck: &Luck, strata: &[Vec<Sample>], length: f64) {
    let samples: Vec<_> = strata.iter().flatten().collect();
    let games = samples.len() as f64 * length;
    let mean =
        |value: &dyn Fn(&Sample) -> f64| samples.iter().map(|s| value(s)).sum::<f64>() / games;
    let se = |variance: f64| variance.sqrt() / games;
    let [plain, loss_variance] = [1, 2].map(|a| variance_of_sum(strata, |sample| sample[a]));
    close(luck.loss.expect("a loss"), mean(&|sample| sample[2]));
    close(luck.score.expect("a score"), START - mean(&|sample| sample[2]));
    close(luck.se.expect("its error"), se(loss_variance));
    let interval = luck.loss_ci95.expect("an interval");
    assert_half_width(interval, (samples.len() - strata.len()) as u64, se(loss_variance));
    close(f64::midpoint(interval.low, interval.high), mean(&|sample| sample[2]));
    let of_score = luck.score_interval().expect("an interval");
    close(of_score.low, START - interval.high);
    close(of_score.high, START - interval.low);
    close(luck.variance_ratio.expect("a ratio"), plain / loss_variance);
    let weights = weights(strata);
    let residual = |sample: &Sample| {
        let explained: f64 = weights.iter().zip(&sample[3..]).map(|(weight, x)| weight * x).sum();
        sample[0] - explained
    };
    let points = luck.points.as_ref().expect("enough samples");
    let freedom = (samples.len() - strata.len()) as f64;
    let variance = variance_of_sum(strata, residual) * freedom / (freedom - 5.0);
    assert_eq!(points.controls, 5);
    close(points.plain, mean(&|sample| sample[0]));
    close(points.adjusted, mean(&residual));
    assert_half_width(points.adjusted_ci95, freedom as u64 - 5, se(variance));
    let plain = variance_of_sum(strata, |sample| sample[0]);
    assert_half_width(points.plain_ci95, freedom as u64, se(plain));
    close(points.variance_ratio.expect("a ratio"), plain / variance);
}

#[test]
fn luck_statistics_follow_from_the_recorded_games() {
    for format in [FormatName::Challenge, FormatName::Duel, FormatName::Gauntlet] {
        let hill = appraised(format, 240);
        let outcome = play(&hill, 2);
        for row in &outcome.document.standings {
            let strata = samples(&hill, &outcome, &row.bot);
            let luck = row.luck.as_ref().expect("the run is appraised");
            check(luck, &strata, hill.format().games_per_block() as f64);
        }
    }
}

#[test]
fn documents_before_version_4_have_no_intervals_of_means() {
    let hill = appraised(FormatName::Challenge, 240).with_statistics(StatisticsVersion::Third);
    let document = play(&hill, 2).document;
    let row = &document.standings[0];
    let luck = row.luck.as_ref().expect("the run is appraised");
    assert_eq!(luck.loss_ci95, None);
    let FigureSummary::Distribution(Some(score)) = &row.figures[0].1 else {
        panic!("the first figure of Yahtzee is the score");
    };
    assert_eq!(score.ci95, None);
    // What is shown of them are normal intervals.
    let near = |interval: Option<Interval>, se: Option<f64>| {
        let half = interval.expect("an interval").half_width();
        close(half, 1.959_963_984_540_054 * se.expect("an error"));
    };
    near(luck.loss_interval(), luck.se);
    near(score.interval(), score.se);
    let text = serde_json::to_string(&document).expect("a document");
    let value: serde_json::Value = serde_json::from_str(&text).expect("a document");
    let row = &value["standings"][0];
    assert!(row["score"]["se"].is_f64() && row["score"].get("ci95").is_none(), "{text}");
    assert!(row["luck"]["se"].is_f64() && row["luck"].get("loss_ci95").is_none(), "{text}");
    let again = ResultDocument::read::<Yahtzee>(&text).expect("it is one");
    assert_eq!(serde_json::to_string(&again).expect("a document"), text);
}
