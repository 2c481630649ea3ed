//! What a player's mistakes cost, ready to be shown.

use dicehill_rules::yahtzee::{Category, Roll};
use dicehill_solver::yahtzee::Position;

use super::{Choice, Estimate, Habit, Kind};

/// A decision that lost points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake {
    /// The number of the game.
    pub game: u64,
    /// 1 to 13.
    pub round: u32,
    /// What was decided.
    pub kind: Kind,
    /// When: 0 after the first roll, 2 after the last.
    pub stage: u8,
    /// The dice in the order shown.
    pub dice: Roll,
    /// The position before the turn.
    pub position: Position,
    /// What the player did.
    pub chosen: Choice,
    /// What is best.
    pub best: Choice,
    /// Points that the best is worth more.
    pub loss: f64,
}

/// Points lost in some part, a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartReport {
    /// Decisions that lost points.
    pub mistakes: u64,
    /// Points lost a game.
    pub loss: Estimate,
}

/// A habit and what it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HabitReport {
    /// What it is.
    pub habit: Habit,
    /// How often, and points lost a game.
    pub part: PartReport,
    /// The instance that lost most, the first of several.
    pub costliest: Mistake,
}

/// What the games of a player show.
#[derive(Clone, Debug, PartialEq)]
pub struct BotReport {
    /// The player.
    pub name: String,
    /// Games that count.
    pub games: u64,
    /// Decisions of each kind.
    pub decisions: [u64; 3],
    /// The score a game.
    pub score: Estimate,
    /// The luck of the dice a game, in points.
    pub luck: Estimate,
    /// Points lost a game.
    pub loss: PartReport,
    /// The same by kind.
    pub kinds: [PartReport; 3],
    /// By round.
    pub rounds: [PartReport; 13],
    /// By box: lost by filling it where another was better.
    pub filled: [PartReport; 13],
    /// By box: lost by filling another where this was best.
    pub passed_over: [PartReport; 13],
    /// All habits, the costliest first.
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

    /// Each box with what was lost by filling it wrongly, and by passing it over.
    pub fn boxes(&self) -> impl Iterator<Item = (Category, PartReport, PartReport)> + '_ {
        let parts = self.filled.iter().zip(&self.passed_over);
        Category::ALL
            .into_iter()
            .zip(parts)
            .map(|(category, (filled, passed_over))| (category, *filled, *passed_over))
    }
}
