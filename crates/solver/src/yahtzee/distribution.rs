//! The exact distribution of optimal scores.
//!
//! # Method
//!
//! All games of the optimal player are played at once, turn by turn. Every reachable position has
//! the probability that a game reaches it with each number of points and of bonuses for further
//! Yahtzees. In each of these positions,
//!
//! 1. the turn is solved as by [`Turn`](super::Turn);
//! 2. the probabilities of the first rolls move to the dice that are kept, and from there to the
//!    hands that they become, twice: the solver's steps in reverse. Keeping five dice ends the
//!    turn;
//! 3. the last rolls move to the boxes of [`Solution::best_fill`](super::Solution::best_fill);
//!    rolls that fill the same box with the same score are one transition;
//! 4. each transition adds the probabilities of its position, shifted by the points it scores, to
//!    the next position.
//!
//! Negligible probabilities are dropped on the way: probabilities above 10^-18 are accurate to
//! eight digits, and the lowest and the highest score are tracked separately over all of them.
//! Every sum has a fixed order and no operations are fused, so all machines and any number of
//! threads get the same bits.

mod outcomes;
mod playout;
mod roll_flow;
mod score_mass;
mod transition;
mod transitions;

use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::yahtzee::distribution::score_mass::BONUSES;

/// Array length for final scores, which are 0 to 1575.
const SCORES: usize = 1600;
/// Array length for scores of a box, which are 0 to 50.
const BOX_SCORES: usize = 51;

/// The probability of each final score of the optimal player.
///
/// ```no_run
/// use std::num::NonZero;
///
/// use dicehill_solver::yahtzee::{Distribution, Solution, Variant};
///
/// let solution = Solution::shared(Variant::Official);
/// let scores = Distribution::new(solution, NonZero::<usize>::MIN);
/// assert!((scores.mean() - solution.start()).abs() < 1e-9);
/// assert_eq!(scores.percentile(0.5), 248);
/// ```
#[derive(Clone, Debug)]
pub struct Distribution {
    free: CategorySet,
    lowest: u16,
    highest: u16,
    chances: Vec<f64>,
    /// By box and its score.
    boxes: [[f64; BOX_SCORES]; 13],
    upper_bonus: f64,
    yahtzee_bonuses: [f64; BONUSES],
}

/// The distribution of a box's score, in short.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoxResult {
    /// The mean of its final score.
    pub mean: f64,
    /// The probability of 0.
    pub zero: f64,
    /// The probability of [`BoxResult::most`].
    pub full: f64,
    /// The highest possible score: five times its face, 25, 30, 40 or 50; 30 where it scores the
    /// sum of the dice.
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

    /// The probability of a final score.
    #[must_use]
    pub fn chance(&self, score: u32) -> f64 {
        self.chances.get(score as usize).copied().unwrap_or(0.0)
    }

    /// All scores from [`Distribution::lowest`] to [`Distribution::highest`] with their
    /// probabilities.
    pub fn scores(&self) -> impl Iterator<Item = (u32, f64)> + Clone {
        (self.lowest()..=self.highest()).map(|score| (score, self.chance(score)))
    }

    /// The sum of all probabilities, 1 up to rounding.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.chances.iter().sum()
    }

    /// The lowest score with a positive probability, however small.
    #[must_use]
    pub fn lowest(&self) -> u32 {
        u32::from(self.lowest)
    }

    /// The highest score with a positive probability, however small.
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

    /// The skewness of the score: the third central moment divided by the cube of the standard
    /// deviation.
    #[must_use]
    pub fn skewness(&self) -> f64 {
        let (mean, variance) = (self.mean(), self.variance());
        let third = self.sum(|score| (score - mean) * (score - mean) * (score - mean));
        third / (variance * variance.sqrt())
    }

    /// The lowest score whose cumulative probability is at least `share`.
    ///
    /// # Panics
    /// If `share` is not between 0 and 1.
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

    /// The probability of at least this score.
    #[must_use]
    pub fn at_least(&self, score: u32) -> f64 {
        self.chances.iter().skip(score as usize).rev().sum()
    }

    /// The distribution of a box's score; `None` if the box was not free at the start.
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

    /// The probability of the upper bonus: 63 or more in the upper boxes.
    #[must_use]
    pub fn upper_bonus(&self) -> f64 {
        self.upper_bonus
    }

    /// The probabilities of 0 to 12 bonuses for further Yahtzees.
    #[must_use]
    pub fn yahtzee_bonuses(&self) -> &[f64] {
        &self.yahtzee_bonuses
    }

    fn sum(&self, value: impl Fn(f64) -> f64) -> f64 {
        (0u16..).zip(&self.chances).map(|(score, chance)| value(f64::from(score)) * chance).sum()
    }
}
