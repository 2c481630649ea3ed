//! The ranking of the entrants that are not barred, with its certainty.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use dicehill_rules::Game;

use crate::standings::ledger::{MAX_DETAILED_ENTRANTS, Stratum};
use crate::standings::result::standing::{board_total, standing};
use crate::standings::result::{differences, encounters};
use crate::statistics::{self, ADDED, Covariance, PairedDifference, Rating, Z95};
use crate::{
    EloRating, EntrantId, Format, HeadToHead, Hill, Interval, Ledger, ScoreDifference, Standing,
    StatisticsVersion,
};

/// The board of a run.
pub(super) struct Board<'a, G: Game> {
    hill: &'a Hill<G>,
    ledger: &'a Ledger,
    /// Best first.
    pub(super) ranked: Vec<EntrantId>,
    /// Their totals, by rank.
    totals: Vec<u64>,
    /// By rank.
    group_letters: Vec<String>,
    /// Of their points, by rank.
    pairs: PairSums,
    /// Whether all pairings of an entrant have at least two samples, by rank.
    has_variance: Vec<bool>,
    /// By entrant.
    ratings: Vec<Option<Rating>>,
    /// By entrant.
    elo: Vec<Option<EloRating>>,
    /// By rank.
    best_probabilities: Vec<Option<f64>>,
}

impl<'a, G: Game> Board<'a, G> {
    pub(super) fn new(hill: &'a Hill<G>, ledger: &'a Ledger, active: &[EntrantId]) -> Self {
        let mut ranked = active.to_vec();
        ranked.sort_by_key(|id| (Reverse(board_total(hill, ledger, *id)), *id));
        let totals = ranked.iter().map(|id| board_total(hill, ledger, *id)).collect();
        let outcomes = ledger.sample_outcomes().unwrap_or_default();
        let mut board = Self {
            hill,
            ledger,
            totals,
            group_letters: Vec::new(),
            pairs: PairSums::new(ledger, &ranked),
            has_variance: has_variance(ledger, &ranked),
            ratings: statistics::ratings(&outcomes, hill.entrants().len()),
            elo: if hill.statistics().is_first() {
                vec![None; hill.entrants().len()]
            } else {
                let games = hill.format().games_per_block();
                let version = hill.statistics();
                statistics::elo_ratings(&outcomes, hill.entrants().len(), games, version)
            },
            best_probabilities: Vec::new(),
            ranked,
        };
        board.group_letters =
            statistics::group_letters(board.ranked.len(), |a, b| board.differ(a, b));
        board.best_probabilities = board.best_probabilities(active);
        board
    }

    /// Whether the totals at two ranks are significantly different.
    fn differ(&self, a: usize, b: usize) -> bool {
        if !(self.has_variance[a] && self.has_variance[b]) {
            return false;
        }
        let total = self.totals[a] as f64 - self.totals[b] as f64;
        // Votes and play-offs do not vary.
        let sampled = self.sampled_difference(a, b);
        let Interval { low, high } = self.interval(a, b);
        !(low <= sampled - total && sampled - total <= high)
    }

    /// The difference of the points at two ranks, without votes and play-offs.
    fn sampled_difference(&self, a: usize, b: usize) -> f64 {
        let [a, b] = [a, b].map(|place| self.ledger.sampled_points(self.ranked[place]) as f64);
        a - b
    }

    /// The interval of the expected difference of the points at two ranks.
    fn interval(&self, a: usize, b: usize) -> Interval {
        let sum = self.sampled_difference(a, b);
        match self.hill.statistics() {
            StatisticsVersion::First | StatisticsVersion::Second => {
                Interval::around(sum, self.pairs.covariance.difference_variance(a, b), Z95)
            }
            StatisticsVersion::Third | StatisticsVersion::Fourth | StatisticsVersion::Fifth => {
                self.pairs.difference(a, b, sum).interval()
            }
        }
    }

    /// The probability that each has the highest expected points; in a gauntlet, where points are not comparable, that
    /// each has the highest rating.
    fn best_probabilities(&self, active: &[EntrantId]) -> Vec<Option<f64>> {
        let unknown = || vec![None; self.ranked.len()];
        match self.hill.format() {
            _ if active.len() < 2 => unknown(),
            Format::Gauntlet { .. } => {
                self.ranked.iter().map(|id| self.ratings[id.index()]?.highest).collect()
            }
            Format::Challenge | Format::Duel { .. } => {
                let samples: u64 = self.ledger.strata().iter().map(|s| s.samples).sum();
                if samples < 2
                    || !has_champion(self.hill, self.ledger, active)
                    || self.has_variance.contains(&false)
                {
                    return unknown();
                }
                let found = match self.hill.statistics() {
                    StatisticsVersion::First
                    | StatisticsVersion::Second
                    | StatisticsVersion::Third => self.best_with_one_sample_added(samples as f64),
                    StatisticsVersion::Fourth | StatisticsVersion::Fifth => {
                        self.best_by_points(samples as f64)
                    }
                };
                found.into_iter().map(Some).collect()
            }
        }
    }

    /// Two samples are added as for the difference of two entrants ([`PairedDifference::interval`]), for all of them at once:
    /// in these the members of a pairing are equally strong, with the mean square deviation of the samples. (Vectors of
    /// points with the second moments of the samples would leave it certain, after fewer games than entrants, that one
    /// whose points were always between those of two others is not the best.)
    fn best_by_points(&self, samples: f64) -> Vec<f64> {
        let all = samples + ADDED;
        let pairings = self.ledger.strata().iter().filter(|s| s.samples > 0).count() as f64;
        let sampled: Vec<f64> =
            self.ranked.iter().map(|id| self.ledger.sampled_points(*id) as f64).collect();
        let scale = samples * samples / (all * (all - pairings));
        let added = self.ledger.covariance_by_stratum(&self.ranked, Stratum::exchangeable_products);
        let mut covariance = Covariance::new(sampled.len());
        for a in 0..sampled.len() {
            for b in a..sampled.len() {
                let scatter = self.pairs.scatter.of(a, b)
                    + ADDED * sampled[a] * sampled[b] / (samples * all)
                    + ADDED * added.of(a, b) / samples;
                covariance.add(a, b, scale * scatter);
            }
        }
        // Votes and play-offs do not vary.
        let expected = |(total, sampled): (&u64, &f64)| *total as f64 - sampled * ADDED / all;
        let totals: Vec<f64> = self.totals.iter().zip(&sampled).map(expected).collect();
        statistics::best_probabilities(&totals, &covariance, all - pairings)
    }

    /// The covariances of each stratum get one more sample with the variance of equally strong members, as before version 4.
    fn best_with_one_sample_added(&self, samples: f64) -> Vec<f64> {
        let of_stratum = |stratum: &Stratum, a: usize, b: usize| {
            let pooled = if a == b { stratum.pooled_variance() } else { 0.0 };
            stratum.scatter(a, b) + pooled
        };
        let covariance = self.ledger.covariance(&self.ranked, of_stratum);
        let totals: Vec<f64> = self.totals.iter().map(|total| *total as f64).collect();
        statistics::best_probabilities(&totals, &covariance, samples)
    }

    /// The row of the entrant at this index of the ranking.
    pub(super) fn standing(&self, place: usize) -> Standing {
        let id = self.ranked[place];
        let above = self.totals.partition_point(|total| *total > self.totals[place]);
        let rating = self.ratings[id.index()];
        Standing {
            rank: Some(1 + above),
            mark: self.group_letters[place].clone(),
            rating: rating.map(|rating| rating.rating),
            rating_ci95: rating.and_then(|rating| rating.interval),
            elo: self.elo[id.index()],
            best: self.best_probabilities[place],
            ..standing(self.hill, self.ledger, id)
        }
    }

    pub(super) fn differences(&self) -> Vec<ScoreDifference> {
        match self.hill.format() {
            Format::Gauntlet { .. } => Vec::new(),
            Format::Challenge | Format::Duel { .. } => differences::differences(
                self.ledger,
                &self.ranked,
                &self.has_variance,
                |place| self.interval(place, place + 1),
                |id| self.name_of(id),
            ),
        }
    }

    /// The names of the lists that are left out because they would grow with the square of the entrants.
    pub(super) fn left_out(&self) -> Vec<String> {
        let names: &[&str] = match self.hill.format() {
            _ if self.ranked.len() <= MAX_DETAILED_ENTRANTS => &[],
            _ if self.hill.statistics().is_first() => &[],
            Format::Duel { .. } => &["pairings", "head_to_head"],
            Format::Challenge | Format::Gauntlet { .. } => &["head_to_head"],
        };
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    pub(super) fn head_to_head(&self) -> Vec<HeadToHead> {
        let blocks = (self.hill.format().games_per_block(), self.hill.statistics());
        encounters::head_to_head(self.ledger, &self.ranked, blocks, |id| self.name_of(id))
    }

    fn name_of(&self, id: EntrantId) -> String {
        self.hill.name_of(id).to_owned()
    }
}

/// Sums over the samples of each two entrants, by rank.
struct PairSums {
    /// The covariance of their sums of points.
    covariance: Covariance,
    /// The products of their points.
    products: Covariance,
    /// The products of their points' deviations from the means of a pairing.
    scatter: Covariance,
    /// The samples that both play in; of one with itself all of its samples.
    samples: Covariance,
    /// The same of pairings.
    pairings: Covariance,
}

impl PairSums {
    fn new(ledger: &Ledger, ranked: &[EntrantId]) -> Self {
        Self {
            covariance: ledger.covariance(ranked, |stratum, a, b| match stratum.samples {
                0 | 1 => 0.0,
                _ => stratum.covariance(a, b),
            }),
            products: ledger.covariance(ranked, |stratum, a, b| stratum.product(a, b) as f64),
            scatter: ledger.covariance(ranked, Stratum::scatter),
            samples: ledger.covariance(ranked, |stratum, _, _| stratum.samples as f64),
            pairings: ledger.covariance(ranked, |_, _, _| 1.0),
        }
    }

    /// The difference of the points at two ranks, whose sum is known.
    fn difference(&self, a: usize, b: usize, sum: f64) -> PairedDifference {
        let in_either = |of: &Covariance| (of.of(a, a) + of.of(b, b) - of.of(a, b)) as u64;
        PairedDifference {
            samples: in_either(&self.samples),
            pairings: in_either(&self.pairings),
            sum,
            squares: self.products.difference_variance(a, b),
            scatter: self.scatter.difference_variance(a, b),
        }
    }
}

/// Whether all pairings of each of `ids` have at least two samples.
fn has_variance(ledger: &Ledger, ids: &[EntrantId]) -> Vec<bool> {
    let few = ledger.strata().iter().filter(|stratum| stratum.samples < 2);
    let without: BTreeSet<EntrantId> = few.flat_map(|stratum| &stratum.members).copied().collect();
    ids.iter().map(|id| !without.contains(id)).collect()
}

/// Whether a sole first place makes a champion. Not without games, not in a gauntlet, and not if the entrants are too
/// few for a table, as two are at tables of three.
pub(super) fn has_champion<G: Game>(hill: &Hill<G>, ledger: &Ledger, active: &[EntrantId]) -> bool {
    match hill.format() {
        _ if ledger.games() == 0 && !hill.statistics().is_first() => false,
        Format::Challenge => true,
        Format::Duel { seats } => active.len() >= seats || active.len() < 2,
        Format::Gauntlet { .. } => active.len() < 2,
    }
}
