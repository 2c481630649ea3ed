//! `dicehill advise`: ranks the choices in a position.

mod liars_dice;
mod ranking;
mod yahtzee;

use crate::args::AdviseArgs;
use crate::console::Console;
use crate::failure::{Failure, Outcome};

pub(crate) fn advise(args: &AdviseArgs, console: &Console) -> Result<Outcome, Failure> {
    match args {
        AdviseArgs::Yahtzee(args) => yahtzee::advise(args, console),
        AdviseArgs::LiarsDice(args) => liars_dice::advise(args, console),
    }
}
