//! The columns of a board for people.

use dicehill_arena::{Bounds, EloRating, FigureSummary, ResultDocument, Standing};

use super::cells::{chance, figure, rate_with_interval};
use super::luck;
use crate::layout::Column;
use crate::text::{elo, thousands};

/// A column with the function that gives an entrant's cell.
pub(super) type CellColumn<'a> = (Column, Box<dyn Fn(&Standing) -> String + 'a>);

/// All columns. Where not all fit, the sums of this game are left out first, then the chance of being the best, which a line below
/// says of the champion, and then ratings; the means of this game stay longest.
///
/// A placement has no ranks, letters and ratings: those of its few games, against rivals that were chosen, would contradict the
/// rank that it found.
pub(super) fn columns<'a>(
    result: &'a ResultDocument,
    names: CellColumn<'a>,
) -> Vec<CellColumn<'a>> {
    let rank = |row: &Standing| row.rank.map_or("-".to_owned(), |rank| rank.to_string());
    let is_placement = result.placing.is_some();
    let mut columns: Vec<CellColumn<'_>> = Vec::new();
    if !is_placement {
        columns.push((Column::number("#"), Box::new(rank)));
        columns.push((Column::name(""), Box::new(|row| row.mark.clone())));
    }
    columns.push(names);
    columns.push((Column::number("points"), Box::new(|row| of_whole(row, thousands(row.points)))));
    if result.standings.iter().any(|row| row.votes.is_some_and(|votes| votes.votes != 0)) {
        let votes = |row: &Standing| row.votes.map_or(String::new(), |v| v.votes.to_string());
        let total = |row: &Standing| row.votes.map_or(String::new(), |v| thousands(v.total));
        columns.push((Column::number("votes").priority(4), Box::new(votes)));
        columns.push((Column::number("total"), Box::new(total)));
    }
    if !is_placement && result.standings.iter().any(|row| row.best.is_some()) {
        let best =
            |row: &Standing| row.best.map_or("-".into(), |best| format!("{} %", chance(best)));
        columns.push((Column::number("P(best)").priority(5), Box::new(best)));
    }
    columns.push((Column::number("win % (95 % CI)"), Box::new(win_rate)));
    columns.extend(ratings(result));
    columns.extend(figures(result));
    if result.start_value.is_some() {
        columns.push((Column::number(luck::LOSS).priority(2), Box::new(luck::lost)));
    }
    columns
}

/// The column of ratings, if there are some.
fn ratings(result: &ResultDocument) -> Option<CellColumn<'_>> {
    let has = |rating: fn(&Standing) -> bool| result.standings.iter().any(rating);
    if result.placing.is_some() {
        None
    } else if has(|row| row.elo.is_some()) {
        Some((Column::number("Elo ± 95 %").priority(3), Box::new(|row| elo(row.elo))))
    } else if has(|row| row.rating.is_some()) {
        Some((Column::number("rating ± 95 %").priority(3), Box::new(first_rating)))
    } else {
        None
    }
}

/// The game's own columns. Means are kept longest; of the sums, the first are left out first, as they
/// only count turns.
fn figures(result: &ResultDocument) -> impl Iterator<Item = CellColumn<'_>> {
    let figures = result.standings.first().map_or(&[][..], |row| row.figures.as_slice());
    (0..).zip(figures).map(|(index, (name, summary))| {
        let column = match summary {
            FigureSummary::Distribution(_) => Column::number(format!("{name} ± 95 %")).priority(1),
            FigureSummary::Total(_) => Column::number(last_word(name)).priority(u8::MAX - index),
        };
        let cell = move |row: &Standing| match &row.figures[usize::from(index)].1 {
            mean @ FigureSummary::Distribution(_) => figure(mean),
            total @ FigureSummary::Total(_) => of_whole(row, figure(total)),
        };
        (column, Box::new(cell) as _)
    })
}

/// A sum over the whole run; `-` for an entrant that was placed after it.
fn of_whole(row: &Standing, sum: String) -> String {
    if row.placed.is_some() { "-".to_owned() } else { sum }
}

/// `gained` of `dice_gained`, to save room.
fn last_word(name: &str) -> String {
    name.rsplit('_').next().unwrap_or(name).to_owned()
}

/// The rating in a document of the first statistics.
fn first_rating(row: &Standing) -> String {
    let rating = |value| EloRating { value: Some(value), ci95: row.rating_ci95.map(Bounds::from) };
    elo(row.rating.map(rating))
}

fn win_rate(row: &Standing) -> String {
    rate_with_interval(row.win_rate, row.win_rate_ci95)
}
