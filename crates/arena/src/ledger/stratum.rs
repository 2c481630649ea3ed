//! The samples of one pairing.

use dicehill_rules::SeatResult;

use super::encounter::{Encounter, compare};
use super::outcomes::Outcomes;
use super::{Course, LuckSums, MOST_APART};
use crate::statistics::Sums;
use crate::{Appraisal, EntrantId};

/// The samples of one pairing: each the games of a block, or one game of a challenge.
pub(crate) struct Stratum {
    /// Ascending.
    pub(crate) members: Vec<EntrantId>,
    pub(crate) samples: u64,
    /// The sample that is not complete yet, by member.
    open: Vec<Sample>,
    /// By member.
    pub(crate) points: Vec<Sums>,
    pub(crate) wins: Vec<Sums>,
    /// Of the first figure.
    pub(crate) figure: Vec<Sums>,
    /// Sums of products of two members' points, by `first * members + second`.
    products: Vec<u128>,
    /// Of two members, by the same; none at tables of more than [`MOST_APART`].
    encounters: Vec<Encounter>,
    outcomes: Outcomes,
    /// Only where games are appraised.
    pub(crate) luck: Option<LuckSums>,
    /// Whether the first figure is a score.
    scored: bool,
    /// The members at the table of a game, kept so that its memory serves the next.
    places: Vec<usize>,
}

#[derive(Clone, Copy, Default)]
struct Sample {
    points: u64,
    wins: u64,
    figure: u64,
}

impl Stratum {
    pub(super) fn new(members: &[EntrantId], scored: bool, luck: Option<LuckSums>) -> Self {
        let count = members.len();
        let pairs = if count > MOST_APART { 0 } else { count * count };
        Self {
            members: members.to_vec(),
            samples: 0,
            open: vec![Sample::default(); count],
            points: vec![Sums::default(); count],
            wins: vec![Sums::default(); count],
            figure: vec![Sums::default(); count],
            products: vec![0; count * count],
            encounters: vec![Encounter::default(); pairs],
            outcomes: Outcomes::new(),
            luck,
            scored,
            places: Vec::new(),
        }
    }

    pub(crate) fn place(&self, id: EntrantId) -> Option<usize> {
        self.members.binary_search(&id).ok()
    }

    /// The games of two members, by place, as the first of them sees it; `None` if they are not kept.
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
            let place = self.place(*id).expect("only members sit in a pairing's games");
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
                    (a, b, compare(of_a, of_b, self.scored))
                } else {
                    (b, a, compare(of_b, of_a, self.scored))
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
        self.open.fill(Sample::default());
        self.outcomes.complete_sample();
        self.complete_encounters();
    }

    /// Those who sat at the table have the only encounters that are open.
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

    pub(super) fn courses(&self) -> Option<Vec<Course>> {
        self.outcomes.courses(&self.members)
    }

    /// The sum of the products of the deviations of two members' points from their means, by place.
    pub(crate) fn scatter(&self, first: usize, second: usize) -> f64 {
        let n = i128::from(self.samples);
        let product = if first == second {
            self.points[first].squares
        } else {
            self.products[first * self.members.len() + second]
        };
        let sums = self.points[first].sum as i128 * self.points[second].sum as i128;
        if n == 0 { 0.0 } else { (n * product as i128 - sums) as f64 / n as f64 }
    }

    /// The covariance of the sums of two members' points over the samples, with the divisor n - 1.
    pub(crate) fn covariance(&self, first: usize, second: usize) -> f64 {
        let samples = self.samples as f64;
        self.scatter(first, second) * samples / (samples - 1.0)
    }

    /// The variance of a sample's points, were all members alike.
    pub(crate) fn pooled_variance(&self) -> f64 {
        let values = self.samples as f64 * self.members.len() as f64;
        let sum: u128 = self.points.iter().map(|sums| sums.sum).sum();
        let squares: u128 = self.points.iter().map(|sums| sums.squares).sum();
        (squares as f64 - sum as f64 * (sum as f64 / values)) / (values - 1.0)
    }
}
