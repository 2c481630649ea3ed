//! The report for people.

use std::io::{self, Write};

use dicehill_rules::yahtzee::Category;

use super::document::PERCENTILES;
use super::histogram;
use super::solved_game::SolvedGame;
use crate::layout::Printer;
use crate::text::{FAINT, STRONG, styled, thousands};

pub(super) fn write<W: Write>(solved: &SolvedGame, out: &mut Printer<W>) -> io::Result<()> {
    let SolvedGame { rules, start, distribution: found, .. } = solved;
    writeln!(out, "{}", styled(STRONG, format!("Solitaire Yahtzee, {rules} rules, solved")))?;
    writeln!(
        out,
        "  An optimal player scores {} on average.",
        styled(STRONG, format!("{start:.9}"))
    )?;
    let time = format!(
        "{} positions in {:.2} s, all scores in {:.2} s",
        thousands(rules.positions() as u64),
        solved.solution_seconds,
        solved.distribution_seconds
    );
    writeln!(out, "  {}\n", styled(FAINT, time))?;
    writeln!(out, "{}", styled(STRONG, "Scores"))?;
    let deviation = found.standard_deviation();
    let skewness = found.skewness();
    writeln!(out, "  standard deviation {deviation:.2}, skewness {skewness:.2}")?;
    let (lowest, highest) = (thousands(found.lowest()), thousands(found.highest()));
    writeln!(out, "  from {lowest} to {highest} can happen")?;
    let percentile = |share: f64| format!("{} %: {}", 100.0 * share, found.percentile(share));
    writeln!(out, "  percentiles: {}\n", PERCENTILES.map(percentile).join(", "))?;
    histogram::write(found, out)?;
    write_boxes(solved, out)?;
    write_bonuses(solved, out)
}

fn write_boxes(solved: &SolvedGame, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n{}", styled(STRONG, "Boxes                 mean      zero      full  of"))?;
    for category in Category::ALL {
        if let Some(result) = solved.distribution.category(category) {
            let zero = 100.0 * result.zero;
            let full = 100.0 * result.full;
            writeln!(
                out,
                "  {:<16} {:>7.3} {zero:>7.2} % {full:>7.2} %  {}",
                category.name(),
                result.mean,
                result.most
            )?;
        }
    }
    Ok(())
}

fn write_bonuses(solved: &SolvedGame, out: &mut impl Write) -> io::Result<()> {
    let found = &solved.distribution;
    writeln!(out, "\n{}", styled(STRONG, "Bonuses"))?;
    writeln!(out, "  upper bonus       {:>8.4} %", 100.0 * found.upper_bonus())?;
    let shown = found.yahtzee_bonuses().iter().enumerate().take(5);
    for (number, chance) in shown.filter(|(_, chance)| **chance > 0.0) {
        let noun = if number == 1 { "Yahtzee" } else { "Yahtzees" };
        writeln!(out, "  {number} further {noun:<8} {:>8.4} %", 100.0 * chance)?;
    }
    Ok(())
}
