//! The rows that are solved already.

use crate::yahtzee::contest::chance_row::Row;
use crate::yahtzee::contest::level::Level;
use crate::yahtzee::game::position::Position;
use crate::yahtzee::values::solution::Solution;
use crate::yahtzee::values::table::SETS;

/// What a further Yahtzee earns beside its box.
pub(crate) fn bonus(solution: &Solution, position: Position) -> u32 {
    solution.variant().further_yahtzee_bonus(position.has_yahtzee())
}

/// The rows that are known.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) rows: &'a [Row],
    pub(crate) places: &'a [u16; SETS],
    pub(crate) levels: &'a [Level],
}
