//! Everybody who is not barred, in the order of the ranks, and how sure that order is.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use dicehill_rules::Game;

use super::{
    Difference, HeadToHead, Standing, board_total, differences, encounters, is_crowned, standing,
};
use crate::ledger::{Ledger, Stratum};
use crate::statistics::{self, Covariance, Rating};
use crate::{EntrantId, Format, Hill};

/// The board of a run.
pub(super) struct Board<'a, G: Game> {
    hill: &'a Hill<G>,
    ledger: &'a Ledger,
    /// Best first.
    pub(super) ranked: Vec<EntrantId>,
    /// Their totals.
    totals: Vec<u64>,
    marks: Vec<String>,
    /// Of their sums of points.
    covariance: Covariance,
    /// Whether every pairing that an entrant takes part in has two samples, by rank.
    known: Vec<bool>,
    /// By entrant.
    ratings: Vec<Option<Rating>>,
    /// By rank.
    best: Vec<Option<f64>>,
}

impl<'a, G: Game> Board<'a, G> {
    pub(super) fn new(hill: &'a Hill<G>, ledger: &'a Ledger, active: &[EntrantId]) -> Self {
        let mut ranked = active.to_vec();
        ranked.sort_by_key(|id| (Reverse(board_total(hill, ledger, *id)), *id));
        let totals = ranked.iter().map(|id| board_total(hill, ledger, *id)).collect();
        let courses = ledger.courses().unwrap_or_default();
        let mut board = Self {
            hill,
            ledger,
            totals,
            marks: Vec::new(),
            covariance: ledger.covariance(&ranked, |stratum, a, b| match stratum.samples {
                0 | 1 => 0.0,
                _ => stratum.covariance(a, b),
            }),
            known: known(ledger, &ranked),
            ratings: statistics::ratings(&courses, hill.entrants().len()),
            best: Vec::new(),
            ranked,
        };
        board.marks = statistics::marks(board.ranked.len(), |a, b| board.differ(a, b));
        board.best = board.chances(active);
        board
    }

    /// Whether two can be told apart by the luck of the games that their points are from, by rank.
    fn differ(&self, a: usize, b: usize) -> bool {
        let difference = self.totals[a] as f64 - self.totals[b] as f64;
        self.known[a]
            && self.known[b]
            && statistics::is_significant(difference, self.covariance.of_difference(a, b))
    }

    /// The chance that each is the best: of having the most points, or where those say nothing of being
    /// rated highest.
    fn chances(&self, active: &[EntrantId]) -> Vec<Option<f64>> {
        let nobody = || vec![None; self.ranked.len()];
        match self.hill.format() {
            _ if active.len() < 2 => nobody(),
            Format::Gauntlet { .. } => {
                self.ranked.iter().map(|id| self.ratings[id.index()]?.highest).collect()
            }
            Format::Challenge | Format::Duel { .. } => {
                let samples: u64 = self.ledger.strata().iter().map(|s| s.samples).sum();
                if samples < 2 || !is_crowned(self.hill, active) || self.known.contains(&false) {
                    return nobody();
                }
                self.chances_by_points(samples as f64).into_iter().map(Some).collect()
            }
        }
    }

    /// To what each stratum says of its covariances one sample is added in which all members are
    /// alike: otherwise two games that went the same way would leave no doubt.
    fn chances_by_points(&self, samples: f64) -> Vec<f64> {
        let of_stratum = |stratum: &Stratum, a: usize, b: usize| {
            let alike = if a == b { stratum.pooled_variance() } else { 0.0 };
            stratum.scatter(a, b) + alike
        };
        let covariance = self.ledger.covariance(&self.ranked, of_stratum);
        let totals: Vec<f64> = self.totals.iter().map(|total| *total as f64).collect();
        statistics::chances_to_be_best(&totals, &covariance, samples)
    }

    /// The line of the entrant at this place of the ranking.
    pub(super) fn standing(&self, place: usize) -> Standing {
        let id = self.ranked[place];
        let above = self.totals.partition_point(|total| *total > self.totals[place]);
        let rating = self.ratings[id.index()];
        Standing {
            rank: Some(1 + above),
            mark: self.marks[place].clone(),
            rating: rating.map(|rating| rating.rating),
            rating_ci95: rating.and_then(|rating| rating.interval),
            best: self.best[place],
            ..standing(self.hill, self.ledger, id)
        }
    }

    pub(super) fn differences(&self) -> Vec<Difference> {
        match self.hill.format() {
            Format::Gauntlet { .. } => Vec::new(),
            Format::Challenge | Format::Duel { .. } => differences::differences(
                self.ledger,
                &self.ranked,
                &self.covariance,
                &self.known,
                |id| self.name_of(id),
            ),
        }
    }

    pub(super) fn head_to_head(&self) -> Vec<HeadToHead> {
        let length = self.hill.format().games_per_block();
        encounters::head_to_head(self.ledger, &self.ranked, length, |id| self.name_of(id))
    }

    fn name_of(&self, id: EntrantId) -> String {
        self.hill.name_of(id).to_owned()
    }
}

/// Whether each of `ids` has two samples in every pairing that it takes part in.
fn known(ledger: &Ledger, ids: &[EntrantId]) -> Vec<bool> {
    let few = ledger.strata().iter().filter(|stratum| stratum.samples < 2);
    let unknown: BTreeSet<EntrantId> = few.flat_map(|stratum| &stratum.members).copied().collect();
    ids.iter().map(|id| !unknown.contains(id)).collect()
}
