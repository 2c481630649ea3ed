//! The index page of a run in files: the board, and the games that have pages.

use maud::{Markup, html};

use crate::model::BoardDocument;
use crate::pages::board::{board, description};
use crate::pages::layout::{Hosting, Page, Preview, bot_name, wide};
use crate::pages::links::Links;
use crate::pages::numbers::thousands;
use crate::pages::site::title;

/// What the index page shows.
pub(crate) struct StaticIndex<'a> {
    pub(crate) board: &'a BoardDocument,
    pub(crate) games: Vec<GameLink>,
    pub(crate) keeps_moves: bool,
}

/// A game with a page.
pub(crate) struct GameLink {
    pub(crate) number: u64,
    pub(crate) seats: Vec<String>,
    /// The scores by seat, of a game that has scores.
    pub(crate) scores: Vec<u64>,
    /// The seats that won.
    pub(crate) winners: Vec<usize>,
    pub(crate) void: bool,
    /// Why it has a page; empty if it was requested by number.
    pub(crate) why: Vec<&'static str>,
}

/// The index page.
pub(crate) fn page(index: &StaticIndex<'_>) -> Markup {
    let name = &index.board.name;
    let body = html! {
        p.kicker { (title(&index.board.game)) }
        h1 { bdi { (name) } }
        (board(index.board, Links::Files, &|game| index.games.iter().any(|link| link.number == game)))
        (games(index))
    };
    let page = Page {
        title: name.clone(),
        hosting: Hosting::File,
        trail: Vec::new(),
        scripts: &["dates.js"],
        body,
    };
    page.render_with(&Preview { description: description(index.board), ..Preview::default() })
}

fn games(index: &StaticIndex<'_>) -> Markup {
    html! {
        section aria-labelledby="games" {
            h2 #games { "Games" }
            @if !index.keeps_moves { p.note { "The moves of these games were not kept." } }
            @if !index.games.is_empty() { (wide("games", table(&index.games))) }
        }
    }
}

fn table(games: &[GameLink]) -> Markup {
    let has_reasons = games.iter().any(|game| !game.why.is_empty());
    html! { table.games {
        thead { tr {
            th.text scope="col" { "Game" }
            th.text scope="col" { "Seats" }
            th.text scope="col" { "Won by" }
            @if has_reasons { th.text scope="col" { "Shown as" } }
        } }
        tbody { @for game in games { tr {
            th.text scope="row" { a href=(Links::Files.game(game.number)) { (game.number) } }
            td.text { (seats(game)) }
            td.text {
                @if game.void { "void" }
                @else if game.winners.is_empty() { "nobody" }
                @else { (names(game, &game.winners)) }
            }
            @if has_reasons { td.text { (game.why.join(", ")) } }
        } } }
    } }
}

/// The bots by seat, with their scores.
fn seats(game: &GameLink) -> Markup {
    html! { @for (seat, name) in game.seats.iter().enumerate() {
        @if seat > 0 { ", " }
        (bot_name(name))
        @if let Some(score) = game.scores.get(seat) { " " (thousands(*score)) }
    } }
}

fn names(game: &GameLink, seats: &[usize]) -> Markup {
    html! { @for (index, seat) in seats.iter().enumerate() {
        @if index > 0 { ", " }
        (bot_name(&game.seats[*seat]))
    } }
}
