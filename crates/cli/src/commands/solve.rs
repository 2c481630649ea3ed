//! `dicehill solve`: the value of optimal play.

mod liars_dice;
mod yahtzee;

use crate::args::SolveCommand;
use crate::console::Console;
use crate::failure::{Failure, Outcome};

pub(crate) fn solve(command: &SolveCommand, console: &Console) -> Result<Outcome, Failure> {
    match command {
        SolveCommand::Yahtzee(args) => yahtzee::solve(args, console),
        SolveCommand::LiarsDice(args) => liars_dice::solve(args, console),
    }
}
