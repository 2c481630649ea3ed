//! The cells of a board about loss and luck.

use dicehill_arena::{AdjustedPoints, Interval, Luck, Standing, six_digits};

use super::cells::{figure, optional, plus_minus};
use crate::layout::Column;

/// The heading of the loss against optimal play.
pub(super) const LOSS: &str = "loss/game ± 95 %";

/// The note that explains losses, with the expected score of optimal play.
pub(super) fn note(start_value: f64) -> String {
    format!("loss: points per game given up against optimal play, {start_value:.2}")
}

/// The loss per game with half the width of its 95 % interval.
pub(super) fn lost(row: &Standing) -> String {
    let luck = row.luck.as_ref();
    luck.and_then(|luck| Some(plus_minus(luck.loss?, luck.loss_interval())))
        .unwrap_or_else(|| "-".to_owned())
}

/// The columns of the mean scores, as they are and luck-adjusted.
pub(super) fn score_columns() -> Vec<Column> {
    vec![
        Column::name("bot"),
        Column::number("mean score ± 95 %").priority(1),
        Column::number(LOSS),
        Column::number("luck-adjusted ± 95 %"),
        Column::number("variance").priority(2),
    ]
}

/// An entrant's mean scores as scored and luck-adjusted; `None` if it did not play.
pub(super) fn scores(row: &Standing) -> Option<Vec<String>> {
    let luck = row.luck.as_ref()?;
    let plain = row.figures.first().map_or_else(String::new, |(_, summary)| figure(summary));
    let adjusted = plus_minus(luck.score?, luck.score_interval());
    Some(vec![row.bot.clone(), plain, lost(row), adjusted, divided(luck.variance_ratio)])
}

/// The columns of the points as scored and luck-adjusted.
pub(super) fn point_columns() -> Vec<Column> {
    vec![
        Column::name("bot"),
        Column::number("points/game (95 % CI)").priority(1),
        Column::number("luck-adjusted (95 % CI)"),
        Column::number("variance").priority(2),
    ]
}

/// An entrant's points as scored and luck-adjusted; `None` for too few games.
pub(super) fn points(row: &Standing) -> Option<Vec<String>> {
    let points = row.luck.as_ref()?.points.as_ref()?;
    let AdjustedPoints { plain, plain_ci95, adjusted, adjusted_ci95, variance_ratio, .. } = points;
    Some(vec![
        row.bot.clone(),
        with_interval(*plain, *plain_ci95),
        with_interval(*adjusted, *adjusted_ci95),
        divided(*variance_ratio),
    ])
}

fn with_interval(mean: f64, Interval { low, high }: Interval) -> String {
    format!("{mean:.4} ({low:.4} to {high:.4})")
}

/// By what luck adjustment divides the variance: the factor by which it saves games.
fn divided(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "-".to_owned(), |ratio| format!("÷ {ratio:.2}"))
}

/// The headings in CSV.
pub(super) const CSV_HEADINGS: [&str; 14] = [
    "loss",
    "loss_se",
    "loss_low",
    "loss_high",
    "score_without_luck",
    "score_variance_ratio",
    "points_a_game",
    "points_a_game_low",
    "points_a_game_high",
    "points_without_luck",
    "points_without_luck_low",
    "points_without_luck_high",
    "points_variance_ratio",
    "controls",
];

/// An entrant's values under these headings.
pub(super) fn csv_values(luck: &Luck) -> Vec<String> {
    let interval = luck.loss_interval();
    let points = luck.points.as_ref();
    let of = |value: fn(&AdjustedPoints) -> f64| points.map(value);
    let numbers = [
        luck.loss,
        luck.se,
        interval.map(|interval| interval.low),
        interval.map(|interval| interval.high),
        luck.score,
        luck.variance_ratio,
        of(|points| points.plain),
        of(|points| points.plain_ci95.low),
        of(|points| points.plain_ci95.high),
        of(|points| points.adjusted),
        of(|points| points.adjusted_ci95.low),
        of(|points| points.adjusted_ci95.high),
        points.and_then(|points| points.variance_ratio),
    ];
    let controls = optional(points.map(|points| points.controls));
    numbers.map(|number| optional(number.map(six_digits))).into_iter().chain([controls]).collect()
}

#[cfg(test)]
mod tests;
