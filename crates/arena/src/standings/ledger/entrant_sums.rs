//! The sums of one entrant.

use std::collections::BTreeMap;

use dicehill_rules::{Figure, MAX_FIGURES, SeatResult, Summary};

use crate::statistics::Sums;

/// The sums of one entrant.
#[derive(Clone, Default)]
pub(crate) struct EntrantSums {
    /// Play-offs included.
    pub(crate) points: u64,
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) figures: [FigureTally; MAX_FIGURES],
    /// In millionths of a point, over the games that were appraised.
    pub(crate) loss: Sums,
    /// By seat, up to the last one that the entrant had at a table of at most [`super::MAX_DETAILED_ENTRANTS`].
    pub(crate) seats: Vec<SeatTally>,
}

/// The sums of one figure of one entrant.
#[derive(Clone, Default)]
pub(crate) struct FigureTally {
    pub(crate) sums: Sums,
    /// How often each value occurred; kept for distributions only.
    pub(crate) values: BTreeMap<u64, u64>,
}

/// The sums of one entrant at one seat.
#[derive(Clone, Copy, Default)]
pub(crate) struct SeatTally {
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) points: u64,
}

impl EntrantSums {
    pub(super) fn add(&mut self, figures: &[Figure], result: &SeatResult) {
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

    pub(super) fn add_seat(&mut self, seat: usize, result: &SeatResult) {
        if seat >= self.seats.len() {
            self.seats.resize(seat + 1, SeatTally::default());
        }
        let tally = &mut self.seats[seat];
        tally.games += 1;
        tally.wins += u64::from(result.won);
        tally.points += result.points;
    }
}
