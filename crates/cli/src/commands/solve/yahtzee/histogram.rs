//! A histogram made of characters.

use std::io::{self, Write};

use dicehill_solver::yahtzee::Distribution;

use crate::layout::{Printer, Width};

/// The scores in a line.
const STEP: u32 = 25;
/// The characters of the longest bar, and of the text before a bar.
const MAX_BAR_WIDTH: usize = 50;
const BEFORE_BAR: usize = 23;

/// Writes a line for each 25 points, between the 0.1 % and the 99.9 % percentile.
pub(super) fn write<W: Write>(found: &Distribution, out: &mut Printer<W>) -> io::Result<()> {
    let longest = match out.width() {
        Width::Columns(columns) => columns.saturating_sub(BEFORE_BAR).min(MAX_BAR_WIDTH),
        Width::Unlimited => MAX_BAR_WIDTH,
    };
    let (first, last) = (found.percentile(0.001) / STEP, found.percentile(0.999) / STEP);
    let share = |line: u32| found.at_least(line * STEP) - found.at_least((line + 1) * STEP);
    let most = (first..=last).map(share).fold(0.0, f64::max);
    for line in first..=last {
        let share = share(line);
        let bar = bar(longest as f64 * share / most);
        let (from, to) = (line * STEP, line * STEP + STEP - 1);
        writeln!(out, "  {from:>4} - {to:<4} {:>5.2} %  {bar}", 100.0 * share)?;
    }
    Ok(())
}

/// A bar of `length` characters, the last of them partial.
fn bar(length: f64) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (8.0 * length).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}
