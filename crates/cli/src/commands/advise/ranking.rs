//! A ranking of choices.

use std::io::Write;

use crate::layout::{Printer, Table};
use crate::text::{FAINT, STRONG, styled};

/// Writes a ranking with the best choice in bold.
pub(super) fn write_ranking<W: Write>(out: &mut Printer<W>, table: &Table) -> std::io::Result<()> {
    table.write_styled(out, |row, line| match row {
        0 => styled(FAINT, line),
        1 => styled(STRONG, line),
        _ => line.to_owned(),
    })
}
