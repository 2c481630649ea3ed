//! A transition between positions.

use dicehill_rules::yahtzee::Scorecard;

use crate::yahtzee::values::table::BonusState;

/// The end of a turn in which a roll fills a box, with its probability.
#[derive(Clone, Copy)]
pub(crate) struct Transition {
    pub(crate) chance: f64,
    /// The index of the position among those with the same free boxes.
    pub(crate) from: u8,
    pub(crate) to: BonusState,
    /// The score of the box.
    pub(crate) score: u8,
    /// Whether it earns the bonus for a further Yahtzee.
    pub(crate) bonus: bool,
    /// Whether it earns the upper bonus.
    pub(crate) crossed: bool,
}

impl Transition {
    /// Points without the bonus for a further Yahtzee.
    pub(crate) const fn gain(&self) -> u16 {
        let bonus = if self.crossed { Scorecard::UPPER_BONUS as u16 } else { 0 };
        self.score as u16 + bonus
    }
}
