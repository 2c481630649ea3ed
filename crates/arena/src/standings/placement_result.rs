//! The rank of a new entrant.

use serde::{Deserialize, Serialize};

/// The rank of a new entrant among the entrants of its gauntlet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacementResult {
    /// The entrant's name.
    pub bot: String,
    /// Its rank, from 1.
    pub rank: usize,
    /// The best and the worst rank of the 95 % interval.
    pub rank_ci95: [usize; 2],
    /// The number of entrants, including itself.
    pub among: usize,
    /// Games played.
    pub games: u64,
    /// Its strength, on the scale of [`crate::Placement`].
    pub strength: f64,
}
