//! Adjusted means of simulated games, compared with the true mean.

use super::super::random_stream::RandomStream;
use super::*;

/// Rolls per seat in a game.
const ROLLS: usize = 13;

/// Sums over games whose scores are skill plus luck: of the first seat's points, alone and with its controls.
struct Sampled {
    values: Sums,
    moments: Moments,
}

impl Sampled {
    const fn sums(&self) -> StratumSums<'_> {
        StratumSums { values: &self.values, moments: &self.moments }
    }
}

/// The sum of a seat's rolls, and the sum of their variances; the variance of a roll depends on the earlier ones.
fn walk(draws: &mut RandomStream) -> [f64; 2] {
    let mut walked = [0.0; 2];
    for _ in 0..ROLLS {
        let scale = if walked[0] > 0.0 { 12.0 } else { 15.0 };
        walked[0] += scale * draws.normal();
        walked[1] += scale * scale;
    }
    walked
}

fn sampled(draws: &mut RandomStream, samples: u64, length: u64, skills: &[f64]) -> Sampled {
    let (mut values, mut moments) = (Sums::default(), Moments::default());
    for _ in 0..samples {
        let (mut points, mut controls) = (0, Controls::default());
        for _ in 0..length {
            let walks: Vec<_> = skills.iter().map(|_| walk(draws)).collect();
            let scores: Vec<_> =
                walks.iter().zip(skills).map(|(walk, skill)| walk[0] + skill).collect();
            points += u64::from(scores[1..].iter().all(|score| scores[0] >= *score));
            let [luck, variance] = walks[0];
            let of_others =
                |stratum: usize| walks[1..].iter().map(|walk| walk[stratum]).sum::<f64>();
            let (others, spread) = (of_others(0), of_others(1));
            let game =
                [luck, others, luck * luck - variance, luck * others, others * others - spread];
            controls.iter_mut().zip(game).for_each(|(sum, control)| *sum += control);
        }
        values.add(points);
        moments.add(points as f64, &controls);
    }
    Sampled { values, moments }
}

fn adjusted(strata: &[Sampled]) -> Option<Adjusted> {
    adjust(&strata.iter().map(Sampled::sums).collect::<Vec<_>>())
}

/// The true mean, estimated from 400,000 games.
fn true_mean(skills: &[f64]) -> f64 {
    let mut draws = RandomStream::seeded_by([99]);
    let Sampled { values, .. } = sampled(&mut draws, 400_000, 1, skills);
    values.mean().expect("there are games")
}

/// Simulates 2000 runs of `strata` strata with `samples` samples each. Returns the coverage of the intervals, the bias
/// in standard errors of the mean estimate, and the mean ratio of plain to adjusted variance.
fn simulate(skills: &[f64], truth: f64, strata: u64, samples: u64, length: u64) -> [f64; 3] {
    const RUNS: u64 = 2000;
    let (mut covered, mut errors, mut squares, mut ratios) = (0, 0.0, 0.0, 0.0);
    for run in 0..RUNS {
        let mut draws = RandomStream::seeded_by([run, strata, samples, length]);
        let strata: Vec<_> =
            (0..strata).map(|_| sampled(&mut draws, samples, length, skills)).collect();
        let adjusted = adjusted(&strata).expect("there are enough samples");
        let games = strata.len() as f64 * (samples * length) as f64;
        let error = adjusted.sum / games - truth;
        covered += u64::from(error.abs() <= 1.96 * adjusted.variance.sqrt() / games);
        errors += error;
        squares += error * error;
        ratios += adjusted.plain_variance / adjusted.variance;
    }
    let runs = RUNS as f64;
    [covered as f64 / runs, errors / squares.sqrt(), ratios / runs]
}

#[test]
fn adjusted_intervals_cover_the_true_mean_and_are_narrower() {
    // A linear function of a normal difference explains 2/π of the variance of its sign's indicator.
    let even = 1.0 / (1.0 - 2.0 / std::f64::consts::PI);
    for (skills, truth, strata, samples, length, ratio) in [
        (vec![0.0, 0.0], 0.5, 1, 200, 1, even - 0.2..even + 0.2),
        (vec![0.0, 0.0], 0.5, 3, 60, 2, even - 0.2..even + 0.25),
        (vec![40.0, 0.0], true_mean(&[40.0, 0.0]), 1, 300, 1, 2.0..3.0),
        (vec![20.0, 0.0, 0.0, 10.0], true_mean(&[20.0, 0.0, 0.0, 10.0]), 1, 300, 1, 1.5..2.7),
    ] {
        let [covered, bias, found] = simulate(&skills, truth, strata, samples, length);
        println!(
            "{skills:?}, {strata} x {samples} x {length}: {covered:.4}, {bias:.2}, {found:.3}"
        );
        assert!((0.935..=0.965).contains(&covered), "{skills:?}: {covered} of the intervals");
        assert!(bias.abs() < 4.0, "{skills:?}: biased by {bias} standard errors");
        assert!(ratio.contains(&found), "{skills:?}: {found} and not {ratio:?}");
    }
}

#[test]
fn controls_independent_of_the_value_do_not_change_the_variance() {
    let (mut values, mut moments) = (Sums::default(), Moments::default());
    let mut draws = RandomStream::seeded_by([7]);
    for _ in 0..1000 {
        let value = u64::from(draws.normal() > 0.0);
        values.add(value);
        moments.add(value as f64, &std::array::from_fn(|_| draws.normal()));
    }
    let adjusted = adjust(&[StratumSums { values: &values, moments: &moments }]).expect("enough");
    let ratio = adjusted.plain_variance / adjusted.variance;
    assert!((0.99..1.02).contains(&ratio), "{ratio}");
}

#[test]
fn collinear_controls_are_left_out() {
    let mut draws = RandomStream::seeded_by([8]);
    let (mut values, mut moments, mut single_moments) =
        (Sums::default(), Moments::default(), Moments::default());
    for _ in 0..500 {
        let (luck, noise) = (draws.normal(), draws.normal());
        let value = u64::from(luck + noise > 0.0);
        values.add(value);
        // The second is minus the first, the third constant, the fourth 0, the fifth the sum of the first two.
        moments.add(value as f64, &[luck, -luck, 3.0, 0.0, luck - luck]);
        single_moments.add(value as f64, &[luck, 0.0, 0.0, 0.0, 0.0]);
    }
    let of =
        |moments: &Moments| adjust(&[StratumSums { values: &values, moments }]).expect("enough");
    let (with_collinear, single) = (of(&moments), of(&single_moments));
    assert_eq!(with_collinear.controls, 1);
    assert_eq!(with_collinear, single);
    assert!(single.variance < 0.8 * single.plain_variance);
}

#[test]
fn there_is_no_adjustment_for_too_few_samples_or_equal_values() {
    let mut draws = RandomStream::seeded_by([9]);
    assert!(adjusted(&[sampled(&mut draws, 50, 1, &[0.0, 0.0])]).is_none());
    assert!(adjusted(&[sampled(&mut draws, 51, 1, &[0.0, 0.0])]).is_some());
    let single = sampled(&mut draws, 1, 1, &[0.0, 0.0]);
    assert!(adjusted(&[sampled(&mut draws, 90, 1, &[0.0, 0.0]), single]).is_none());
    assert!(adjusted(&[sampled(&mut draws, 90, 1, &[9000.0, 0.0])]).is_none());
}

#[test]
fn a_value_that_luck_explains_entirely_has_no_variance() {
    let (mut values, mut moments) = (Sums::default(), Moments::default());
    for sample in 0..100 {
        let value = sample % 2;
        values.add(value);
        moments.add(value as f64, &[value as f64 - 0.5, 0.0, 0.0, 0.0, 0.0]);
    }
    let adjusted = adjust(&[StratumSums { values: &values, moments: &moments }]).expect("enough");
    assert_eq!((adjusted.plain, adjusted.sum, adjusted.variance), (50.0, 50.0, 0.0));
}
