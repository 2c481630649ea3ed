//! `dicehill advise`: ranks what can be done in a position.

mod liars_dice;
mod yahtzee;

use std::io::Write;

use comfy_table::{CellAlignment, Table};
use dicehill_rules::Face;

use crate::args::AdviseArgs;
use crate::failure::{Failure, Outcome};
use crate::text::{FAINT, STRONG, styled};

pub(crate) fn advise(args: &AdviseArgs) -> Result<Outcome, Failure> {
    match args {
        AdviseArgs::Yahtzee(args) => yahtzee::advise(args),
        AdviseArgs::LiarsDice(args) => liars_dice::advise(args),
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

/// Writes a ranking: numbers to the right but for the second column, the best in bold.
fn ranked(out: &mut impl Write, table: &mut Table) -> std::io::Result<()> {
    for (index, column) in table.column_iter_mut().enumerate() {
        let left = index == 1;
        column.set_padding((0, 2));
        column.set_cell_alignment(if left { CellAlignment::Left } else { CellAlignment::Right });
    }
    for (line, text) in table.trim_fmt().lines().enumerate() {
        let style = match line {
            0 => FAINT,
            1 => STRONG,
            _ => Default::default(),
        };
        writeln!(out, "{}", styled(style, text))?;
    }
    Ok(())
}
