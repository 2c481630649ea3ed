//! Fits and moments, compared with a reference and with sums over all outcomes.

use std::cmp::Ordering;

use std::collections::BTreeMap;

use serde::Deserialize;

use super::*;

/// A reference fit, computed by `tests/data/ratings.py`.
#[derive(Deserialize)]
struct Vector {
    name: String,
    entrants: usize,
    games: Vec<Games>,
    strengths: Vec<f64>,
    ties: BTreeMap<usize, f64>,
}

#[derive(Deserialize)]
struct Games {
    seats: Vec<usize>,
    winners: Vec<usize>,
    count: f64,
}

impl Vector {
    /// The observations without virtual games.
    fn observations(&self) -> Observations {
        let tie_sizes: Vec<usize> = self.ties.keys().copied().collect();
        let mut tables: BTreeMap<&[usize], f64> = BTreeMap::new();
        let mut observed = vec![0.0; self.entrants + tie_sizes.len()];
        for Games { seats, winners, count } in &self.games {
            *tables.entry(seats).or_default() += count;
            winners.iter().for_each(|w| observed[*w] += count / winners.len() as f64);
            if let Ok(order) = tie_sizes.binary_search(&winners.len()) {
                observed[self.entrants + order] += count;
            }
        }
        let table_games =
            |(seats, games): (&[usize], f64)| TableGames { seats: seats.into(), games };
        let none = vec![0.0; observed.len()];
        Observations {
            tables: tables.into_iter().map(table_games).collect(),
            tie_sizes,
            observed,
            virtual_successes: none.clone(),
            virtual_failures: none,
        }
    }
}

#[test]
fn fits_agree_with_the_reference() {
    let vectors = include_str!("../../../tests/data/ratings.json");
    let vectors: Vec<Vector> = serde_json::from_str(vectors).unwrap();
    assert!(vectors.len() > 8);
    for vector in vectors {
        let observations = vector.observations();
        let fitted = observations.fit(
            &vec![0.0; observations.observed.len()],
            &mut Derivatives::new(observations.observed.len()),
        );
        let (strengths, ties) = fitted.split_at(vector.entrants);
        let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
        let found = strengths.iter().map(|strength| strength - mean).chain(ties.iter().copied());
        let expected = vector.strengths.iter().chain(vector.ties.values());
        for (found, expected) in found.zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{}: {fitted:?}", vector.name);
        }
    }
}

#[test]
fn moments_agree_with_the_sum_over_all_sets_of_winners() {
    let observations = Observations {
        tables: Vec::new(),
        tie_sizes: vec![2, 4],
        observed: vec![0.0; 6],
        virtual_successes: vec![0.0; 6],
        virtual_failures: vec![0.0; 6],
    };
    let at = [0.7, -0.2, 1.1, -2.0, -0.4, 0.3];
    let (mut moments, mut strengths) = (Moments::default(), Strengths::default());
    strengths.compute(&observations, &at);
    moments.compute(&observations.tie_sizes, &strengths, &[0, 1, 2, 3]);
    let (mut total, mut means, mut products) = (0.0, [0.0; 6], [[0.0; 6]; 6]);
    for set in 1u32..16 {
        let size = set.count_ones() as usize;
        let mut row = [0.0; 6];
        (0..4).filter(|i| set >> i & 1 == 1).for_each(|i| row[i] = 1.0 / size as f64);
        match size {
            1 => {}
            2 => row[4] = 1.0,
            4 => row[5] = 1.0,
            _ => continue,
        }
        let chance = dot(&row, &at).exp();
        total += chance;
        for a in 0..6 {
            means[a] += chance * row[a];
            (0..6).for_each(|b| products[a][b] += chance * row[a] * row[b]);
        }
    }
    for a in 0..6 {
        assert!((moments.means[a] - means[a] / total).abs() < 1e-12, "{a}");
        for (b, product) in products[a].iter().enumerate().take(a + 1) {
            let found = moments.products[a * 6 + b];
            assert!((found - product / total).abs() < 1e-12, "{a} {b}");
        }
    }
}

/// Three groups of entrants of very different strength. Each plays each other one, with weights as a resample has them.
fn wide_field(entrants: usize) -> Observations {
    let upset = |a, b| if (a + b) % 41 == 0 { 1e-4 } else { 0.0 };
    let mut observed = vec![0.0; entrants];
    let mut tables = Vec::new();
    for b in 0..entrants {
        for a in 0..b {
            let games = 0.01 + ((a * 37 + b * 101) % 97) as f64 / 20.0;
            let share = match (a % 3).cmp(&(b % 3)) {
                Ordering::Equal => ((a * 31 + b * 17) % 5) as f64 / 4.0,
                Ordering::Less => 1.0 - upset(a, b),
                Ordering::Greater => upset(a, b),
            };
            observed[a] += games * share;
            observed[b] += games * (1.0 - share);
            tables.push(TableGames { seats: vec![a, b], games });
        }
    }
    let none = vec![0.0; entrants];
    let tie_sizes = Vec::new();
    let (virtual_successes, virtual_failures) = (none.clone(), none);
    Observations { tables, tie_sizes, observed, virtual_successes, virtual_failures }
}

#[test]
fn fits_of_large_fields_reach_the_maximum_of_the_likelihood() {
    for entrants in [30, 65, 100, 150] {
        let observations = wide_field(entrants);
        let mut derivatives = Derivatives::new(entrants);
        let fitted = observations.fit(&vec![0.0; entrants], &mut derivatives);
        derivatives.compute(&observations, &fitted);
        let steepest = derivatives.gradient.iter().fold(0.0, |most: f64, one| most.max(one.abs()));
        assert!(steepest < 1e-6, "{entrants} entrants: the gradient is {steepest}");
    }
}
