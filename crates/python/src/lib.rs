//! The native part of the Python package `dicehill`: games by their rules, exact values of Yahtzee, solved rounds of Liar's
//! Dice, recorded runs and what their decisions cost, and tournaments between functions in Python and house bots. The part in Python (`python/dicehill`) wraps it.

mod advice;
mod analysis;
mod arguments;
mod callable;
mod columns;
mod openspiel;
mod position;
mod recorded;
mod round;
mod solution;
mod state;
mod tournament;
mod vector;

/// See the documentation of the package, `dicehill`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::advice::{LastBidBelief, LiarsDiceAdvice, LiarsDiceChoice, advise_liars_dice};
    #[pymodule_export]
    use crate::analysis::analyze;
    #[pymodule_export]
    use crate::columns::ColumnBuffers;
    #[pymodule_export]
    use crate::openspiel::PythonPosition;
    #[pymodule_export]
    use crate::recorded::{FileError, RecordedRun, read_hill};
    #[pymodule_export]
    use crate::round::{InformationSet, RoundBounds, SolvedRound, exploitability, solve_round};
    #[pymodule_export]
    use crate::solution::{Choice, Solution};
    #[pymodule_export]
    use crate::state::{IllegalAction, LiarsDiceState, SeatResult, YahtzeeState};
    #[pymodule_export]
    use crate::tournament::{house_bots, tournament};
    #[pymodule_export]
    use crate::vector::{
        VectorEnvironment, action_count, decode_action, encode_action, observation_fields,
    };
}
