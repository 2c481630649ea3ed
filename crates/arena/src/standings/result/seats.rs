//! The results of an entrant at each seat.

use serde::{Deserialize, Serialize};

use crate::Interval;
use crate::standings::ledger::{EntrantSums, SeatTally};
use crate::standings::result::rounded::six_digits_of;
use crate::statistics::wilson;

/// The games of an entrant at one seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatStanding {
    /// The seat's position in the turn order, from 0.
    pub seat: usize,
    /// Games at this seat.
    pub games: u64,
    /// Games won, jointly or alone.
    pub wins: u64,
    /// Points of the games.
    pub points: u64,
    /// Share of the games that were won, 0 to 1.
    #[serde(serialize_with = "six_digits_of")]
    pub win_rate: f64,
    /// Its 95 % interval. An entrant has each seat once per block, so the games at one seat are independent.
    pub win_rate_ci95: Option<Interval>,
}

/// The seats at which the entrant has played.
pub(super) fn seats(sums: &EntrantSums) -> Vec<SeatStanding> {
    let played = sums.seats.iter().enumerate().filter(|(_, tally)| tally.games > 0);
    let standing = |(seat, tally): (usize, &SeatTally)| {
        let SeatTally { games, wins, points } = *tally;
        SeatStanding {
            seat,
            games,
            wins,
            points,
            win_rate: wins as f64 / games as f64,
            win_rate_ci95: wilson(wins as f64, games, games as f64),
        }
    };
    played.map(standing).collect()
}
