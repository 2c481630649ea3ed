//! `dicehill advise`: ranks what can be done in a position.

mod liars_dice;
mod yahtzee;

use std::io::Write;

use dicehill_rules::Face;

use crate::args::AdviseArgs;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::layout::{Printer, Table};
use crate::text::{FAINT, STRONG, styled};

pub(crate) fn advise(args: &AdviseArgs, console: &Console) -> Result<Outcome, Failure> {
    match args {
        AdviseArgs::Yahtzee(args) => yahtzee::advise(args, console),
        AdviseArgs::LiarsDice(args) => liars_dice::advise(args, console),
    }
}

/// Dice as `1,1,4,6,6` or `11466`.
fn read_dice(text: &str) -> Result<Vec<Face>, Failure> {
    let pips = text.chars().filter(|c| !c.is_whitespace() && *c != ',');
    let face = |c: char| {
        let pips = c.to_digit(10).and_then(|digit| Face::new(digit as u8));
        pips.ok_or_else(|| {
            Failure::Usage(format!("--dice {text:?}: {c:?} is no face: they are 1 to 6"))
        })
    };
    pips.map(face).collect()
}

/// Writes a ranking, the best in bold.
fn ranked<W: Write>(out: &mut Printer<W>, table: &Table) -> std::io::Result<()> {
    table.write_styled(out, |row, line| match row {
        0 => styled(FAINT, line),
        1 => styled(STRONG, line),
        _ => line.to_owned(),
    })
}
