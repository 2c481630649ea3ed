//! The result of each pairing.

use dicehill_rules::Game;
use serde::{Deserialize, Serialize};

use crate::standings::ledger::Stratum;
use crate::standings::result::rounded::optional_six_digits;
use crate::standings::result::samples::win_interval;
use crate::{EntrantId, Format, Hill, Interval, Ledger};

/// The result of a pairing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairing {
    /// Games played.
    pub games: u64,
    /// Blocks played; a block is a sample.
    pub blocks: u64,
    /// The members of the pairing, in the order of the hill.
    pub results: Vec<PairingResult>,
}

/// The result of one member of a pairing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairingResult {
    /// The entrant's name.
    pub bot: String,
    /// Points of these games.
    pub points: u128,
    /// Games won.
    pub wins: u128,
    /// Share of the games that were won, 0 to 1.
    #[serde(serialize_with = "optional_six_digits")]
    pub win_rate: Option<f64>,
    /// Its 95 % interval.
    pub win_rate_ci95: Option<Interval>,
}

pub(super) fn pairings<G: Game>(hill: &Hill<G>, ledger: &Ledger) -> Vec<Pairing> {
    let pairing = |stratum: &Stratum| {
        let games = stratum.samples * hill.format().games_per_block();
        let result = |(place, id): (usize, &EntrantId)| PairingResult {
            bot: hill.name_of(*id).to_owned(),
            points: stratum.points[place].sum,
            wins: stratum.wins[place].sum,
            win_rate: (games > 0).then(|| stratum.wins[place].sum as f64 / games as f64),
            win_rate_ci95: win_interval(
                &[(stratum, place)],
                hill.format().games_per_block(),
                hill.statistics(),
            ),
        };
        let results = stratum.members.iter().enumerate().map(result).collect();
        Pairing { games, blocks: stratum.samples, results }
    };
    match hill.format() {
        Format::Challenge => Vec::new(),
        Format::Duel { .. } | Format::Gauntlet { .. } => {
            ledger.strata().iter().map(pairing).collect()
        }
    }
}
