//! What the mistakes of a player lost.

use dicehill_rules::yahtzee::{Category, Roll};
use dicehill_solver::yahtzee::Position;

use super::{Choice, DecisionKind, Estimate, Habit};

/// A decision that lost points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake {
    /// The number of the game in its run.
    pub game: u64,
    /// 1 to 13.
    pub round: u32,
    /// The kind of the decision.
    pub kind: DecisionKind,
    /// 0 after the first roll to 2 after the last.
    pub stage: u8,
    /// The dice in the order shown.
    pub dice: Roll,
    /// The position before the turn.
    pub position: Position,
    /// The choice of the player.
    pub chosen: Choice,
    /// The best choice.
    pub best: Choice,
    /// Points by which the best choice is worth more.
    pub loss: f64,
}

/// Points lost per game in one breakdown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossReport {
    /// The number of decisions that lost points.
    pub mistakes: u64,
    /// Points lost per game.
    pub loss: Estimate,
}

/// A habit and its losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HabitReport {
    /// The habit.
    pub habit: Habit,
    /// The number of mistakes and points lost per game.
    pub part: LossReport,
    /// The mistake that lost most, the first of several.
    pub costliest: Mistake,
}

/// The report of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct BotReport {
    /// The name of the player.
    pub name: String,
    /// The number of games that count.
    pub games: u64,
    /// The number of decisions of each kind.
    pub decisions: [u64; 3],
    /// The score per game.
    pub score: Estimate,
    /// The luck of the dice in points per game.
    pub luck: Estimate,
    /// Points lost by all decisions.
    pub loss: LossReport,
    /// Points lost by kind of decision.
    pub kinds: [LossReport; 3],
    /// Points lost by round.
    pub rounds: [LossReport; 13],
    /// By box: points lost by filling it when another was better.
    pub filled: [LossReport; 13],
    /// By box: points lost by filling another when this was best.
    pub passed_over: [LossReport; 13],
    /// All habits, those that lost most points first.
    pub habits: Vec<HabitReport>,
    /// The decisions that lost most points, the worst first.
    pub worst: Vec<Mistake>,
}

impl BotReport {
    /// The number of decisions of all kinds.
    #[must_use]
    pub fn all_decisions(&self) -> u64 {
        self.decisions.iter().sum()
    }

    /// Each box with the losses by filling it and by passing it over.
    pub fn boxes(&self) -> impl Iterator<Item = (Category, LossReport, LossReport)> + '_ {
        let parts = self.filled.iter().zip(&self.passed_over);
        Category::ALL
            .into_iter()
            .zip(parts)
            .map(|(category, (filled, passed_over))| (category, *filled, *passed_over))
    }
}
