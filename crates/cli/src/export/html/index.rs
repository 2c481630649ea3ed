//! The first page: the board, who was barred, and the games that have pages.

use dicehill_arena::Bar;
use maud::{Markup, html};

use super::chosen::Chosen;
use super::page::{Page, bot_name, facts};
use super::{bar_file, game_file, winner};
use crate::export::board::{BOT, Board, BoardRow, is_left};
use crate::export::exported_game::ExportedGame;
use crate::text::printable;

/// Pairings that are shown, at most.
const MOST_PAIRINGS: usize = 1000;

/// `pages` are those that there are already.
pub(crate) fn page<G: ExportedGame>(
    board: &Board,
    games: &[Chosen],
    pages: &[String],
    keeps_moves: bool,
) -> Markup {
    let program = board.facts.iter().find(|(name, _)| *name == "program");
    Page {
        title: format!("{}, {}", printable(&board.name), G::TITLE),
        back: None,
        program: program.map(|(_, program)| program.clone()).unwrap_or_default(),
        body: html! {
            p.kicker { (G::TITLE) }
            h1 { bdi { (printable(&board.name)) } }
            (standings(board))
            (bars(&board.bars, pages))
            (pairings(board))
            (list_of_games(games, keeps_moves))
            section aria-labelledby="run" { h2 #run { "The run" } (facts(&board.facts)) }
        },
    }
    .render()
}

fn standings(board: &Board) -> Markup {
    html! {
        section aria-labelledby="board" {
            h2 #board { "Board" }
            @if !board.rows.is_empty() {
                div.wide tabindex="0" role="region" aria-labelledby="board" { table {
                    thead { tr { @for (column, heading) in board.headings.iter().enumerate() {
                        th.text[is_left(column)] scope="col" { (heading) }
                    } } }
                    tbody { @for row in &board.rows { (standing(row)) } }
                } }
            }
            @for note in &board.notes { p.note { bdi { (note) } } }
        }
    }
}

fn standing(row: &BoardRow) -> Markup {
    html! {
        tr { @for (column, cell) in row.cells.iter().enumerate() {
            @if column == BOT {
                th.text scope="row" {
                    (named(row, cell))
                    @if let Some(author) = &row.author { " " span.author { "by " bdi { (author) } } }
                }
            } @else {
                td.text[is_left(column)] { (cell) }
            }
        } }
    }
}

/// The name, with a link to where one can read about the bot.
fn named(row: &BoardRow, name: &str) -> Markup {
    html! {
        @match &row.url {
            Some(url) => a href=(url) rel="nofollow noopener noreferrer" { (bot_name(name)) },
            None => (bot_name(name)),
        }
    }
}

fn bars(bars: &[Bar], pages: &[String]) -> Markup {
    html! {
        @if !bars.is_empty() {
            section aria-labelledby="bars" {
                h2 #bars { "Barred" }
                @for (number, bar) in (1..).zip(bars) {
                    article.bar {
                        h3 { (bot_name(&bar.bot)) }
                        p {
                            (printable(&bar.reason)) " in "
                            @if bar.game == 0 { "the qualification" } @else { "game " (bar.game) }
                            @if pages.contains(&bar_file(number)) {
                                ": " a href=(bar_file(number)) { "its moves" }
                            }
                        }
                        pre { bdi { (printable(&bar.detail)) } }
                        @if !bar.request.is_empty() {
                            details { summary { "What it was shown" } pre { bdi { (printable(&bar.request)) } } }
                        }
                        @if !bar.log.is_empty() {
                            details { summary { "Its last words" } pre {
                                @for line in &bar.log { bdi { (printable(line)) } "\n" }
                            } }
                        }
                    }
                }
            }
        }
    }
}

fn pairings(board: &Board) -> Markup {
    html! {
        @if !board.pairings.is_empty() {
            section aria-labelledby="pairings" {
                h2 #pairings { "Pairings" }
                div.wide tabindex="0" role="region" aria-labelledby="pairings" { table {
                    thead { tr {
                        th.text scope="col" { "Bot" }
                        th scope="col" { "Win % (95 %)" }
                        th scope="col" { "Games" }
                    } }
                    @for pairing in board.pairings.iter().take(MOST_PAIRINGS) {
                        tbody { @for (name, rate) in &pairing.results { tr {
                            th.text scope="row" { (bot_name(name)) }
                            td { (rate) }
                            td { (pairing.games) }
                        } } }
                    }
                } }
                @if board.pairings.len() > MOST_PAIRINGS {
                    p.note { "and " (board.pairings.len() - MOST_PAIRINGS) " more" }
                }
            }
        }
    }
}

fn list_of_games(games: &[Chosen], keeps_moves: bool) -> Markup {
    let has_reasons = games.iter().any(|game| !game.why.is_empty());
    html! {
        section aria-labelledby="games" {
            h2 #games { "Games" }
            @if !keeps_moves { p.note { "The moves of these games were not kept." } }
            @if !games.is_empty() {
                div.wide tabindex="0" role="region" aria-labelledby="games" { table.games {
                    thead { tr {
                        th.text scope="col" { "Game" }
                        th.text scope="col" { "Seats" }
                        th.text scope="col" { "Won by" }
                        @if has_reasons { th.text scope="col" { "Shown as" } }
                    } }
                    tbody { @for game in games { tr {
                        th.text scope="row" { a href=(game_file(game.line.game)) { (game.line.game) } }
                        td.text { @for (seat, name) in game.line.seats.iter().enumerate() {
                            @if seat > 0 { ", " }
                            (bot_name(name))
                        } }
                        td.text { bdi { (winner(&game.line)) } }
                        @if has_reasons { td.text { (game.why.join(", ")) } }
                    } } }
                } }
            }
        }
    }
}
