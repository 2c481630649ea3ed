//! The home page: all hills.

use dicehill_rules::{Game, GameName, with_game};
use maud::{Markup, html};

use super::layout::{Hosting, Page, Preview, bot_name};
use super::numbers::{best, thousands};
use crate::model::{HillSummary, SiteDocument};

/// The home page.
pub(crate) fn page(site: &SiteDocument, origin: Option<&str>) -> Markup {
    let body = html! {
        h1 #hills { "Hills" }
        p.intro {
            "A hill is a king-of-the-hill contest between programs that play dice games. Bots play a run, the best one is the \
            champion, and every new bot may try to take its place. Every die follows from a seed: each game can be replayed and \
            checked. You can " a href="/play" { "play against the bots" } " yourself, or "
            a href="/docs/bots" { "write one" } "."
        }
        @if site.hills.is_empty() {
            p { "This server shows no hill." }
        } @else {
            ul.hills { @for hill in &site.hills { (card(hill)) } }
        }
    };
    let page = Page {
        title: "Hills".to_owned(),
        hosting: Hosting::Server,
        trail: Vec::new(),
        scripts: &[],
        body,
    };
    let description = "King-of-the-hill contests between programs that play dice games.";
    page.render_with(&Preview::of(origin, "/".to_owned(), description.to_owned()))
}

fn card(hill: &HillSummary) -> Markup {
    html! { li.card {
        p.kicker { (title(&hill.game)) ", " (hill.format) }
        h2 { a href={ "/hills/" (hill.hill) } { bdi { (hill.name) } } }
        p.crown { @match &hill.champion {
            Some(name) => {
                span.kicker { "Champion:" } " " strong { (bot_name(name)) }
                @if let Some(sure) = hill.champion_sure { " " (best(sure)) }
            },
            None => "No champion yet",
        } }
        p.note {
            (bots_and_runs(hill))
            @if let Some(state) = hill.state { ", the last one " (state.title()) }
        }
    } }
}

/// `4 bots, 2 runs`. A hill of imported runs has no bots of its own.
pub(super) fn bots_and_runs(hill: &HillSummary) -> String {
    let runs = counted(hill.runs as u64, "run");
    match hill.entrants as u64 {
        0 => runs,
        bots => format!("{}, {runs}", counted(bots, "bot")),
    }
}

/// `1 bot`, `2 bots`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// The title of the game with this name; empty if there is no such game.
pub(crate) fn title(game: &str) -> &'static str {
    let game = game.parse::<GameName>();
    game.map_or("", |game| with_game!(game, G => <G as Game>::TITLE))
}
