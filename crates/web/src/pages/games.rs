//! The list of a run's games.

use maud::{Markup, html};

use crate::model::games::{GameRow, GamesDocument};
use crate::pages::layout::{Hosting, Page, bot_name, wide};
use crate::pages::links::Links;

/// The page of some games of a run, with the pages of `trail` above it.
pub(crate) fn page(
    document: &GamesDocument,
    links: Links<'_>,
    trail: Vec<(String, String)>,
) -> Markup {
    let name = dicehill_arena::printable(&document.name);
    let body = html! {
        p.kicker { "Run " (document.run) }
        h1 #games { "Games" @if let Some(bot) = &document.bot { " of " (bot_name(bot)) } }
        @if !document.keeps_moves { p.note { "The moves of these games were not kept, only their outcomes." } }
        (search(document, links))
        @if document.games.is_empty() {
            p { "No games." }
        } @else {
            (wide("games", table(&document.games, links)))
        }
        (others(document, links))
    };
    Page { title: format!("Games, {name}"), hosting: Hosting::Server, trail, scripts: &[], body }
        .render()
}

fn search(document: &GamesDocument, links: Links<'_>) -> Markup {
    html! {
        form.search action=(links.games(None)) {
            @if let Some(bot) = &document.bot { input type="hidden" name="bot" value=(bot); }
            label for="from" { "From game" }
            input #from type="number" name="from" min="1" max=(document.count.max(1)) required;
            button { "Show" }
            @if document.bot.is_some() { a href=(links.games(None)) { "All games" } }
        }
    }
}

fn table(games: &[GameRow], links: Links<'_>) -> Markup {
    let has_failures = games.iter().any(|game| !game.failures.is_empty());
    html! { table {
        thead { tr {
            th scope="col" { "Game" }
            th.text scope="col" { "Seats and points" }
            th.text scope="col" { "Won by" }
            @if has_failures { th.text scope="col" { "Failures" } }
        } }
        tbody { @for game in games { tr {
            th scope="row" { a href=(links.game(game.number)) { (game.number) } }
            td.text { (seats(game)) }
            td.text { (winners(game)) @if game.played_off { " (play-off)" } }
            @if has_failures { td.text { (failures(game)) } }
        } } }
    } }
}

fn seats(game: &GameRow) -> Markup {
    html! { @for (seat, (name, points)) in game.seats.iter().zip(&game.points).enumerate() {
        @if seat > 0 { ", " }
        (bot_name(name)) " " (points)
    } }
}

fn winners(game: &GameRow) -> Markup {
    html! {
        @if game.void { "does not count" }
        @else if game.won.is_empty() { "nobody" }
        @else { @for (index, seat) in game.won.iter().enumerate() {
            @if index > 0 { ", " }
            (bot_name(&game.seats[*seat]))
        } }
    }
}

fn failures(game: &GameRow) -> Markup {
    html! { @for (index, failure) in game.failures.iter().enumerate() {
        @if index > 0 { ", " }
        @if let Some(name) = game.seats.get(failure.seat) { (bot_name(name)) ": " }
        bdi { (dicehill_arena::printable(&failure.reason)) }
    } }
}

/// Links to the games before and after these.
fn others(document: &GamesDocument, links: Links<'_>) -> Markup {
    let at = |key: &str, game: u64| {
        let games = links.games(document.bot.as_deref());
        let separator = if document.bot.is_some() { '&' } else { '?' };
        format!("{games}{separator}{key}={game}")
    };
    html! {
        nav.neighbours aria-label="More games" {
            @if let Some(game) = document.before { a href=(at("before", game)) rel="prev" { "← Earlier games" } }
            @if let Some(game) = document.from { a href=(at("from", game)) rel="next" { "Later games →" } }
        }
    }
}
