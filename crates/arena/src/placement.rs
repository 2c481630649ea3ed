//! Where a newcomer stands among entrants whose strengths are known, in few games.

use crate::Interval;

/// Blocks that a placement takes for each time that the entrants, and one more, are doubled.
const BLOCKS_A_DOUBLING: u64 = 8;
/// Steps of the grid on which strengths are weighed.
const STEP: f64 = 0.02;
/// How far beyond the strongest and weakest entrant a newcomer may be.
const BEYOND: f64 = 6.0;
/// Strengths further apart than this from the median are taken to be this far: who is so much stronger
/// wins but once in 10^8 games.
const FARTHEST: f64 = 20.0;
/// What is left out on either side of an interval of 95 %.
const TAIL: f64 = 0.025;

/// Finds a newcomer's rank by playing whoever teaches most, in blocks of games.
///
/// Strengths are on the scale of Bradley and Terry (1952): of the points of a block between two, the one
/// with strength a is expected to get the share 1 / (1 + exp(b - a)). What is known of the newcomer's is
/// weighed on a grid, by Bayes' rule from a logistic prior as wide as the field. It always plays whoever has the
/// largest information p (1 - p) for each time that they met before: somebody about as strong as it
/// seems to be, and not always the same, so that no single rival's strength decides the rank.
///
/// It ends after `8 ⌈log2(n + 1)⌉` blocks among n entrants, or as soon as only one rank is left in the
/// interval. Everything is a function of strengths and results, with the same bits on every machine.
///
/// ```
/// use dicehill_arena::Placement;
///
/// let strengths = [0.0, 2.0, -1.0, 0.5];
/// let mut placement = Placement::new(&strengths);
/// let mut blocks = 0;
/// while let Some(rival) = placement.next_rival() {
///     // Here the two would play a block; this newcomer shares its points with whoever has 0.5.
///     let share = 1.0 / (1.0 + f64::exp(strengths[rival] - 0.5));
///     placement.add(rival, 2, share);
///     blocks += 1;
/// }
/// let standing = placement.standing();
/// assert!(blocks <= 24);
/// assert!((2..=3).contains(&standing.rank));
/// assert!(standing.best <= standing.rank && standing.rank <= standing.worst);
/// ```
#[derive(Clone, Debug)]
pub struct Placement {
    strengths: Vec<f64>,
    /// How often each rival has been met.
    met: Vec<u32>,
    /// The same strengths, descending.
    ranked: Vec<f64>,
    /// The least strength on the grid.
    weakest: f64,
    /// The logarithm of the weight of each strength on the grid, but for a constant.
    weights: Vec<f64>,
    blocks: u64,
}

/// Where a newcomer stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedAt {
    /// Its rank among the entrants and itself, from 1: as many are stronger than its median strength, and one.
    pub rank: usize,
    /// The best rank of the 95 % interval.
    pub best: usize,
    /// The worst rank of the interval.
    pub worst: usize,
    /// Its strength: the median of what it may be.
    pub strength: f64,
    /// The 95 % interval of the strength.
    pub interval: Interval,
}

impl Placement {
    /// A newcomer of whom nothing is known, among entrants with these strengths.
    ///
    /// # Panics
    /// If a strength is not finite.
    #[must_use]
    pub fn new(strengths: &[f64]) -> Self {
        assert!(strengths.iter().all(|strength| strength.is_finite()), "a strength is a number");
        let middle = median(strengths);
        let near = |strength: &f64| strength.clamp(middle - FARTHEST, middle + FARTHEST);
        let strengths: Vec<f64> = strengths.iter().map(near).collect();
        let mut ranked = strengths.clone();
        ranked.sort_by(|a, b| b.total_cmp(a));
        let weakest = ranked.last().unwrap_or(&middle) - BEYOND;
        let strongest = ranked.first().unwrap_or(&middle) + BEYOND;
        let spread = spread(&strengths).max(1.0);
        let steps = ((strongest - weakest) / STEP) as usize;
        let prior = |step: usize| {
            let away = (weakest + step as f64 * STEP - middle) / spread;
            -away - 2.0 * libm::log1p(libm::exp(-away))
        };
        let weights = (0..=steps).map(prior).collect();
        Self { met: vec![0; strengths.len()], strengths, ranked, weakest, weights, blocks: 0 }
    }

    /// Blocks that are played at most.
    #[must_use]
    pub fn most_blocks(&self) -> u64 {
        let entrants = self.strengths.len() as u64;
        BLOCKS_A_DOUBLING * u64::from((entrants + 1).next_power_of_two().ilog2())
    }

    /// Whom to play next, by the index of its strength; `None` when the rank is found.
    #[must_use]
    pub fn next_rival(&self) -> Option<usize> {
        if self.blocks >= self.most_blocks() {
            return None;
        }
        let standing = self.standing();
        if standing.best == standing.worst {
            return None;
        }
        let teaches = |rival: &usize| {
            let share = expected_share(standing.strength, self.strengths[*rival]);
            share * (1.0 - share) / f64::from(1 + self.met[*rival])
        };
        let best = |a: &usize, b: &usize| teaches(a).total_cmp(&teaches(b)).then(b.cmp(a));
        (0..self.strengths.len()).max_by(best)
    }

    /// Takes the result of a block of so many games against a rival: the newcomer's share of the
    /// points that the two got, from 0 to 1.
    ///
    /// # Panics
    /// If there is no such rival, or the share is none.
    pub fn add(&mut self, rival: usize, games: u32, share: f64) {
        assert!((0.0..=1.0).contains(&share), "{share} is no share");
        let won = f64::from(games) * share;
        for (step, weight) in self.weights.iter_mut().enumerate() {
            let ahead = self.weakest + step as f64 * STEP - self.strengths[rival];
            // The logarithms of p and of 1 - p = p exp(-ahead).
            let log_share = -libm::log1p(libm::exp(-ahead));
            *weight += f64::from(games) * log_share - (f64::from(games) - won) * ahead;
        }
        self.met[rival] += 1;
        self.blocks += 1;
    }

    /// Where the newcomer stands by the blocks so far.
    #[must_use]
    pub fn standing(&self) -> PlacedAt {
        let [low, strength, high] = self.quantiles([TAIL, 0.5, 1.0 - TAIL]);
        let rank = |strength: f64| 1 + self.ranked.partition_point(|other| *other > strength);
        PlacedAt {
            rank: rank(strength),
            best: rank(high),
            worst: rank(low),
            strength,
            interval: Interval { low, high },
        }
    }

    /// The strengths below which these shares of the weight lie, ascending.
    fn quantiles<const N: usize>(&self, shares: [f64; N]) -> [f64; N] {
        let most = self.weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = self.weights.iter().map(|w| libm::exp(w - most)).collect();
        let all: f64 = weights.iter().sum();
        let (mut below, mut step) = (0.0, 0);
        shares.map(|share| {
            while step + 1 < weights.len() && below + weights[step] < share * all {
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

/// 0 of nobody.
fn median(strengths: &[f64]) -> f64 {
    let mut sorted = strengths.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The standard deviation; 0 of nobody.
fn spread(strengths: &[f64]) -> f64 {
    let count = strengths.len().max(1) as f64;
    let mean = strengths.iter().sum::<f64>() / count;
    (strengths.iter().map(|strength| (strength - mean) * (strength - mean)).sum::<f64>() / count)
        .sqrt()
}
