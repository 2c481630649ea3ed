//! Simulated games whose truth is known.

use super::super::draws::Draws;
use super::*;

/// Rolls of each seat in a game.
const ROLLS: usize = 13;

/// Games whose scores are skill and luck: the first seat's points, and how they go with its controls.
struct Sampled {
    values: Sums,
    moments: Moments,
}

/// The sum of a seat's rolls, and of their variances: the variance of a roll depends on what came before.
fn walk(draws: &mut Draws) -> [f64; 2] {
    let mut walked = [0.0; 2];
    for _ in 0..ROLLS {
        let scale = if walked[0] > 0.0 { 12.0 } else { 15.0 };
        walked[0] += scale * draws.normal();
        walked[1] += scale * scale;
    }
    walked
}

fn sampled(draws: &mut Draws, samples: u64, length: u64, skills: &[f64]) -> Sampled {
    let (mut values, mut moments) = (Sums::default(), Moments::default());
    for _ in 0..samples {
        let (mut points, mut controls) = (0, Controls::default());
        for _ in 0..length {
            let walks: Vec<_> = skills.iter().map(|_| walk(draws)).collect();
            let scores: Vec<_> =
                walks.iter().zip(skills).map(|(walk, skill)| walk[0] + skill).collect();
            points += u64::from(scores[1..].iter().all(|score| scores[0] >= *score));
            let [luck, variance] = walks[0];
            let of_others = |part: usize| walks[1..].iter().map(|walk| walk[part]).sum::<f64>();
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

fn adjusted(sampled: &[Sampled]) -> Option<Adjusted> {
    let parts = sampled.iter().map(|one| Part { values: &one.values, moments: &one.moments });
    adjust(&parts.collect::<Vec<_>>())
}

/// The truth: what the plain mean comes to in very many games.
fn truth(skills: &[f64]) -> f64 {
    let mut draws = Draws::of([99]);
    let Sampled { values, .. } = sampled(&mut draws, 400_000, 1, skills);
    values.mean().expect("there are games")
}

/// How runs of `samples` each in every one of `parts` parts hold the truth: the share of intervals, the mean of
/// the estimates' errors in standard errors of that mean, the mean ratio of the variances.
fn check(skills: &[f64], truth: f64, parts: u64, samples: u64, length: u64) -> [f64; 3] {
    const RUNS: u64 = 2000;
    let (mut held, mut errors, mut squares, mut ratios) = (0, 0.0, 0.0, 0.0);
    for run in 0..RUNS {
        let mut draws = Draws::of([run, parts, samples, length]);
        let parts: Vec<_> =
            (0..parts).map(|_| sampled(&mut draws, samples, length, skills)).collect();
        let adjusted = adjusted(&parts).expect("there are enough samples");
        let games = parts.len() as f64 * (samples * length) as f64;
        let error = adjusted.sum / games - truth;
        held += u64::from(error.abs() <= 1.96 * adjusted.variance.sqrt() / games);
        errors += error;
        squares += error * error;
        ratios += adjusted.plain_variance / adjusted.variance;
    }
    let runs = RUNS as f64;
    [held as f64 / runs, errors / squares.sqrt(), ratios / runs]
}

#[test]
fn intervals_hold_the_truth_and_are_narrower() {
    // Of the indicator of a normal difference's sign, a linear function of it explains 2/π of the variance.
    let even = 1.0 / (1.0 - 2.0 / std::f64::consts::PI);
    for (skills, truth, parts, samples, length, ratio) in [
        (vec![0.0, 0.0], 0.5, 1, 200, 1, even - 0.2..even + 0.2),
        (vec![0.0, 0.0], 0.5, 3, 60, 2, even - 0.2..even + 0.25),
        (vec![40.0, 0.0], truth(&[40.0, 0.0]), 1, 300, 1, 2.0..3.0),
        (vec![20.0, 0.0, 0.0, 10.0], truth(&[20.0, 0.0, 0.0, 10.0]), 1, 300, 1, 1.5..2.7),
    ] {
        let [held, bias, found] = check(&skills, truth, parts, samples, length);
        println!("{skills:?}, {parts} x {samples} x {length}: {held:.4}, {bias:.2}, {found:.3}");
        assert!((0.935..=0.965).contains(&held), "{skills:?}: {held} of the intervals");
        assert!(bias.abs() < 4.0, "{skills:?}: biased by {bias} standard errors");
        assert!(ratio.contains(&found), "{skills:?}: {found} and not {ratio:?}");
    }
}

#[test]
fn luck_that_tells_nothing_is_taken_for_what_it_is() {
    let (mut values, mut moments) = (Sums::default(), Moments::default());
    let mut draws = Draws::of([7]);
    for _ in 0..1000 {
        let value = u64::from(draws.normal() > 0.0);
        values.add(value);
        moments.add(value as f64, &std::array::from_fn(|_| draws.normal()));
    }
    let adjusted = adjust(&[Part { values: &values, moments: &moments }]).expect("enough");
    let ratio = adjusted.plain_variance / adjusted.variance;
    assert!((0.99..1.02).contains(&ratio), "{ratio}");
}

#[test]
fn controls_that_say_nothing_new_are_left_out() {
    let mut draws = Draws::of([8]);
    let (mut values, mut moments, mut alone) =
        (Sums::default(), Moments::default(), Moments::default());
    for _ in 0..500 {
        let (luck, noise) = (draws.normal(), draws.normal());
        let value = u64::from(luck + noise > 0.0);
        values.add(value);
        // The second is the first's opposite, the third a constant, the fourth nothing, the fifth their sum.
        moments.add(value as f64, &[luck, -luck, 3.0, 0.0, luck - luck]);
        alone.add(value as f64, &[luck, 0.0, 0.0, 0.0, 0.0]);
    }
    let of = |moments: &Moments| adjust(&[Part { values: &values, moments }]).expect("enough");
    let (all, one) = (of(&moments), of(&alone));
    assert_eq!(all.controls, 1);
    assert_eq!(all, one);
    assert!(one.variance < 0.8 * one.plain_variance);
}

#[test]
fn too_few_samples_and_samples_all_alike_say_nothing() {
    let mut draws = Draws::of([9]);
    assert!(adjusted(&[sampled(&mut draws, 50, 1, &[0.0, 0.0])]).is_none());
    assert!(adjusted(&[sampled(&mut draws, 51, 1, &[0.0, 0.0])]).is_some());
    let single = sampled(&mut draws, 1, 1, &[0.0, 0.0]);
    assert!(adjusted(&[sampled(&mut draws, 90, 1, &[0.0, 0.0]), single]).is_none());
    assert!(adjusted(&[sampled(&mut draws, 90, 1, &[9000.0, 0.0])]).is_none());
}

#[test]
fn what_luck_explains_wholly_has_no_variance() {
    let (mut values, mut moments) = (Sums::default(), Moments::default());
    for sample in 0..100 {
        let value = sample % 2;
        values.add(value);
        moments.add(value as f64, &[value as f64 - 0.5, 0.0, 0.0, 0.0, 0.0]);
    }
    let adjusted = adjust(&[Part { values: &values, moments: &moments }]).expect("enough");
    assert_eq!((adjusted.plain, adjusted.sum, adjusted.variance), (50.0, 50.0, 0.0));
}
