//! The tables of `--details`: differences, head to head, luck, results by seat.

use std::io::Write;

use dicehill_arena::{
    HeadToHead, Interval, ResultDocument, ScoreDifference, SeatStanding, Standing,
};

use super::cells::rate_with_interval;
use super::luck;
use crate::layout::{Column, Form, Printer, Section};
use crate::text::thousands;

/// What a board of very many entrants says instead of its results of pairs.
const LEFT_OUT: &str =
    "Head to head is left out for so many bots; `dicehill export RUN --rows pairs` has it.";

/// Writes the tables.
pub(super) fn write<W: Write>(
    out: &mut Printer<W>,
    result: &ResultDocument,
    form: Form,
) -> std::io::Result<()> {
    sections(result).iter().try_for_each(|section| section.write(out, form))?;
    // Of a duel or a gauntlet the board says it.
    let is_left_out = |key: &str| result.left_out.iter().any(|name| name == key);
    if is_left_out("head_to_head") && !is_left_out("pairings") {
        form.line(out, LEFT_OUT)?;
    }
    Ok(())
}

/// The tables that have rows.
fn sections(result: &ResultDocument) -> Vec<Section> {
    let standings = &result.standings;
    let mut sections = vec![
        differences(result),
        encounters(result),
        Section::new(
            "Luck-adjusted scores",
            luck::score_columns(),
            standings.iter().filter_map(luck::scores).collect(),
        ),
        Section::new(
            "Luck-adjusted points per game",
            luck::point_columns(),
            standings.iter().filter_map(luck::points).collect(),
        ),
        by_seat(standings),
    ];
    sections.retain(|section| !section.is_empty());
    sections
}

fn differences(result: &ResultDocument) -> Section {
    Section::new(
        "Differences between neighbours",
        vec![Column::name("bot"), Column::name("next"), Column::number("points/game (95 % CI)")],
        result.differences.iter().map(difference).collect(),
    )
}

fn encounters(result: &ResultDocument) -> Section {
    Section::new(
        "Head to head",
        vec![
            Column::name("bot"),
            Column::name("other"),
            Column::number("games"),
            Column::number("ahead").priority(2),
            Column::number("level").priority(1),
            Column::number("behind").priority(2),
            Column::number("ahead % (95 % CI)"),
        ],
        result.head_to_head.iter().map(head_to_head).collect(),
    )
}

fn by_seat(standings: &[Standing]) -> Section {
    Section::new(
        "By seat",
        vec![
            Column::name("bot"),
            Column::number("seat"),
            Column::number("games").priority(2),
            Column::number("wins").priority(3),
            Column::number("points").priority(1),
            Column::number("win % (95 % CI)"),
        ],
        standings.iter().flat_map(seats).collect(),
    )
}

fn difference(difference: &ScoreDifference) -> Vec<String> {
    let ScoreDifference { bot, next, points_per_game, ci95: Interval { low, high } } = difference;
    // Where no game was different, nothing is known of the difference in others.
    let points = if low < high {
        format!("{points_per_game:+.3} ({low:+.3} to {high:+.3})")
    } else {
        format!("{points_per_game:+.3} (equal in all games)")
    };
    vec![bot.clone(), next.clone(), points]
}

fn head_to_head(pair: &HeadToHead) -> Vec<String> {
    let counts = [pair.games, pair.ahead, pair.level, pair.behind].map(thousands);
    let mut row = vec![pair.bot.clone(), pair.other.clone()];
    row.extend(counts);
    row.push(rate_with_interval(pair.rate, pair.rate_ci95));
    row
}

fn seats(row: &Standing) -> Vec<Vec<String>> {
    let one = |seat: &SeatStanding| {
        let counts = [seat.games, seat.wins, seat.points].map(thousands);
        let mut cells = vec![row.bot.clone(), (seat.seat + 1).to_string()];
        cells.extend(counts);
        cells.push(rate_with_interval(Some(seat.win_rate), seat.win_rate_ci95));
        cells
    };
    row.seats.iter().map(one).collect()
}
