//! What scores optimal play comes to, and how often.
//!
//! # Method
//!
//! All games are played at once, turn by turn. A position has the chance that a game comes to it with each number
//! of points and of bonuses for further Yahtzees. In each position that is played,
//!
//! 1. the turn is solved as [`Turn`](super::Turn) solves it;
//! 2. the first rolls go to the parts that are kept, and these to the hands that they become, twice: the
//!    steps of the solver, backwards. Five dice that are kept end the turn;
//! 3. the last rolls go to the boxes that [`Solution::best_fill`](super::Solution::best_fill) names, and rolls that fill the same box with the same
//!    score are one move;
//! 4. each move carries the chances of its position, shifted by what it scores, to the next one.
//!
//! Chances far below what a number beside 1 can show are left out on the way: those of scores above
//! 10^-18 are right to eight digits, and the least and the most score are found apart, from all of them. Every sum has its
//! order, and no operations are fused, so that every machine and any number of threads come to the same bits.

mod outcomes;
mod playout;
mod roll_flow;
mod score_mass;
mod transition;
mod transitions;

use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::yahtzee::distribution::score_mass::BONUSES;

/// Scores that a game may end with, from 0 to 1575, and more.
const SCORES: usize = 1600;
/// What a box may hold, from 0 to 50.
const BOX_SCORES: usize = 51;

/// How likely the optimal player ends with each score.
#[derive(Clone, Debug)]
pub struct Distribution {
    free: CategorySet,
    lowest: u16,
    highest: u16,
    chances: Vec<f64>,
    /// By box and what it holds.
    boxes: [[f64; BOX_SCORES]; 13],
    upper_bonus: f64,
    yahtzee_bonuses: [f64; BONUSES],
}

/// What comes of a box.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoxResult {
    /// The mean of what it holds at the end.
    pub mean: f64,
    /// The probability that it holds 0.
    pub zero: f64,
    /// The probability that it holds [`BoxResult::most`].
    pub full: f64,
    /// The most that it may hold: five of its face, 25, 30, 40, 50; 30 where it scores the sum of the dice.
    pub most: u8,
}

impl Distribution {
    fn nothing(free: CategorySet) -> Self {
        Self {
            free,
            lowest: u16::MAX,
            highest: 0,
            chances: vec![0.0; SCORES],
            boxes: [[0.0; BOX_SCORES]; 13],
            upper_bonus: 0.0,
            yahtzee_bonuses: [0.0; BONUSES],
        }
    }

    /// The probability of a score.
    #[must_use]
    pub fn chance(&self, score: u32) -> f64 {
        self.chances.get(score as usize).copied().unwrap_or(0.0)
    }

    /// The scores from [`Distribution::lowest`] to [`Distribution::highest`] with their probabilities.
    pub fn scores(&self) -> impl Iterator<Item = (u32, f64)> + Clone {
        (self.lowest()..=self.highest()).map(|score| (score, self.chance(score)))
    }

    /// The sum of all probabilities: 1, but for rounding.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.chances.iter().sum()
    }

    /// The least score that has a positive probability, however small.
    #[must_use]
    pub fn lowest(&self) -> u32 {
        u32::from(self.lowest)
    }

    /// The highest score that has a positive probability, however small.
    #[must_use]
    pub fn highest(&self) -> u32 {
        u32::from(self.highest)
    }

    /// The mean score.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum(|score| score)
    }

    /// The variance of the score.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.sum(|score| (score - mean) * (score - mean))
    }

    /// The standard deviation of the score.
    #[must_use]
    pub fn standard_deviation(&self) -> f64 {
        self.variance().sqrt()
    }

    /// The skewness of the score: its third central moment by the third power of its standard deviation.
    #[must_use]
    pub fn skewness(&self) -> f64 {
        let (mean, variance) = (self.mean(), self.variance());
        let third = self.sum(|score| (score - mean) * (score - mean) * (score - mean));
        third / (variance * variance.sqrt())
    }

    /// The least score that the game ends with, or with less, in at least this share of games.
    ///
    /// # Panics
    /// If the share is not between 0 and 1.
    #[must_use]
    pub fn percentile(&self, share: f64) -> u32 {
        assert!((0.0..=1.0).contains(&share), "a share of games");
        let mut sum = 0.0;
        let reached = self.scores().find(|(_, chance)| {
            sum += chance;
            sum >= share && sum > 0.0
        });
        reached.map_or(self.highest(), |(score, _)| score)
    }

    /// The probability of this score or more.
    #[must_use]
    pub fn at_least(&self, score: u32) -> f64 {
        self.chances.iter().skip(score as usize).rev().sum()
    }

    /// What comes of a box; `None` if it was not free at the beginning.
    #[must_use]
    pub fn category(&self, category: Category) -> Option<BoxResult> {
        if !self.free.contains(category) {
            return None;
        }
        let chances = &self.boxes[category.index()];
        let scored = (0u8..).zip(chances).map(|(score, chance)| f64::from(score) * chance);
        let most = outcomes::most(category);
        let (zero, full) = (chances[0], chances[usize::from(most)]);
        Some(BoxResult { mean: scored.sum(), zero, full, most })
    }

    /// The probability that the upper boxes hold 63 or more at the end.
    #[must_use]
    pub fn upper_bonus(&self) -> f64 {
        self.upper_bonus
    }

    /// The probabilities of 0, 1, 2 and more bonuses for further Yahtzees, up to 12.
    #[must_use]
    pub fn yahtzee_bonuses(&self) -> &[f64] {
        &self.yahtzee_bonuses
    }

    fn sum(&self, value: impl Fn(f64) -> f64) -> f64 {
        (0u16..).zip(&self.chances).map(|(score, chance)| value(f64::from(score)) * chance).sum()
    }
}
