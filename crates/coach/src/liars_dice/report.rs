//! What a player's decisions came to, ready to be shown.

use super::{Accuracy, Band, Fault, Habit, Share, Step};
use crate::Estimate;

/// A decision that lost dice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake {
    /// The number of the game.
    pub game: u64,
    /// The decision.
    pub step: Step,
}

/// Dice lost in some part, a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartReport {
    /// Decisions that lost dice.
    pub mistakes: u64,
    /// Dice that they lost in all games.
    pub sum: f64,
    /// Dice lost a game, by the odds.
    pub loss: Estimate,
    /// Dice that the best would have brought more a game, with the dice that were there.
    pub hindsight: Estimate,
}

impl PartReport {
    /// Dice that such a mistake lost on average; `None` without any.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.mistakes > 0).then(|| self.sum / self.mistakes as f64)
    }
}

/// A fault and what it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaultReport {
    /// What is wrong.
    pub fault: Fault,
    /// How often, and dice lost a game.
    pub part: PartReport,
    /// The instance that lost most, the first of several; `None` if there is none.
    pub costliest: Option<Mistake>,
}

/// A habit and what it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HabitReport {
    /// What it is.
    pub habit: Habit,
    /// How often, and dice lost a game.
    pub part: PartReport,
    /// The instance that lost most, the first of several.
    pub costliest: Mistake,
}

/// What a player bid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BidsReport {
    /// Those that were called, of all.
    pub called: Share,
    /// Those of them that held, against their odds.
    pub when_called: Accuracy,
    /// All bids by the chance that they hold.
    pub bands: [Band; Band::COUNT],
    /// Those that the odds did not support, of all.
    pub unsupported: Share,
    /// Those of the unsupported ones that were called.
    pub unsupported_called: Share,
    /// Those of the unsupported ones that were called and lost a die.
    pub unsupported_lost: Share,
}

/// What the games of a player show.
#[derive(Clone, Debug, PartialEq)]
pub struct BotReport {
    /// The player.
    pub name: String,
    /// Its games.
    pub games: u64,
    /// Those in which it was eliminated because it had no legal action.
    pub forfeits: u64,
    /// Decisions of each kind.
    pub decisions: [u64; 3],
    /// Dice gained less dice given, a game.
    pub balance: Estimate,
    /// Dice lost by decisions.
    pub loss: PartReport,
    /// The same by kind.
    pub kinds: [PartReport; 3],
    /// By fault.
    pub faults: [FaultReport; Fault::ALL.len()],
    /// By the number of players still in, from 2 to 5.
    pub players: [PartReport; 4],
    /// Calls that were right, against their odds.
    pub calls: Accuracy,
    /// The same by the chance that the call is right.
    pub call_bands: [Band; Band::COUNT],
    /// Its bids.
    pub bids: BidsReport,
    /// All habits, first that which cost most in hindsight.
    pub habits: Vec<HabitReport>,
    /// The decisions that lost most, the worst first.
    pub worst: Vec<Mistake>,
}

impl BotReport {
    /// Decisions of all kinds.
    #[must_use]
    pub fn all_decisions(&self) -> u64 {
        self.decisions.iter().sum()
    }
}
