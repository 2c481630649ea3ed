//! The picture of a distribution.

use std::error::Error;

use dicehill_solver::yahtzee::Distribution;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::solved_game::SolvedGame;

const SIZE: (u32, u32) = (1100, 620);
const INK: RGBColor = RGBColor(32, 33, 36);
const GREY: RGBColor = RGBColor(95, 99, 104);
const GRID: RGBColor = RGBColor(225, 228, 232);
const BARS: RGBColor = RGBColor(66, 133, 190);
const MARK: RGBColor = RGBColor(178, 58, 46);
/// Percentiles that are marked, and on which of two lines.
const MARKED: [(f64, bool); 5] =
    [(0.05, false), (0.25, true), (0.5, false), (0.75, true), (0.95, false)];

/// The picture as SVG.
pub(super) fn draw(solved: &SolvedGame) -> Result<String, Box<dyn Error + Send + Sync>> {
    let mut picture = String::new();
    draw_into(solved, &mut picture).map_err(|error| error.to_string())?;
    Ok(picture)
}

fn draw_into(solved: &SolvedGame, picture: &mut String) -> Result<(), Box<dyn Error>> {
    let found = &solved.distribution;
    let low = f64::from(found.percentile(0.000_5)) - 5.0;
    let high = f64::from(found.percentile(0.999_5)) + 5.0;
    let shown = found.scores().filter(|(score, _)| (low..high).contains(&f64::from(*score)));
    let shown: Vec<_> = shown.map(|(score, chance)| (f64::from(score), 100.0 * chance)).collect();
    let top = 1.2 * shown.iter().map(|(_, share)| *share).fold(0.0, f64::max);
    let root = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let (title, below) = titles(solved);
    root.draw(&Text::new(title, (90, 22), style(24, &INK)))?;
    root.draw(&Text::new(below, (90, 54), style(15, &GREY)))?;
    let mut chart = ChartBuilder::on(&root)
        .margin_top(88)
        .margin_right(30)
        .margin_bottom(12)
        .margin_left(14)
        .x_label_area_size(56)
        .y_label_area_size(76)
        .build_cartesian_2d(low..high, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(GREY)
        .label_style(style(14, &INK))
        .axis_desc_style(style(16, &INK))
        .x_desc("final score (points)")
        .y_desc("games with this score (%)")
        .x_labels(14)
        .x_label_formatter(&|score| format!("{score:.0}"))
        .y_label_formatter(&|share| format!("{share:.1}"))
        .draw()?;
    chart.draw_series(shown.iter().map(|(score, share)| {
        Rectangle::new([(score - 0.5, 0.0), (score + 0.5, *share)], BARS.filled())
    }))?;
    mark_percentiles(&mut chart, found, top)?;
    root.present()?;
    Ok(())
}

/// The chart, in points and percent.
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

fn mark_percentiles(
    chart: &mut Chart<'_, '_>,
    found: &Distribution,
    top: f64,
) -> Result<(), Box<dyn Error>> {
    for (share, is_lower) in MARKED {
        let score = f64::from(found.percentile(share));
        let height = top * if is_lower { 0.89 } else { 0.95 };
        chart.draw_series([PathElement::new([(score, 0.0), (score, height)], MARK.mix(0.75))])?;
        let anchor = Pos::new(HPos::Center, VPos::Bottom);
        let label = format!("{} %: {score}", 100.0 * share);
        chart.draw_series([Text::new(label, (score, height), style(14, &MARK).pos(anchor))])?;
    }
    Ok(())
}

fn titles(solved: &SolvedGame) -> (String, String) {
    let found = &solved.distribution;
    let title = format!("Scores of optimal solitaire Yahtzee, {} rules", solved.rules);
    let below = format!(
        "mean {:.2}, standard deviation {:.2}; upper bonus in {:.1} % of games; in red the score that this share of games does not exceed",
        found.mean(),
        found.standard_deviation(),
        100.0 * found.upper_bonus()
    );
    (title, below)
}

fn style(size: u32, color: &RGBColor) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(color)
}
