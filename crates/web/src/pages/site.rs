//! The home page: all hills.

use dicehill_rules::{Game, GameName, with_game};
use maud::{Markup, html};

use super::layout::{Hosting, Page, bot_name, wide};
use super::numbers::{chance, thousands};
use crate::model::{HillSummary, SiteDocument};

/// The home page.
pub(crate) fn page(site: &SiteDocument) -> Markup {
    let body = html! {
        h1 #hills { "Hills" }
        @if site.hills.is_empty() {
            p { "This server shows no hill. You can " a href="/play" { "play against house bots" } "." }
        } @else {
            (wide("hills", html! { table {
                thead { tr {
                    th.text scope="col" { "Hill" }
                    th.text scope="col" { "Game" }
                    th.text scope="col" { "Champion" }
                    th scope="col" { "Bots" }
                    th scope="col" { "Tournaments" }
                    th.text scope="col" { "Now" }
                } }
                tbody { @for hill in &site.hills { (line(hill)) } }
            } }))
        }
    };
    Page {
        title: "Hills".to_owned(),
        hosting: Hosting::Server,
        trail: Vec::new(),
        scripts: &[],
        body,
    }
    .render()
}

fn line(hill: &HillSummary) -> Markup {
    html! { tr {
        th.text scope="row" { a href={ "/hills/" (hill.hill) } { bdi { (hill.name) } } }
        td.text { (title(&hill.game)) ", " (hill.format) }
        td.text { @match &hill.champion {
            Some(name) => { (bot_name(name)) @if let Some(sure) = hill.champion_sure { ", " (chance(sure)) " % sure" } },
            None => "–",
        } }
        td { (thousands(hill.entrants as u64)) }
        td { (thousands(hill.runs as u64)) }
        td.text { (hill.state.map_or("no run yet", |state| state.title())) }
    } }
}

/// The title of the game with this name; empty if there is no such game.
pub(crate) fn title(game: &str) -> &'static str {
    let game = game.parse::<GameName>();
    game.map_or("", |game| with_game!(game, G => <G as Game>::TITLE))
}
