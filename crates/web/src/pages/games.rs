//! The list of a run's games.

use maud::{Markup, html};

use crate::model::games::{GameRow, GamesDocument};
use crate::pages::layout::{Hosting, Page, bot_name, wide};
use crate::pages::links::Links;
use crate::pages::numbers::thousands;

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
        @if !document.keeps_moves { p.note { "The moves of these games were not kept, only their results." } }
        (search(document, links))
        @if document.games.is_empty() {
            p { "There are no games here." }
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

pub(crate) fn table(games: &[GameRow], links: Links<'_>) -> Markup {
    let has_scores = games.iter().any(|game| !game.scores.is_empty());
    let has_failures = games.iter().any(|game| !game.failures.is_empty());
    html! { table.game-list {
        thead { tr {
            th scope="col" { "Game" }
            th.text scope="col" { "Seats and " @if has_scores { "scores" } @else { "points" } "; the winner is bold" }
            @if has_failures { th.text scope="col" { "Failures" } }
        } }
        tbody { @for game in games { tr {
            th scope="row" { a href=(links.game(game.number)) { (thousands(game.number)) } }
            td.text { (seats(game)) }
            @if has_failures { td.text { (failures(game)) } }
        } } }
    } }
}

fn seats(game: &GameRow) -> Markup {
    let numbers = if game.scores.is_empty() { &game.points } else { &game.scores };
    html! {
        ol.seats { @for (seat, (name, number)) in game.seats.iter().zip(numbers).enumerate() {
            li {
                @if game.won.contains(&seat) { strong { (bot_name(name)) span.unseen { ", the winner," } } }
                @else { (bot_name(name)) }
                " " span.points { (thousands(*number)) }
            }
        } }
        @if game.void { p.note { "does not count" } }
        @else if game.won.is_empty() { p.note { "no winner" } }
        @if game.played_off { p.note { "play-off" } }
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
