//! The samples of one pairing.

use dicehill_rules::SeatResult;

use crate::standings::ledger::encounter::{Encounter, compare_results};
use crate::standings::ledger::luck::LuckSums;
use crate::standings::ledger::outcome_counts::OutcomeCounts;
use crate::statistics::{SampleOutcome, Sums};
use crate::{Appraisal, EntrantId};

/// The samples of one pairing. A sample is a block of games, or one game in a challenge.
pub(crate) struct Stratum {
    /// Ascending.
    pub(crate) members: Vec<EntrantId>,
    pub(crate) samples: u64,
    /// The open sample, by member.
    open: Vec<OpenSample>,
    /// By member.
    pub(crate) points: Vec<Sums>,
    pub(crate) wins: Vec<Sums>,
    /// Sums of the first figure.
    pub(crate) figure: Vec<Sums>,
    /// Sums of products of two members' points, by `first * members + second`.
    products: Vec<u128>,
    /// Encounters of two members, at the same index; empty for more than [`MAX_DETAILED_ENTRANTS`] members.
    encounters: Vec<Encounter>,
    outcomes: OutcomeCounts,
    /// Only if games are appraised.
    pub(crate) luck: Option<LuckSums>,
    /// Whether the first figure is a score.
    scored: bool,
    /// The member indices at the table of the current game; a field so that its allocation is reused.
    places: Vec<usize>,
}

#[derive(Clone, Copy, Default)]
struct OpenSample {
    points: u64,
    wins: u64,
    figure: u64,
}

impl Stratum {
    pub(super) fn new(members: &[EntrantId], scored: bool, luck: Option<LuckSums>) -> Self {
        let count = members.len();
        let pairs = if count > MAX_DETAILED_ENTRANTS { 0 } else { count * count };
        Self {
            members: members.to_vec(),
            samples: 0,
            open: vec![OpenSample::default(); count],
            points: vec![Sums::default(); count],
            wins: vec![Sums::default(); count],
            figure: vec![Sums::default(); count],
            products: vec![0; count * count],
            encounters: vec![Encounter::default(); pairs],
            outcomes: OutcomeCounts::new(),
            luck,
            scored,
            places: Vec::new(),
        }
    }

    pub(crate) fn index_of(&self, id: EntrantId) -> Option<usize> {
        self.members.binary_search(&id).ok()
    }

    /// The encounter of two members, given by index, from the first one's perspective; `None` if it is not recorded.
    pub(crate) fn encounter(&self, first: usize, second: usize) -> Option<&Encounter> {
        self.encounters.get(first * self.members.len() + second)
    }

    pub(super) fn add_game(
        &mut self,
        seats: &[EntrantId],
        results: &[SeatResult],
        appraisals: &[Appraisal],
    ) {
        self.places.clear();
        for (id, result) in seats.iter().zip(results) {
            let place = self.index_of(*id).expect("only members sit in a pairing's games");
            self.places.push(place);
            let sample = &mut self.open[place];
            sample.points += result.points;
            sample.wins += u64::from(result.won);
            sample.figure += result.figures[0];
        }
        if let Some(luck) = &mut self.luck {
            luck.add_game(&self.places, results, appraisals);
        }
        self.outcomes.add_game(&self.places, self.members.len(), results);
        if !self.encounters.is_empty() {
            self.add_encounters(results);
        }
    }

    fn add_encounters(&mut self, results: &[SeatResult]) {
        let members = self.members.len();
        for (seat, (a, of_a)) in self.places.iter().zip(results).enumerate() {
            for (b, of_b) in self.places.iter().zip(results).skip(seat + 1) {
                let (first, second, order) = if a < b {
                    (a, b, compare_results(of_a, of_b, self.scored))
                } else {
                    (b, a, compare_results(of_b, of_a, self.scored))
                };
                self.encounters[first * members + second].add(order);
            }
        }
    }

    pub(super) fn complete_sample(&mut self) {
        self.samples += 1;
        let members = self.members.len();
        for (place, sample) in self.open.iter().enumerate() {
            self.points[place].add(sample.points);
            self.wins[place].add(sample.wins);
            self.figure[place].add(sample.figure);
            if sample.points > 0 {
                for (later, other) in self.open.iter().enumerate().skip(place + 1) {
                    self.products[place * members + later] +=
                        u128::from(sample.points) * u128::from(other.points);
                }
            }
        }
        if let Some(luck) = &mut self.luck {
            luck.complete_sample(self.open.iter().map(|sample| sample.points));
        }
        self.open.fill(OpenSample::default());
        self.outcomes.complete_sample();
        self.complete_encounters();
    }

    /// Only the entrants at the last table have open encounters.
    fn complete_encounters(&mut self) {
        let members = self.members.len();
        for (index, a) in self.places.iter().enumerate() {
            for b in &self.places[index + 1..] {
                let pair = a.min(b) * members + a.max(b);
                if let Some(encounter) = self.encounters.get_mut(pair) {
                    encounter.complete_sample();
                }
            }
        }
    }

    pub(super) fn sample_outcomes(&self) -> Option<Vec<SampleOutcome>> {
        self.outcomes.sample_outcomes(&self.members)
    }

    /// The sum of products of two members' deviations from their mean points; members are given by index.
    pub(crate) fn scatter(&self, first: usize, second: usize) -> f64 {
        let n = i128::from(self.samples);
        let product = self.product(first, second);
        let sums = self.points[first].sum as i128 * self.points[second].sum as i128;
        if n == 0 { 0.0 } else { (n * product as i128 - sums) as f64 / n as f64 }
    }

    /// The sum of products of two members' points.
    pub(crate) fn product(&self, first: usize, second: usize) -> u128 {
        if first == second {
            self.points[first].squares
        } else {
            self.products[first * self.members.len() + second]
        }
    }

    /// The covariance of the sums of two members' points over the samples, with the divisor n - 1.
    pub(crate) fn covariance(&self, first: usize, second: usize) -> f64 {
        let samples = self.samples as f64;
        self.scatter(first, second) * samples / (samples - 1.0)
    }

    /// What the products of each two members' points sum to if the members are equally strong, up to what they have in
    /// common: the deviations from the mean points of a sample are spread evenly over the members.
    pub(crate) fn exchangeable_products(&self) -> impl Fn(usize, usize) -> f64 + use<> {
        let members = self.members.len();
        let squares: u128 = self.points.iter().map(|sums| sums.squares).sum();
        let places = (0..members).flat_map(|a| (a + 1..members).map(move |b| (a, b)));
        let products: u128 = places.map(|(a, b)| self.product(a, b)).sum();
        let (size, squares) = (members as f64, squares as f64);
        let deviations = squares - (squares + 2.0 * products as f64) / size;
        let variance = if members < 2 { 0.0 } else { deviations / (size - 1.0) };
        move |a, b| variance * (f64::from(a == b) - 1.0 / size)
    }

    /// The variance of a sample's points if all members were equally strong.
    pub(crate) fn pooled_variance(&self) -> f64 {
        let values = self.samples as f64 * self.members.len() as f64;
        let sum: u128 = self.points.iter().map(|sums| sums.sum).sum();
        let squares: u128 = self.points.iter().map(|sums| sums.squares).sum();
        (squares as f64 - sum as f64 * (sum as f64 / values)) / (values - 1.0)
    }
}

/// Statistics per pair and per seat are kept up to this many entrants: they would grow with their square.
pub(crate) const MAX_DETAILED_ENTRANTS: usize = 64;
