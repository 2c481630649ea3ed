//! One end of a turn.

use dicehill_rules::yahtzee::Scorecard;

use crate::yahtzee::values::table::Lane;

/// One end of a turn.
#[derive(Clone, Copy)]
pub(crate) struct Move {
    pub(crate) chance: f64,
    /// The position, by its number among those with its free boxes.
    pub(crate) from: u8,
    pub(crate) to: Lane,
    /// What the box holds.
    pub(crate) score: u8,
    /// Whether a further Yahtzee earns its bonus.
    pub(crate) bonus: bool,
    /// Whether the upper bonus is earned.
    pub(crate) crossed: bool,
}

impl Move {
    /// Points without those for further Yahtzees.
    pub(crate) const fn gain(&self) -> u16 {
        let bonus = if self.crossed { Scorecard::UPPER_BONUS as u16 } else { 0 };
        self.score as u16 + bonus
    }
}
