//! A game move by move: a list of all moves, from which a script makes a player.

mod liars_dice;
mod parts;
mod player;
mod yahtzee;

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use crate::model::replay::{ReplayDocument, ReplayMoves, ReplaySeat};
use crate::pages::board::capital;
use crate::pages::dice;
use crate::pages::layout::{Hosting, Page, Preview, bot_name, facts, foldable, wide};
use crate::pages::links::Links;
use crate::pages::numbers::thousands;
use crate::pages::site::title;

/// The most moves of a page. A game of Liar's Dice has no more; one of Yahtzee reaches it with 150 players.
pub(crate) const MAX_MOVES: usize = 6000;

/// The most bots that the description of a game names.
const MAX_NAMED: usize = 6;

/// Where a game was played.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlayedIn {
    /// In a run, most often of a hill.
    Run,
    /// At a table for people.
    Table,
}

/// What a page shows in addition to the document of the game.
pub(crate) struct ReplayFrame<'a> {
    pub(crate) title: String,
    pub(crate) played_in: PlayedIn,
    pub(crate) links: Links<'a>,
    /// The pages above it.
    pub(crate) trail: Vec<(String, String)>,
    /// The address of the document in the API.
    pub(crate) json: Option<String>,
    /// The games before and after it, if there are any.
    pub(crate) neighbours: [Option<u64>; 2],
}

/// The page of a game.
pub(crate) fn page(document: &ReplayDocument, frame: ReplayFrame<'_>) -> Markup {
    page_with(document, frame, &Preview::default())
}

/// The page of a game with what other services show of it.
pub(crate) fn page_with(
    document: &ReplayDocument,
    frame: ReplayFrame<'_>,
    preview: &Preview<'_>,
) -> Markup {
    let ReplayFrame { title: heading, played_in, links, trail, json, neighbours } = frame;
    let hosting = match links {
        Links::Server { .. } => Hosting::Server,
        Links::Files => Hosting::File,
    };
    let names = document.names();
    let body = html! {
        (dice::drawings())
        p.kicker { (title(document.game)) }
        h1 { bdi { (heading) } }
        (neighbouring(links, neighbours))
        @match &document.replay {
            Some(moves) => {
                (player(moves, &names))
                (results(document, played_in))
                (decisions(moves, &names))
                (list(moves, &names))
                (data(document))
            },
            None => {
                p.note { "The moves of this game were not kept, only its result." }
                (results(document, played_in))
                (failures(document, &names))
            },
        }
        section aria-labelledby="facts" {
            h2 #facts { "The game" }
            (facts(&facts_of(document, played_in)))
            @if let Some(json) = json { p { a href=(json) { "This game as JSON" } } }
        }
    };
    Page {
        title: heading,
        hosting,
        trail,
        scripts: &["elements.js", "replay-tables.js", "replay.js"],
        body,
    }
    .render_with(preview)
}

/// The game in a sentence, for services that show links.
pub(crate) fn description(document: &ReplayDocument) -> String {
    let seat = |seat: &ReplaySeat| {
        let number = seat.figures.get("score").unwrap_or(&seat.points);
        let won = if seat.won { " (won)" } else { "" };
        format!("{} {number}{won}", dicehill_arena::printable(&seat.bot))
    };
    let seats: Vec<_> = document.seats.iter().take(MAX_NAMED).map(seat).collect();
    let more = document.seats.len().saturating_sub(MAX_NAMED);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{}: {}{more}.", title(document.game), seats.join(", "))
}

/// The page, as a file, of a game that can no longer be shown.
pub(crate) fn unreadable(title: &str, trail: &[(String, String)], why: &str) -> Markup {
    let body = html! {
        h1 { bdi { (title) } }
        p { "This game can no longer be shown: " bdi { (dicehill_arena::printable(why)) } }
    };
    let trail = trail.to_vec();
    Page { title: title.to_owned(), hosting: Hosting::File, trail, scripts: &[], body }.render()
}

fn neighbouring(links: Links<'_>, [before, after]: [Option<u64>; 2]) -> Markup {
    html! {
        @if before.is_some() || after.is_some() {
            nav.neighbours aria-label="Games" {
                @if let Some(game) = before { a href=(links.game(game)) rel="prev" { "← Game " (game) } }
                @if let Some(game) = after { a href=(links.game(game)) rel="next" { "Game " (game) " →" } }
            }
        }
    }
}

fn player(moves: &ReplayMoves, names: &[String]) -> Markup {
    match moves {
        ReplayMoves::Yahtzee(replay) => player::yahtzee(replay, names),
        ReplayMoves::LiarsDice(replay) => player::liars_dice(replay, names),
    }
}

fn list(moves: &ReplayMoves, names: &[String]) -> Markup {
    html! {
        h2 #moves { "Moves" }
        @match moves {
            ReplayMoves::Yahtzee(replay) => (yahtzee::list(replay, names)),
            ReplayMoves::LiarsDice(replay) => (liars_dice::list(replay, names)),
        }
        @if moves.left_out() > 0 {
            p.note { "The game has " (moves.count()) " moves. This page shows only the first ones." }
        }
    }
}

/// The table of luck and decisions, in Yahtzee.
fn decisions(moves: &ReplayMoves, names: &[String]) -> Markup {
    match moves {
        ReplayMoves::Yahtzee(replay) => yahtzee::decisions(replay, names),
        ReplayMoves::LiarsDice(_) => html! {},
    }
}

fn facts_of(document: &ReplayDocument, played_in: PlayedIn) -> Vec<(&'static str, String)> {
    let printable = dicehill_arena::printable;
    let mut facts = match played_in {
        PlayedIn::Run => vec![("Hill", printable(&document.name))],
        PlayedIn::Table => vec![("Played at", printable(&document.name))],
    };
    facts.extend(document.run.map(|run| ("Run", run.to_string())));
    facts.extend([
        ("Rules", printable(&document.rules)),
        ("Game", document.number.to_string()),
        ("Table", document.table.to_string()),
    ]);
    facts.extend(document.replay.as_ref().map(|moves| ("Moves", moves.count().to_string())));
    facts.extend(document.seed.as_ref().map(|seed| ("Seed", printable(seed))));
    if document.played_off {
        facts.push(("Played", "as a play-off".to_owned()));
    }
    facts
}

/// The points and figures of each seat.
fn results(document: &ReplayDocument, played_in: PlayedIn) -> Markup {
    let figures: Vec<_> =
        document.seats.first().into_iter().flat_map(|seat| seat.figures.keys().copied()).collect();
    let folds = figures.len() > 1;
    let player = match played_in {
        PlayedIn::Run => "Bot",
        PlayedIn::Table => "Player",
    };
    html! {
        h2 #result { "Result" }
        @if document.void { p.note { "A fault ended this game: it does not count." } }
        @let table = html! { table #result-of-seats {
            thead { tr {
                th scope="col" { "Seat" }
                th.text scope="col" { (player) }
                th.text scope="col" { "Won" }
                th scope="col" { "Points" }
                @for figure in &figures { th.more[folds] scope="col" { (capital(figure)) } }
            } }
            tbody { @for (number, seat) in (1..).zip(&document.seats) { (result(number, seat, folds)) } }
        } };
        @if folds { (foldable("result", table)) } @else { (wide("result", table)) }
    }
}

fn result(number: usize, seat: &ReplaySeat, folds: bool) -> Markup {
    html! { tr {
        td { (number) }
        th.text scope="row" { (bot_name(&seat.bot)) }
        td.text { @if seat.won { "yes" } @else { "no" } }
        td { (thousands(seat.points)) }
        @for value in seat.figures.values() { td.more[folds] { (thousands(*value)) } }
    } }
}

fn failures(document: &ReplayDocument, names: &[String]) -> Markup {
    let name = |seat: usize| names.get(seat).map_or("a bot", String::as_str);
    html! {
        @if !document.failures.is_empty() {
            h2 #failures { "Failures" }
            ul { @for failure in &document.failures { li {
                (bot_name(name(failure.seat))) " gives no legal action: "
                bdi { (dicehill_arena::printable(&failure.reason))
                      @if !failure.detail.is_empty() { ": " (dicehill_arena::printable(&failure.detail)) } }
            } } }
        }
    }
}

/// The document for the script, as a block of data that browsers do not execute.
fn data(document: &ReplayDocument) -> Markup {
    html! { script #replay type="application/json" { (PreEscaped(embeddable_json(document))) } }
}

/// JSON in which nothing can end the enclosing element.
fn embeddable_json(document: &impl Serialize) -> String {
    let json = dicehill_arena::printable_json(document).expect("a document has only string keys");
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
