//! Finds a new entrant's rank among entrants of known strength, in few games.

use crate::Interval;

/// Blocks per doubling of the number of ranks.
const BLOCKS_PER_DOUBLING: u64 = 8;
/// Spacing of the grid of strengths.
const STEP: f64 = 0.02;
/// How far the grid extends beyond the strongest and the weakest entrant.
const MARGIN: f64 = 6.0;
/// Strengths are clamped to this distance from the median, where the weaker side wins one in 10^8 games.
const MAX_DISTANCE: f64 = 20.0;
/// The probability on either side of a 95 % interval.
const TAIL: f64 = 0.025;

/// Finds a new entrant's rank with blocks of games against the most informative rivals.
///
/// Strengths are on the scale of Bradley and Terry (1952): an entrant of strength a is expected to get the share
/// 1 / (1 + exp(b - a)) of the points of a block against one of strength b. The posterior of the new entrant's
/// strength is computed on a grid, by Bayes' rule from a logistic prior as wide as the field. The next rival maximises
/// the information p (1 - p) divided by one plus the number of earlier meetings. So rivals are about as strong as the
/// new entrant seems to be, and they change, so that no single rival's strength decides the rank.
///
/// A placement among n entrants ends after `8 ⌈log2(n + 1)⌉` blocks, or as soon as the interval holds a single rank.
/// Everything is a function of strengths and results, with the same bits on every machine.
///
/// ```
/// use dicehill_arena::Placement;
///
/// let strengths = [0.0, 2.0, -1.0, 0.5];
/// let mut placement = Placement::new(&strengths);
/// let mut blocks = 0;
/// while let Some(rival) = placement.next_rival() {
///     // Here the two would play a block; this new entrant has the strength 0.5.
///     let share = 1.0 / (1.0 + f64::exp(strengths[rival] - 0.5));
///     placement.add_block(rival, 2, share);
///     blocks += 1;
/// }
/// let estimate = placement.estimate();
/// assert!(blocks <= 24);
/// assert!((2..=3).contains(&estimate.rank));
/// assert!(estimate.best <= estimate.rank && estimate.rank <= estimate.worst);
/// ```
#[derive(Clone, Debug)]
pub struct Placement {
    strengths: Vec<f64>,
    /// Blocks played against each rival.
    meetings: Vec<u32>,
    /// The same strengths, descending.
    ranked: Vec<f64>,
    /// The least strength on the grid.
    weakest: f64,
    /// The log-posterior of each strength on the grid, up to a constant.
    log_weights: Vec<f64>,
    blocks: u64,
}

/// An estimate of a new entrant's rank and strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacementEstimate {
    /// Its rank among all entrants including itself, from 1: one plus the number that are stronger than its median.
    pub rank: usize,
    /// The best rank of the 95 % interval.
    pub best: usize,
    /// The worst rank of the 95 % interval.
    pub worst: usize,
    /// Its strength: the median of the posterior.
    pub strength: f64,
    /// The 95 % interval of the strength.
    pub interval: Interval,
}

impl Placement {
    /// Starts the placement of a new entrant among entrants with these strengths.
    ///
    /// # Panics
    /// If a strength is not finite.
    #[must_use]
    pub fn new(strengths: &[f64]) -> Self {
        assert!(strengths.iter().all(|strength| strength.is_finite()), "a strength is a number");
        let middle = median(strengths);
        let clamp = |strength: &f64| strength.clamp(middle - MAX_DISTANCE, middle + MAX_DISTANCE);
        let strengths: Vec<f64> = strengths.iter().map(clamp).collect();
        let mut ranked = strengths.clone();
        ranked.sort_by(|a, b| b.total_cmp(a));
        let weakest = ranked.last().unwrap_or(&middle) - MARGIN;
        let strongest = ranked.first().unwrap_or(&middle) + MARGIN;
        let scale = standard_deviation(&strengths).max(1.0);
        let steps = ((strongest - weakest) / STEP) as usize;
        let prior = |step: usize| {
            let deviation = (weakest + step as f64 * STEP - middle) / scale;
            -deviation - 2.0 * libm::log1p(libm::exp(-deviation))
        };
        let log_weights = (0..=steps).map(prior).collect();
        let meetings = vec![0; strengths.len()];
        Self { strengths, meetings, ranked, weakest, log_weights, blocks: 0 }
    }

    /// The most blocks that this placement takes.
    #[must_use]
    pub fn max_blocks(&self) -> u64 {
        Self::max_blocks_among(self.strengths.len())
    }

    /// The most blocks that a placement among this many entrants takes.
    pub(crate) const fn max_blocks_among(entrants: usize) -> u64 {
        BLOCKS_PER_DOUBLING * (entrants as u64 + 1).next_power_of_two().ilog2() as u64
    }

    /// The next rival, as the index of its strength; `None` when the placement is complete.
    #[must_use]
    pub fn next_rival(&self) -> Option<usize> {
        if self.blocks >= self.max_blocks() {
            return None;
        }
        let estimate = self.estimate();
        if estimate.best == estimate.worst {
            return None;
        }
        let information = |rival: &usize| {
            let share = expected_share(estimate.strength, self.strengths[*rival]);
            share * (1.0 - share) / f64::from(1 + self.meetings[*rival])
        };
        let by_information =
            |a: &usize, b: &usize| information(a).total_cmp(&information(b)).then(b.cmp(a));
        (0..self.strengths.len()).max_by(by_information)
    }

    /// Adds a block of `games` games against a rival. `share` is the new entrant's share of the points of both, 0 to 1.
    ///
    /// # Panics
    /// If there is no such rival, or the share is out of range.
    pub fn add_block(&mut self, rival: usize, games: u32, share: f64) {
        assert!((0.0..=1.0).contains(&share), "{share} is no share");
        let won = f64::from(games) * share;
        for (step, log_weight) in self.log_weights.iter_mut().enumerate() {
            let ahead = self.weakest + step as f64 * STEP - self.strengths[rival];
            // The logarithms of p and of 1 - p = p exp(-ahead).
            let log_share = -libm::log1p(libm::exp(-ahead));
            *log_weight += f64::from(games) * log_share - (f64::from(games) - won) * ahead;
        }
        self.meetings[rival] += 1;
        self.blocks += 1;
    }

    /// The estimate from the blocks so far.
    #[must_use]
    pub fn estimate(&self) -> PlacementEstimate {
        let [low, strength, high] = self.quantiles([TAIL, 0.5, 1.0 - TAIL]);
        let rank = |strength: f64| 1 + self.ranked.partition_point(|other| *other > strength);
        PlacementEstimate {
            rank: rank(strength),
            best: rank(high),
            worst: rank(low),
            strength,
            interval: Interval { low, high },
        }
    }

    /// The quantiles of the posterior at these shares, which ascend.
    fn quantiles<const N: usize>(&self, shares: [f64; N]) -> [f64; N] {
        let most = self.log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = self.log_weights.iter().map(|w| libm::exp(w - most)).collect();
        let total: f64 = weights.iter().sum();
        let (mut below, mut step) = (0.0, 0);
        shares.map(|share| {
            while step + 1 < weights.len() && below + weights[step] < share * total {
                below += weights[step];
                step += 1;
            }
            self.weakest + step as f64 * STEP
        })
    }
}

fn expected_share(own: f64, other: f64) -> f64 {
    1.0 / (1.0 + libm::exp(other - own))
}

/// The upper median; 0 without strengths.
fn median(strengths: &[f64]) -> f64 {
    let mut sorted = strengths.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The standard deviation; 0 without strengths.
fn standard_deviation(strengths: &[f64]) -> f64 {
    let count = strengths.len().max(1) as f64;
    let mean = strengths.iter().sum::<f64>() / count;
    (strengths.iter().map(|strength| (strength - mean) * (strength - mean)).sum::<f64>() / count)
        .sqrt()
}
