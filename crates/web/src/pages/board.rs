//! The page of a run: its board, and what else is known of it.

use dicehill_arena::Reason;
use maud::{Markup, html};

use super::highlights::remarkable_games;
use super::layout::{Hosting, Page, Preview, bot_name, date, fact_list, foldable, hash, wide};
use super::numbers::{
    best, chance, drawn, duration, elo, percent, plus_minus, scale, signed_estimate, thousands,
    with_unit,
};
use super::site::{counted, title};
use crate::model::board::{BarDocument, Figure, LuckRow, PlacedRow, Row};
use crate::model::{BoardDocument, Estimate, RunState};
use crate::pages::links::Links;

/// The page of one run.
pub(crate) fn run_page(board: &BoardDocument, hill: &str, origin: Option<&str>) -> Markup {
    let links = Links::Server { hill, run: Some(board.run) };
    let heading = format!("{}, run {}", board.name, board.run);
    let body = html! {
        p.kicker { (title(&board.game)) }
        h1 { bdi { (heading) } }
        (self::board(board, links, &|_| true))
    };
    let trail =
        vec![("Hills".to_owned(), "/".to_owned()), (board.name.clone(), format!("/hills/{hill}"))];
    let page =
        Page { title: heading, hosting: Hosting::Server, trail, scripts: &["dates.js"], body };
    page.render_with(&Preview::of(origin, links.board(), description(board)))
}

/// The run in a sentence, for services that show links.
pub(crate) fn description(board: &BoardDocument) -> String {
    let bots = counted(board.rows.len() as u64, "bot");
    let of = format!("{bots} at {}, {} games", title(&board.game), thousands(board.progress.games));
    match (&board.champion, board.champion_sure) {
        (Some(champion), Some(sure)) => {
            let champion = dicehill_arena::printable(champion);
            format!("Champion: {champion}, P(best) {} %. {of}.", chance(sure))
        }
        (Some(champion), None) => {
            format!("Champion: {}. {of}.", dicehill_arena::printable(champion))
        }
        (None, _) => format!("{of}."),
    }
}

/// A run: its progress, standings, remarkable games, failures, bars and terms. `has_page` says which games have a page.
pub(crate) fn board(
    board: &BoardDocument,
    links: Links<'_>,
    has_page: &dyn Fn(u64) -> bool,
) -> Markup {
    html! {
        (lead(board))
        (standings_section(board, links))
        (remarkable_games(board, links, has_page))
        (failures(board))
        (bars(board, links))
        (terms(board))
    }
}

/// The progress of a run, and who leads.
pub(crate) fn lead(board: &BoardDocument) -> Markup {
    html! { div.lead {
        (crown(board))
        (status(board))
    } }
}

/// The standings, with what explains them.
pub(crate) fn standings_section(board: &BoardDocument, links: Links<'_>) -> Markup {
    html! {
        section aria-labelledby="board" {
            h2 #board { "Board" }
            @if !board.rows.is_empty() { (foldable("board", standings(board, links))) }
            @if shares_a_mark(&board.rows) {
                p.note.more { "Bots that share a letter are not significantly different (95 %)." }
            }
            @if let Some(start) = board.start_value {
                p.note.more { "Loss: points per game given up against optimal play (" (format!("{start:.2}")) "), which scores the most on \
                    average. A bot that plays to win may give up score. The luck-adjusted score is that of optimal play minus the loss." }
            }
            @if board.rows.iter().any(|row| row.network) {
                p.note { "Bots marked network may use the network, so their programs alone do not determine their answers." }
            }
            @if board.rows.iter().any(|row| row.remote) {
                p.note { "Bots marked remote run on their authors' machines: they are not sandboxed, their games cannot be \
                    played again, and their clocks include the network." }
            }
            @for note in &board.notes { p.note { bdi { (note) } } }
            @for row in board.rows.iter().filter(|row| row.barred.is_none()) { @if let Some(placed) = &row.placed { (placement_note(row, placed, links)) } }
            p.links {
                a href=(links.head_to_head()) { "Head to head" }
                @if let Links::Server { .. } = links { a href={ (links.board()) "/games" } { "Games" } }
            }
        }
    }
}

/// The interval of a placed entrant's rank, with a link to its games.
fn placement_note(row: &Row, placed: &PlacedRow, links: Links<'_>) -> Markup {
    let [best, worst] = placed.rank_ci95;
    html! { p.note {
        (bot_name(&row.bot)) " was placed among " (placed.among) ": rank " (best) " to " (worst) " (95 % CI), after "
        (thousands(placed.games)) " games of "
        a href=(links.of_run(placed.run).board()) { "run " (placed.run) }
        ". Its points are not comparable with those of the whole run."
    } }
}

/// The progress of a run. The height of its lines does not depend on their content.
fn status(board: &BoardDocument) -> Markup {
    let progress = &board.progress;
    html! {
        div.status data-state=(progress.state.title()) {
            p {
                span.state { "Run" @if board.run > 0 { " " (board.run) } ": " (progress.state.title()) }
                " " (thousands(progress.games)) " of " (thousands(progress.of)) " games"
                @if let Some(rate) = progress.rate { ", " span.whole { (thousands(rate.round() as u64)) " per second" } }
                @if let Some(left) = progress.seconds_left { ", " span.whole { (duration(left)) " left" } }
            }
            @if progress.state != RunState::Ended {
                progress max=(progress.of) value=(progress.games) aria-label="Games played" {}
            }
        }
    }
}

fn crown(board: &BoardDocument) -> Markup {
    html! {
        p.crown { @match (&board.champion, board.tied.as_slice()) {
            (Some(champion), _) => {
                span.kicker { "Champion:" }
                " " strong { (bot_name(champion)) } " "
                @if let Some(sure) = board.champion_sure { (best(sure)) }
            },
            (None, _) if let Some(placed) = &board.placed => bdi { (placed.sentence()) },
            (None, []) if board.rows.iter().all(|row| row.games == 0) => (nothing_played(board)),
            (None, []) => { @match board.rows.first().filter(|_| board.progress.state != RunState::Ended) {
                Some(first) => {
                    span.kicker { "Leader:" }
                    " " strong { (bot_name(&first.bot)) } " "
                    @if let Some(sure) = first.best { (best(sure)) }
                },
                None => "No champion",
            } },
            (None, tied) => {
                "No champion: "
                @for (index, name) in tied.iter().enumerate() { @if index > 0 { ", " } (bot_name(name)) }
                " are tied"
            },
        } }
    }
}

/// That no game was played, and why.
fn nothing_played(board: &BoardDocument) -> &'static str {
    let left = board.rows.iter().filter(|row| row.barred.is_none()).count();
    match (board.progress.state, left) {
        (RunState::Ended, 0) => "No game was played: every bot is barred",
        (RunState::Ended, 1) => "No game was played: only one bot is not barred",
        (RunState::Ended, _) => "No game was played",
        (RunState::Playing | RunState::Stopped | RunState::Altered, _) => {
            "No game has been played yet"
        }
    }
}

/// A column of the standings.
struct Column<'a> {
    heading: Markup,
    is_text: bool,
    /// Whether a narrow screen leaves it out at first.
    is_detail: bool,
    cell: Box<dyn Fn(&Row) -> Markup + 'a>,
}

impl<'a> Column<'a> {
    fn numbers(heading: &str, cell: impl Fn(&Row) -> Markup + 'a) -> Self {
        let heading = with_unit(heading);
        Self { heading, is_text: false, is_detail: true, cell: Box::new(cell) }
    }
}

fn standings(board: &BoardDocument, links: Links<'_>) -> Markup {
    let columns = columns(board);
    html! { table.standings {
        thead { tr {
            th scope="col" { abbr title="Rank" { "#" } }
            th.text.more scope="col" { "Group" }
            th.text scope="col" { "Bot" }
            @for column in &columns {
                th.text[column.is_text].more[column.is_detail] scope="col" { (column.heading) }
            }
        } }
        tbody { @for row in &board.rows { tr.barred[row.barred.is_some()] {
            td { @match row.rank { Some(rank) => (rank), None => "–" } }
            td.text.bands.more { (bands(&row.mark)) }
            th.text scope="row" {
                @let run = row.placed.as_ref().map_or(links, |placed| links.of_run(placed.run));
                a href=(run.bot(row.place, &row.bot)) { (bot_name(&row.bot)) }
                @if row.placed.is_some() && row.barred.is_none() { " " span.author { "placed" } }
                @if row.remote { " " span.author { "remote" } }
                @if row.network { " " span.author { "network" } }
                @if let Some(author) = &row.author { " " span.author { "by " bdi { (author) } } }
                @if let Some(why) = &row.barred { " " span.author { (bar_word(why)) ": " (why) } }
            }
            @for column in &columns {
                td.text[column.is_text].more[column.is_detail] { ((column.cell)(row)) }
            }
        } } }
    } }
}

/// What has happened to an entrant that did not play to the end, for this reason.
pub(super) fn bar_word(why: &str) -> &'static str {
    if why.starts_with(Reason::Absent.name()) { "skipped" } else { "barred" }
}

/// The letters of an entrant's groups, each with its own shade.
fn bands(mark: &str) -> Markup {
    html! { @for letter in mark.chars() {
        @let shade = (u32::from(letter).wrapping_sub(u32::from('a'))) % 6;
        span class={ "band band-" (shade) } { (letter) }
    } }
}

fn columns(board: &BoardDocument) -> Vec<Column<'_>> {
    let text = |text: String| html! { (text) };
    let rows = &board.rows;
    let mut columns = vec![Column::numbers("Points", move |row| text(of_whole(row, row.points)))];
    if rows.iter().any(|row| row.votes.is_some_and(|votes| votes != 0)) {
        columns.push(Column::numbers("Votes", |row| html! { (row.votes.unwrap_or(0)) }));
        let total = move |row: &Row| text(of_whole(row, row.total.unwrap_or(row.points)));
        columns.push(Column::numbers("Total", total));
    }
    if rows.iter().any(|row| row.best.is_some()) {
        let best = move |row: &Row| text(row.best.map_or("–".to_owned(), chance));
        columns.push(Column { is_detail: false, ..Column::numbers("P(best) %", best) });
    }
    columns.push(Column {
        heading: html! { "Win % (95 % CI)" (scale()) },
        is_text: true,
        is_detail: false,
        cell: Box::new(
            |row| html! { (drawn(row.win_rate)) span.number { (percent(row.win_rate)) } },
        ),
    });
    if rows.iter().any(|row| row.elo.is_some()) {
        columns.push(Column::numbers("Elo ± 95 %", move |row| text(elo(row.elo))));
    } else if rows.iter().any(|row| row.rating.is_some()) {
        // Of a document of the first statistics.
        let rating = move |row: &Row| text(row.rating.map_or("–".to_owned(), signed_estimate));
        columns.push(Column::numbers("Rating ± 95 %", rating));
    }
    columns.extend(figure_columns(rows));
    if board.start_value.is_some() {
        let luck = |of: fn(&LuckRow) -> Option<Estimate>| {
            move |row: &Row| text(plus_minus(row.luck.as_ref().and_then(of), 2))
        };
        let score = luck(|luck| luck.score);
        columns.push(Column::numbers("Luck-adjusted score ± 95 %", score));
        columns.push(Column::numbers("Loss/game ± 95 %", luck(|luck| luck.loss)));
    }
    columns
}

/// A sum over the whole run; a dash for a placed entrant, which did not play it.
fn of_whole(row: &Row, sum: u64) -> String {
    if row.placed.is_some() { "–".to_owned() } else { thousands(sum) }
}

fn figure_columns(rows: &[Row]) -> Vec<Column<'static>> {
    let Some(first) = rows.iter().find(|row| row.placed.is_none()) else { return Vec::new() };
    let column = |(index, figure): (usize, &Figure)| {
        if figure.total.is_some() {
            let total = move |row: &Row| {
                html! { (of_whole(row, row.figures.get(index).and_then(|f| f.total).unwrap_or(0))) }
            };
            return Column::numbers(&capital(&figure.name), total);
        }
        let mean = move |row: &Row| {
            html! { (plus_minus(row.figures.get(index).and_then(|f| f.mean), 2)) }
        };
        Column::numbers(&format!("Mean {} ± 95 %", figure.name.replace('_', " ")), mean)
    };
    first.figures.iter().enumerate().map(column).collect()
}

/// `dice_gained` as `Dice gained`.
pub(crate) fn capital(name: &str) -> String {
    let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
    format!("{}{}", first.to_uppercase(), rest.replace('_', " "))
}

fn shares_a_mark(rows: &[Row]) -> bool {
    let letters: Vec<char> = rows.iter().flat_map(|row| row.mark.chars()).collect();
    letters.iter().enumerate().any(|(index, letter)| letters[..index].contains(letter))
}

pub(crate) fn failures(board: &BoardDocument) -> Markup {
    html! { @if !board.failures.is_empty() {
        section aria-labelledby="failures" {
            h2 #failures { "Failures" }
            (wide("failures", html! { table {
                thead { tr {
                    th.text scope="col" { "Bot" }
                    th.text scope="col" { "Reason" }
                    th scope="col" { "Times" }
                } }
                tbody { @for failure in &board.failures { tr {
                    th.text scope="row" { (bot_name(&failure.bot)) }
                    td.text { (failure.reason) }
                    td { (thousands(failure.count)) }
                } } }
            } }))
        }
    } }
}

pub(crate) fn bars(board: &BoardDocument, links: Links<'_>) -> Markup {
    html! { @if !board.bars.is_empty() {
        section aria-labelledby="bars" {
            @let is_skipped = |bar: &BarDocument| bar_word(&bar.reason) == "skipped";
            h2 #bars { @match (board.bars.iter().any(is_skipped), board.bars.iter().all(is_skipped)) {
                (false, _) => "Barred",
                (true, true) => "Skipped",
                (true, false) => "Barred or skipped",
            } }
            @for (number, bar) in (1..).zip(&board.bars) { (one_bar(number, bar, links.of_run(board.run))) }
        }
    } }
}

/// What stands in the place of what a bot was asked and what it answered.
pub(crate) fn private_failure() -> Markup {
    html! { p.note { "Its author and the host see the request, the answer and the log in their accounts." } }
}

fn one_bar(number: usize, bar: &BarDocument, links: Links<'_>) -> Markup {
    html! { article.bar {
        h3 { (bot_name(&bar.bot)) }
        p {
            (bar.reason) " in "
            @if bar.game == 0 { "the qualification" } @else { "game " (bar.game) }
            @if bar.game > 0 { ": " a href=(links.bar(number)) { "its moves" } }
        }
        @if bar.is_private { (private_failure()) } @else { pre { bdi { (bar.detail) } } }
        @if !bar.request.is_empty() {
            details { summary { "The request" } pre { bdi { (bar.request) } } }
        }
        @if !bar.log.is_empty() {
            details { summary { "The end of its log" } pre { @for line in &bar.log { bdi { (line) } "\n" } } }
        }
    } }
}

/// What is needed to repeat the run.
pub(crate) fn terms(board: &BoardDocument) -> Markup {
    let text = |text: &str| html! { bdi { (text) } };
    let mut list = vec![
        ("Game", text(title(&board.game))),
        ("Rules", text(&board.rules)),
        ("Format", text(&board.format)),
        ("Memory of bots", text(&board.memory)),
        ("Played by", text(&board.program)),
    ];
    // A log does not record when the run began.
    if !board.begun.is_empty() {
        list.push(("Began", date(&board.begun)));
    }
    list.extend(board.ended.as_deref().map(|ended| ("Ended", date(ended))));
    list.extend(board.seed.as_deref().map(|seed| ("Seed", text(seed))));
    list.extend(board.commitment.as_deref().map(|commitment| ("Commitment", hash(commitment))));
    list.extend(board.records.as_deref().map(|records| ("Hash over all games", hash(records))));
    html! { section aria-labelledby="terms" { h2 #terms { "Terms of the run" } (fact_list(&list)) } }
}
