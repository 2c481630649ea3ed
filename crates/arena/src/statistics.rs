//! Estimates and their intervals, from integer sums.
//!
//! Integers decide; the real numbers made here only describe. They use nothing but the four
//! operations and the square root, so that every machine gets the same bits.

use serde::{Serialize, Serializer};

/// The normal distribution's two-sided 95 % point.
const Z95: f64 = 1.959_963_984_540_054;

/// Bounds of a 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq([six_digits(self.low), six_digits(self.high)])
    }
}

/// A number rounded to six significant digits, as documents print it.
///
/// ```
/// assert_eq!(dicehill_arena::six_digits(190.872_345), 190.872);
/// assert_eq!(dicehill_arena::six_digits(2.0 / 3.0), 0.666667);
/// ```
#[must_use]
pub fn six_digits(value: f64) -> f64 {
    if value.is_finite() {
        format!("{value:.5e}").parse().expect("a number as Rust writes it")
    } else {
        value
    }
}

/// Sums of a sample's values: how many, their sum, the sum of their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) count: u64,
    pub(crate) sum: u128,
    pub(crate) squares: u128,
}

impl Sums {
    pub(crate) const fn add(&mut self, value: u64) {
        self.count += 1;
        self.sum += value as u128;
        self.squares += value as u128 * value as u128;
    }

    /// The mean; `None` of nothing.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The sample's variance, with the divisor n - 1; `None` of fewer than two values.
    pub(crate) fn variance(&self) -> Option<f64> {
        variance(self.count, self.sum as i128, self.squares)
    }
}

/// Variance of `count` values with this sum and sum of squares, with the divisor n - 1.
pub(crate) fn variance(count: u64, sum: i128, squares: u128) -> Option<f64> {
    let n = i128::from(count);
    (count > 1).then(|| (n * squares as i128 - sum * sum) as f64 / (n * (n - 1)) as f64)
}

/// Wilson's 95 % interval for a share of `wins` in `games`, as if it rested on `effective` games.
///
/// Source: E. B. Wilson, "Probable inference", JASA 22 (1927). `None` without games.
pub(crate) fn wilson(wins: u64, games: u64, effective: f64) -> Option<Interval> {
    if games == 0 {
        return None;
    }
    let rate = wins as f64 / games as f64;
    let z2 = Z95 * Z95;
    let scale = 1.0 + z2 / effective;
    let centre = (rate + z2 / (2.0 * effective)) / scale;
    let spread = rate * (1.0 - rate) / effective + z2 / (4.0 * effective * effective);
    let half = Z95 * spread.sqrt() / scale;
    // The exact bounds of the extreme shares are 0 and 1; rounding must not hide that.
    let low = if wins == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if wins == games { 1.0 } else { (centre + half).min(1.0) };
    Some(Interval { low, high })
}

/// Whether a difference can be told from zero: 95 %, two-sided.
pub(crate) fn is_significant(difference: i128, variance: f64) -> bool {
    difference != 0 && (difference as f64).abs() > Z95 * variance.max(0.0).sqrt()
}

/// Marks for `count` ranked entrants such that two share a letter exactly if they `differ` not.
///
/// Source: H.-P. Piepho, "An algorithm for a letter-based representation of all-pairwise
/// comparisons", J. Comput. Graph. Stat. 13 (2004), insertion and absorption.
pub(crate) fn letters(count: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<String> {
    let mut columns: Vec<Vec<bool>> = vec![vec![true; count]];
    for (a, b) in (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))) {
        if differ(a, b) && columns.iter().any(|column| column[a] && column[b]) {
            columns = separate(&columns, a, b);
        }
    }
    columns.sort_by_key(|column| column.iter().position(|member| *member));
    let mark = |row: usize| {
        let holds = columns.iter().enumerate().filter(|(_, column)| column[row]);
        holds.map(|(index, _)| letter(index)).collect()
    };
    (0..count).map(mark).collect()
}

/// Splits each column that holds both, and drops those that another column contains.
fn separate(columns: &[Vec<bool>], a: usize, b: usize) -> Vec<Vec<bool>> {
    let without = |column: &[bool], gone: usize| {
        let mut column = column.to_vec();
        column[gone] = false;
        column
    };
    let mut split = Vec::new();
    for column in columns {
        if column[a] && column[b] {
            split.extend([without(column, a), without(column, b)]);
        } else {
            split.push(column.clone());
        }
    }
    let contains = |large: &[bool], small: &[bool]| small.iter().zip(large).all(|(s, l)| !s || *l);
    let mut kept: Vec<Vec<bool>> = Vec::new();
    for column in split {
        if !kept.iter().any(|other| contains(other, &column)) {
            kept.retain(|other| !contains(&column, other));
            kept.push(column);
        }
    }
    kept
}

/// a to z, then a2 to z2, and so on.
fn letter(index: usize) -> String {
    let letter = char::from(b'a' + (index % 26) as u8);
    if index < 26 { letter.to_string() } else { format!("{letter}{}", index / 26 + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_meets_the_specified_example() {
        let interval = wilson(998, 1000, 1000.0).unwrap();
        assert_eq!(format!("{:.3}", interval.low), "0.993");
        assert_eq!(format!("{:.3}", interval.high), "0.999");
        assert_eq!(wilson(0, 0, 0.0), None);
        assert_eq!(wilson(0, 7, 7.3).unwrap().low, 0.0);
        assert_eq!(wilson(7, 7, 7.3).unwrap().high, 1.0);
    }

    #[test]
    fn variance_has_the_divisor_n_minus_one() {
        let mut sums = Sums::default();
        for value in [2, 4, 4, 4, 5, 5, 7, 9] {
            sums.add(value);
        }
        assert_eq!(sums.mean(), Some(5.0));
        assert_eq!(sums.variance(), Some(32.0 / 7.0));
        assert_eq!(Sums::default().variance(), None);
    }

    #[test]
    fn letters_are_shared_exactly_by_those_who_do_not_differ() {
        let differing = |pairs: &'static [(usize, usize)]| move |a, b| pairs.contains(&(a, b));
        assert_eq!(letters(3, differing(&[])), ["a", "a", "a"]);
        assert_eq!(letters(3, differing(&[(0, 1), (0, 2), (1, 2)])), ["a", "b", "c"]);
        assert_eq!(letters(3, differing(&[(0, 2)])), ["a", "ab", "b"]);
        let odd = letters(4, differing(&[(0, 2), (1, 3)]));
        for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let shared = odd[a].chars().any(|c| odd[b].contains(c));
            assert_eq!(shared, ![(0, 2), (1, 3)].contains(&(a, b)), "{odd:?} {a} {b}");
        }
    }
}
