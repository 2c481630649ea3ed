//! The rows solved so far.

use crate::yahtzee::contest::chance_row::ChanceRow;
use crate::yahtzee::contest::level::Level;
use crate::yahtzee::game::position::Position;
use crate::yahtzee::values::solution::Solution;
use crate::yahtzee::values::table::SETS;

/// The bonus for a further Yahtzee.
pub(crate) fn bonus(solution: &Solution, position: Position) -> u32 {
    solution.variant().further_yahtzee_bonus(position.has_yahtzee())
}

/// The rows solved so far, which have fewer free boxes.
#[derive(Clone, Copy)]
pub(crate) struct SolvedRows<'a> {
    pub(crate) rows: &'a [ChanceRow],
    pub(crate) indices: &'a [u16; SETS],
    pub(crate) levels: &'a [Level],
}
