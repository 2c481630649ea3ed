//! The pages of hills and runs, each with a board.

use maud::{Markup, html};

use super::layout::{Hosting, Page, bot_name, date, fact_list, foldable, hash, wide};
use super::numbers::{best, chance, drawn, duration, elo, percent, plus_minus, scale, thousands};
use super::site::title;
use crate::model::board::{BarDocument, Figure, LuckRow, PlacedRow, Row};
use crate::model::{BoardDocument, Estimate, HillDocument, RunLine, RunState};
use crate::pages::links::Links;

/// A hill's page; `accepts` says whether bots may be uploaded.
pub(crate) fn hill_page(hill: &HillDocument, accepts: bool) -> Markup {
    let address = &hill.summary.hill;
    let body = html! {
        div.masthead {
            div {
                p.kicker { (title(&hill.summary.game)) ", " (hill.summary.format) }
                h1 { bdi { (hill.summary.name) } }
            }
            @if accepts { a.button href={ "/hills/" (address) "/enter" } { "Enter a bot" } }
        }
        div #live data-live={ "/hills/" (address) "/live" } data-from={ "/hills/" (address) "/now" } {
            (now(hill))
        }
        p.unseen role="status" #told {}
    };
    Page {
        title: hill.summary.name.clone(),
        hosting: Hosting::Server,
        trail: vec![("Hills".to_owned(), "/".to_owned())],
        scripts: &["dates.js", "live.js"],
        body,
    }
    .render()
}

/// The part of a hill's page that changes.
pub(crate) fn now(hill: &HillDocument) -> Markup {
    html! {
        @match &hill.board {
            Some(board) => (self::board(board, Links::Server { hill: &hill.summary.hill, run: Some(board.run) })),
            None => p { (no_board(hill)) },
        }
        (latest(hill))
        @if let Some(placement) = &hill.placement {
            p.note {
                (bot_name(&placement.bot))
                @if placement.state == RunState::Playing { " is being placed in " }
                @else { " is not placed yet; interrupted in " }
                a href=(Links::Server { hill: &hill.summary.hill, run: Some(placement.run) }.board()) {
                    "run " (placement.run)
                }
                ", " (thousands(placement.games)) " games so far."
            }
        }
        @if let Some(commitment) = &hill.commitment {
            p.note { "Commitment for a future run: " code { (commitment) } }
        }
        (entrants(hill))
        (history(hill))
    }
}

/// Why a hill has no board.
fn no_board(hill: &HillDocument) -> &'static str {
    if hill.history.is_empty() {
        "No run has been played yet."
    } else {
        "The record of the last run was altered and is not shown."
    }
}

/// The page of one run.
pub(crate) fn run_page(board: &BoardDocument, links: Links<'_>, hosting: Hosting) -> Markup {
    let heading = match links {
        Links::Files => board.name.clone(),
        Links::Server { .. } => format!("{}, run {}", board.name, board.run),
    };
    let body = html! {
        p.kicker { (title(&board.game)) }
        h1 { bdi { (heading) } }
        (self::board(board, links))
    };
    let trail = match links {
        Links::Files => Vec::new(),
        Links::Server { hill, .. } => vec![
            ("Hills".to_owned(), "/".to_owned()),
            (board.name.clone(), format!("/hills/{hill}")),
        ],
    };
    Page { title: heading, hosting, trail, scripts: &["dates.js"], body }.render()
}

/// A run: its progress, standings, failures, bars and terms.
pub(crate) fn board(board: &BoardDocument, links: Links<'_>) -> Markup {
    html! {
        div.lead {
            (crown(board))
            (status(board))
        }
        section aria-labelledby="board" {
            h2 #board { "Board" }
            @if !board.rows.is_empty() { (foldable("board", standings(board, links))) }
            @if shares_a_mark(&board.rows) {
                p.note { "Bots that share a letter are not significantly different (95 %)." }
            }
            @if let Some(start) = board.start_value {
                p.note { "Loss: points per game given up against optimal play (" (format!("{start:.2}")) "), which scores the most on \
                    average. A bot that plays to win may give up score. The luck-adjusted score is that of optimal play minus the loss." }
            }
            @if board.rows.iter().any(|row| row.network) {
                p.note { "Bots marked network may use the network, so their programs alone do not determine their answers." }
            }
            @for note in &board.notes { p.note { bdi { (note) } } }
            @for row in &board.rows { @if let Some(placed) = &row.placed { (placement_note(row, placed, links)) } }
            p.links {
                a href=(links.head_to_head()) { "Head to head" }
                @if let Links::Server { .. } = links { a href={ (links.board()) "/games" } { "Games" } }
            }
        }
        (failures(board))
        (bars(board, links))
        (terms(board))
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
                @if let Some(rate) = progress.rate { ", " (thousands(rate.round() as u64)) " per second" }
                @if let Some(left) = progress.seconds_left { ", " (duration(left)) " left" }
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
        let heading = html! { (heading) };
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
                @if row.placed.is_some() { " " span.author { "placed" } }
                @if row.network { " " span.author { "network" } }
                @if let Some(author) = &row.author { " " span.author { "by " bdi { (author) } } }
                @if let Some(why) = &row.barred { " " span.author { "barred: " (why) } }
            }
            @for column in &columns {
                td.text[column.is_text].more[column.is_detail] { ((column.cell)(row)) }
            }
        } } }
    } }
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
        let rating = move |row: &Row| text(plus_minus(row.rating, 0));
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

fn failures(board: &BoardDocument) -> Markup {
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

fn bars(board: &BoardDocument, links: Links<'_>) -> Markup {
    html! { @if !board.bars.is_empty() {
        section aria-labelledby="bars" {
            h2 #bars { "Barred" }
            @for (number, bar) in (1..).zip(&board.bars) { (one_bar(number, bar, links.of_run(board.run))) }
        }
    } }
}

fn one_bar(number: usize, bar: &BarDocument, links: Links<'_>) -> Markup {
    html! { article.bar {
        h3 { (bot_name(&bar.bot)) }
        p {
            (bar.reason) " in "
            @if bar.game == 0 { "the qualification" } @else { "game " (bar.game) }
            @if bar.game > 0 { ": " a href=(links.bar(number)) { "its moves" } }
        }
        pre { bdi { (bar.detail) } }
        @if !bar.request.is_empty() {
            details { summary { "The request" } pre { bdi { (bar.request) } } }
        }
        @if !bar.log.is_empty() {
            details { summary { "The end of its log" } pre { @for line in &bar.log { bdi { (line) } "\n" } } }
        }
    } }
}

/// What is needed to repeat the run.
fn terms(board: &BoardDocument) -> Markup {
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

fn entrants(hill: &HillDocument) -> Markup {
    html! { @if hill.board.is_none() && !hill.entrants_now.is_empty() {
        section aria-labelledby="entrants" {
            h2 #entrants { "Entrants" }
            ul { @for entrant in &hill.entrants_now { li {
                (bot_name(&entrant.bot)) ", version " (entrant.version)
                @if let Some(author) = &entrant.author { ", by " bdi { (author) } }
            } } }
        }
    } }
}

/// What the last run that ended has changed.
fn latest(hill: &HillDocument) -> Markup {
    let mut ended = hill.history.iter().filter(|run| run.state == RunState::Ended);
    let Some(run) = ended.next() else { return html! {} };
    let before = ended.find_map(|run| run.champion.as_deref());
    let what = match (&run.placed, run.champion.as_deref(), before) {
        (Some(placed), _, _) => html! {
            strong { (bot_name(&placed.bot)) } " was placed: rank " (placed.rank) " of " (placed.among) "."
        },
        (None, Some(champion), Some(before)) if champion == before => html! {
            strong { (bot_name(champion)) } " defended the title."
        },
        (None, Some(champion), Some(before)) => html! {
            strong { (bot_name(champion)) } " dethroned " (bot_name(before)) "."
        },
        (None, Some(champion), None) => html! {
            strong { (bot_name(champion)) } " is the first champion."
        },
        (None, None, _) => html! { "The run ended without a champion." },
    };
    html! { section.latest aria-labelledby="latest" {
        h2 #latest { "What changed last" }
        p { (what) " " span.note { "Run " (run.run) ", " (date(run.ended.as_deref().unwrap_or(&run.begun))) } }
    } }
}

fn history(hill: &HillDocument) -> Markup {
    html! { @if !hill.history.is_empty() {
        section aria-labelledby="history" {
            h2 #history { "Runs" }
            (foldable("history", html! { table {
                thead { tr {
                    th scope="col" { "Run" }
                    th.text scope="col" { "Began" }
                    th.text.more scope="col" { "State" }
                    th.more scope="col" { "Bots" }
                    th.more scope="col" { "Games" }
                    th.text scope="col" { "Champion" }
                } }
                tbody { @for run in &hill.history { (past(&hill.summary.hill, run)) } }
            } }))
        }
    } }
}

fn past(hill: &str, run: &RunLine) -> Markup {
    html! { tr {
        th scope="row" { @if run.state == RunState::Altered { (run.run) } @else {
            a href=(Links::Server { hill, run: Some(run.run) }.board()) { (run.run) }
        } }
        td.text { (date(&run.begun)) }
        td.text.more { (run.state.title()) }
        td.more { (run.bots) }
        td.more { (thousands(run.games)) }
        td.text { @match &run.champion {
            Some(name) => { (bot_name(name)) @if let Some(sure) = run.champion_sure { ", P(best) " (chance(sure)) " %" } },
            None => @match &run.placed {
                Some(placed) => { (bot_name(&placed.bot)) " placed, " (placed.rank) " of " (placed.among) },
                None => "–",
            },
        } }
    } }
}
