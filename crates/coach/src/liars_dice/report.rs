//! What the decisions of a player lost.

use super::{Accuracy, AppraisedDecision, Band, Fault, Habit, Share};
use crate::Estimate;

/// A decision that lost dice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake {
    /// The number of the game in its run.
    pub game: u64,
    /// The decision.
    pub step: AppraisedDecision,
}

/// Dice lost per game in one breakdown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossReport {
    /// The number of decisions that lost dice.
    pub mistakes: u64,
    /// The total of dice lost in all games.
    pub sum: f64,
    /// Dice lost per game by the odds.
    pub loss: Estimate,
    /// Dice that the best actions would have won in addition per game, with the actual dice.
    pub hindsight: Estimate,
}

impl LossReport {
    /// The mean loss of a mistake in dice; `None` without mistakes.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.mistakes > 0).then(|| self.sum / self.mistakes as f64)
    }
}

/// A fault and its losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaultReport {
    /// The fault.
    pub fault: Fault,
    /// The number of mistakes and dice lost per game.
    pub part: LossReport,
    /// The mistake that lost most, the first of several; `None` if there is none.
    pub costliest: Option<Mistake>,
}

/// A habit and its losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HabitReport {
    /// The habit.
    pub habit: Habit,
    /// The number of mistakes and dice lost per game.
    pub part: LossReport,
    /// The mistake that lost most, the first of several.
    pub costliest: Mistake,
}

/// The bids of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BidsReport {
    /// The share of bids that were called.
    pub called: Share,
    /// The called bids that held, against their odds.
    pub when_called: Accuracy,
    /// All bids by the probability that they hold.
    pub bands: [Band; Band::COUNT],
    /// The share of bids that the odds did not support.
    pub unsupported: Share,
    /// The share of unsupported bids that were called.
    pub unsupported_called: Share,
    /// The share of unsupported bids that were called and lost a die.
    pub unsupported_lost: Share,
}

/// The report of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct BotReport {
    /// The name of the player.
    pub name: String,
    /// The number of its games.
    pub games: u64,
    /// The number of games in which it was eliminated because it had no legal action.
    pub forfeits: u64,
    /// The number of decisions of each kind.
    pub decisions: [u64; 3],
    /// Dice won minus dice lost per game.
    pub balance: Estimate,
    /// Dice lost by all decisions.
    pub loss: LossReport,
    /// Dice lost by kind of decision.
    pub kinds: [LossReport; 3],
    /// Dice lost by fault.
    pub faults: [FaultReport; Fault::ALL.len()],
    /// Dice lost by the number of players still in, from 2 to 5.
    pub players: [LossReport; 4],
    /// The calls that were right, against their odds.
    pub calls: Accuracy,
    /// The calls by the probability that they are right.
    pub call_bands: [Band; Band::COUNT],
    /// The bids.
    pub bids: BidsReport,
    /// All habits, those that lost most dice in hindsight first.
    pub habits: Vec<HabitReport>,
    /// The decisions that lost most dice, the worst first.
    pub worst: Vec<Mistake>,
}

impl BotReport {
    /// The number of decisions of all kinds.
    #[must_use]
    pub fn all_decisions(&self) -> u64 {
        self.decisions.iter().sum()
    }
}
