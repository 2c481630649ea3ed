//! Adds results up, game by game in the order of their numbers.

use std::collections::BTreeMap;

use dicehill_rules::{Figure, Game, MAX_FIGURES, SeatResult, Summary};

use crate::statistics::{self, Sums};
use crate::{EntrantId, Fixture, Schedule};

/// All sums of a run, as integers.
pub struct Ledger {
    rows: Vec<Row>,
    strata: Vec<Stratum>,
    games: u64,
    play_offs: u64,
}

/// The sums of one entrant.
#[derive(Clone, Default)]
pub(crate) struct Row {
    /// With play-offs.
    pub(crate) points: u64,
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) figures: [FigureTally; MAX_FIGURES],
}

/// The sums of one figure of one entrant.
#[derive(Clone, Default)]
pub(crate) struct FigureTally {
    pub(crate) sums: Sums,
    /// How often each value occurred; kept for distributions only.
    pub(crate) values: BTreeMap<u64, u64>,
}

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
}

#[derive(Clone, Copy, Default)]
struct Sample {
    points: u64,
    wins: u64,
    figure: u64,
}

impl Ledger {
    /// An empty ledger for the games of `schedule`.
    #[must_use]
    pub fn new<G: Game>(schedule: &Schedule<'_, G>) -> Self {
        let entrants = schedule.active().last().map_or(0, |last| last.index() + 1);
        Self {
            rows: vec![Row::default(); entrants],
            strata: schedule.pairings().iter().map(|members| Stratum::new(members)).collect(),
            games: 0,
            play_offs: 0,
        }
    }

    /// Adds a scheduled game; they come in the order of their numbers.
    ///
    /// `results` go by seat.
    pub fn add<G: Game>(
        &mut self,
        schedule: &Schedule<'_, G>,
        fixture: &Fixture,
        results: &[SeatResult],
    ) {
        let Fixture { game, seats, .. } = fixture;
        self.games += 1;
        let stratum = &mut self.strata[schedule.pairing_of(*game)];
        for (id, result) in seats.iter().zip(results) {
            self.rows[id.index()].add(G::FIGURES, result);
            stratum.add(*id, result);
        }
        if schedule.completes_sample(*game) {
            stratum.complete_sample();
        }
    }

    /// Adds a game that plays off a tie: it counts in nothing but the points.
    ///
    /// `results` go by seat.
    pub fn add_play_off(&mut self, fixture: &Fixture, results: &[SeatResult]) {
        self.play_offs += 1;
        for (id, result) in fixture.seats.iter().zip(results) {
            self.rows[id.index()].points += result.points;
        }
    }

    /// Games so far, play-offs aside.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Games that played off a tie.
    #[must_use]
    pub const fn play_offs(&self) -> u64 {
        self.play_offs
    }

    /// The points of an entrant so far.
    #[must_use]
    pub fn points(&self, id: EntrantId) -> u64 {
        self.row(id).map_or(0, |row| row.points)
    }

    /// Everybody of `among` who has the most points.
    #[must_use]
    pub fn leaders(&self, among: &[EntrantId]) -> Vec<EntrantId> {
        let most = among.iter().map(|id| self.points(*id)).max();
        among.iter().copied().filter(|id| Some(self.points(*id)) == most).collect()
    }

    pub(crate) fn row(&self, id: EntrantId) -> Option<&Row> {
        self.rows.get(id.index())
    }

    pub(crate) fn strata(&self) -> &[Stratum] {
        &self.strata
    }

    /// Whether the points of two entrants can be told apart by the luck of the games they are from;
    /// `head_start` is what else stands between them on the board.
    pub(crate) fn differ(&self, a: EntrantId, b: EntrantId, head_start: i128) -> bool {
        let difference = i128::from(self.points(a)) - i128::from(self.points(b)) + head_start;
        let variance = self.strata.iter().map(|stratum| stratum.variance_of_difference(a, b)).sum();
        statistics::is_significant(difference, variance)
    }
}

impl Row {
    fn add(&mut self, figures: &[Figure], result: &SeatResult) {
        self.points += result.points;
        self.games += 1;
        self.wins += u64::from(result.won);
        for ((figure, value), tally) in figures.iter().zip(result.figures).zip(&mut self.figures) {
            tally.sums.add(value);
            match figure.summary {
                Summary::Distribution => *tally.values.entry(value).or_default() += 1,
                Summary::Total => {}
            }
        }
    }
}

impl Stratum {
    fn new(members: &[EntrantId]) -> Self {
        let count = members.len();
        Self {
            members: members.to_vec(),
            samples: 0,
            open: vec![Sample::default(); count],
            points: vec![Sums::default(); count],
            wins: vec![Sums::default(); count],
            figure: vec![Sums::default(); count],
            products: vec![0; count * count],
        }
    }

    pub(crate) fn place(&self, id: EntrantId) -> Option<usize> {
        self.members.binary_search(&id).ok()
    }

    fn add(&mut self, id: EntrantId, result: &SeatResult) {
        let place = self.place(id).expect("only members sit in a pairing's games");
        let sample = &mut self.open[place];
        sample.points += result.points;
        sample.wins += u64::from(result.won);
        sample.figure += result.figures[0];
    }

    fn complete_sample(&mut self) {
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
        self.open.fill(Sample::default());
    }

    /// Variance of the sum of the samples' differences in points between two entrants: somebody who
    /// is not a member has no points, and fewer than two samples say nothing about it.
    fn variance_of_difference(&self, a: EntrantId, b: EntrantId) -> f64 {
        let (a, b) = (self.place(a), self.place(b));
        let sums = |place: Option<usize>| place.map_or_else(Sums::default, |p| self.points[p]);
        let product = match (a, b) {
            (Some(a), Some(b)) => self.products[a.min(b) * self.members.len() + a.max(b)],
            _ => 0,
        };
        let sum = sums(a).sum as i128 - sums(b).sum as i128;
        let squares = sums(a).squares + sums(b).squares - 2 * product;
        match statistics::variance(self.samples, sum, squares) {
            _ if a.is_none() && b.is_none() => 0.0,
            Some(each) => each * self.samples as f64,
            None => f64::INFINITY,
        }
    }
}
