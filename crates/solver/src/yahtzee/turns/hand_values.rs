//! The values of all hands in several positions at once, from the last roll of a turn back to the
//! first.

use std::ops::{Add, Mul};

use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::hand_tables::{HandParts, HandTables, HandsByFaces, TABLES, UP_TO_THREE};

/// A floating-point number.
pub(crate) trait Float: Copy + PartialOrd + Add<Output = Self> + Mul<Output = Self> {
    const ZERO: Self;
    /// Below every value.
    const LEAST: Self;
    const SIXTH: Self;
    /// The probability of one ordered roll of five dice.
    const EACH_ROLL: Self;

    fn of_ways(ways: u16) -> Self;
}

impl Float for f64 {
    const ZERO: Self = 0.0;
    const LEAST: Self = Self::MIN;
    const SIXTH: Self = 1.0 / 6.0;
    const EACH_ROLL: Self = 1.0 / 7776.0;

    #[inline(always)]
    fn of_ways(ways: u16) -> Self {
        Self::from(ways)
    }
}

impl Float for f32 {
    const ZERO: Self = 0.0;
    const LEAST: Self = Self::MIN;
    const SIXTH: Self = 1.0 / 6.0;
    const EACH_ROLL: Self = 1.0 / 7776.0;

    #[inline(always)]
    fn of_ways(ways: u16) -> Self {
        Self::from(ways)
    }
}

/// A value for each position.
pub(crate) type Lanes<const N: usize, T = f64> = [T; N];

/// The value of every hand in each of `N` positions. Bytes are valid indices.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct HandValues<const N: usize, T = f64> {
    pub(crate) partial: [Lanes<N, T>; 256],
    pub(crate) rolls: [Lanes<N, T>; 256],
}

impl<const N: usize, T: Float> HandValues<N, T> {
    pub(crate) const fn new() -> Self {
        Self { partial: [[T::ZERO; N]; 256], rolls: [[T::ZERO; N]; 256] }
    }

    /// From the values of rolls to those of keeping each partial hand: the mean over the next die.
    #[inline(always)]
    pub(crate) fn average(&mut self, tables: &HandTables) {
        for (hand, grown) in tables.grown_rolls.iter().enumerate() {
            self.partial[UP_TO_THREE + hand] =
                mean(grown.map(|roll| self.rolls[usize::from(roll)]));
        }
        for (hand, grown) in tables.grown_partial.iter().enumerate().rev() {
            self.partial[hand] = mean(grown.map(|hand| self.partial[usize::from(hand)]));
        }
    }

    /// From the values of keeping each hand to those of its best keep.
    #[inline(always)]
    pub(crate) fn take_best(&mut self, tables: &HandTables) {
        let Self { partial, rolls } = self;
        for HandsByFaces { one, two, three, four, five: _ } in &tables.partial_by_faces {
            best_of_partial(partial, one);
            best_of_partial(partial, two);
            best_of_partial(partial, three);
            best_of_partial(partial, four);
        }
        let HandsByFaces { one, two, three, four, five } = &tables.rolls_by_faces;
        best_of_rolls(rolls, partial, one);
        best_of_rolls(rolls, partial, two);
        best_of_rolls(rolls, partial, three);
        best_of_rolls(rolls, partial, four);
        best_of_rolls(rolls, partial, five);
    }

    /// The mean over all rolls of five dice.
    #[inline(always)]
    pub(crate) fn first_roll(&self, tables: &HandTables) -> Lanes<N, T> {
        self.mean_of_rolls(tables, |value| value)
    }

    /// The mean of the squares over all rolls of five dice.
    #[inline(always)]
    pub(crate) fn first_roll_squared(&self, tables: &HandTables) -> Lanes<N, T> {
        self.mean_of_rolls(tables, |value| value * value)
    }

    #[inline(always)]
    fn mean_of_rolls(&self, tables: &HandTables, of: impl Fn(T) -> T) -> Lanes<N, T> {
        let mut sums = [[T::ZERO; N]; 4];
        let [a, b, c, d] = &mut sums;
        let (ways, _) = tables.ways.as_chunks::<4>();
        let (rolls, _) = self.rolls.as_chunks::<4>();
        for (ways, rolls) in ways.iter().zip(rolls) {
            for (lane, sum) in a.iter_mut().enumerate() {
                *sum = *sum + T::of_ways(ways[0]) * of(rolls[0][lane]);
            }
            for (lane, sum) in b.iter_mut().enumerate() {
                *sum = *sum + T::of_ways(ways[1]) * of(rolls[1][lane]);
            }
            for (lane, sum) in c.iter_mut().enumerate() {
                *sum = *sum + T::of_ways(ways[2]) * of(rolls[2][lane]);
            }
            for (lane, sum) in d.iter_mut().enumerate() {
                *sum = *sum + T::of_ways(ways[3]) * of(rolls[3][lane]);
            }
        }
        let mut mean = [T::ZERO; N];
        for lane in 0..N {
            mean[lane] = ((a[lane] + b[lane]) + (c[lane] + d[lane])) * T::EACH_ROLL;
        }
        mean
    }

    /// The value of a hand in one position.
    #[inline(always)]
    pub(crate) fn in_lane(&self, hand: Hand, lane: usize) -> T {
        match hand.roll_index() {
            Some(roll) => self.rolls[roll][lane],
            None => self.partial[hand.index()][lane],
        }
    }
}

impl<const N: usize> HandValues<N> {
    /// The value of the best keep from a roll in one position; the values are those of keeps.
    #[inline(always)]
    pub(crate) fn best_in_lane(&self, roll: Hand, lane: usize) -> f64 {
        let all = roll.roll_index().expect("five dice");
        let parts = TABLES.parts[all].iter();
        let best = |best: f64, part: &u8| best.max(self.partial[usize::from(*part)][lane]);
        parts.fold(self.rolls[all][lane], best)
    }

    /// The mean square of the values of the rolls after keeping a hand, in one position.
    #[inline(always)]
    pub(crate) fn mean_square_in_lane(&self, kept: Hand, lane: usize) -> f64 {
        let square = |roll: usize| self.rolls[roll][lane] * self.rolls[roll][lane];
        match kept.roll_index() {
            Some(roll) => square(roll),
            None => {
                let completions = TABLES.completions[kept.index()].iter();
                completions.map(|(roll, share)| share * square(usize::from(*roll))).sum()
            }
        }
    }
}

#[inline(always)]
fn best_of_partial<const N: usize, const D: usize, T: Float>(
    values: &mut [Lanes<N, T>; 256],
    hands: &[HandParts<D>],
) {
    for HandParts { hand, smaller } in hands {
        let parts = smaller.map(|part| values[usize::from(part)]);
        values[usize::from(*hand)] = parts.into_iter().fold(values[usize::from(*hand)], max);
    }
}

#[inline(always)]
fn best_of_rolls<const N: usize, const D: usize, T: Float>(
    rolls: &mut [Lanes<N, T>; 256],
    partial: &[Lanes<N, T>; 256],
    hands: &[HandParts<D>],
) {
    for HandParts { hand, smaller } in hands {
        let parts = smaller.map(|part| partial[usize::from(part)]);
        rolls[usize::from(*hand)] = parts.into_iter().fold(rolls[usize::from(*hand)], max);
    }
}

#[inline(always)]
pub(crate) fn max<const N: usize, T: Float>(a: Lanes<N, T>, b: Lanes<N, T>) -> Lanes<N, T> {
    let mut greater = a;
    for (a, b) in greater.iter_mut().zip(b) {
        *a = if b > *a { b } else { *a };
    }
    greater
}

#[inline(always)]
fn mean<const N: usize, T: Float>([a, b, c, d, e, f]: [Lanes<N, T>; 6]) -> Lanes<N, T> {
    let mut mean = a;
    for lane in 0..N {
        let sum = (a[lane] + b[lane]) + (c[lane] + d[lane]) + (e[lane] + f[lane]);
        mean[lane] = sum * T::SIXTH;
    }
    mean
}
