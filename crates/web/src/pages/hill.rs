//! The front of a hill: who leads and how sure that is, what has changed, and what is worth seeing.

use dicehill_store::ZonedTime;
use maud::{Markup, html};

use super::board::{bars, failures, lead, standings_section, terms};
use super::chart::ratings_chart;
use super::dice;
use super::games::table;
use super::highlights::remarkable_games;
use super::layout::{Hosting, Page, Preview, bot_name, date, foldable, wide};
use super::links::Links;
use super::numbers::{chance, signed_estimate, thousands};
use super::site::{bots_and_runs, counted, title};
use crate::model::change::{ChangeDocument, ChangeKind};
use crate::model::{BoardDocument, HillDocument, RunLine, RunState};

/// How a page is shown by the server: whether bots may be uploaded, and by which URL readers reach it, if that is known.
#[derive(Clone, Copy)]
pub(crate) struct Visit<'a> {
    pub(crate) accepts: bool,
    pub(crate) origin: Option<&'a str>,
}

/// A hill's page.
pub(crate) fn hill_page(hill: &HillDocument, visit: Visit<'_>) -> Markup {
    let address = &hill.summary.hill;
    let body = html! {
        (dice::drawings())
        div.masthead {
            div {
                p.kicker {
                    (title(&hill.summary.game)) ", " (hill.summary.format) ": "
                    (bots_and_runs(&hill.summary))
                }
                h1 { bdi { (hill.summary.name) } }
            }
            @if visit.accepts { p {
                a.button href={ "/hills/" (address) "/enter" } { "Enter a bot" } " "
                a href={ "/hills/" (address) "/account" } { "Account" }
            } }
        }
        div #live data-live={ "/hills/" (address) "/live" } data-from={ "/hills/" (address) "/now" } {
            (now(hill))
        }
        p.unseen role="status" #told {}
        p.note { a href={ "/hills/" (address) "/feed.atom" } { "News of this hill as a feed" } }
    };
    let page = Page {
        title: hill.summary.name.clone(),
        hosting: Hosting::Server,
        trail: vec![("Hills".to_owned(), "/".to_owned())],
        scripts: &["dates.js", "live.js", "elements.js", "watch.js"],
        body,
    };
    let path = Links::Server { hill: address, run: None }.board();
    page.render_with(&Preview::of(visit.origin, path, description(hill)))
}

/// The hill in a sentence, for services that show links.
fn description(hill: &HillDocument) -> String {
    let summary = &hill.summary;
    let bots = counted(summary.entrants as u64, "bot");
    let game = title(&summary.game);
    let Some(champion) = &summary.champion else {
        return format!("{bots} on a hill of {game}. No champion yet.");
    };
    let champion = dicehill_arena::printable(champion);
    match summary.champion_sure {
        Some(sure) => {
            format!("Champion of {bots} at {game}: {champion}, P(best) {} %.", chance(sure))
        }
        None => format!("Champion of {bots} at {game}: {champion}."),
    }
}

/// The part of a hill's page that changes.
pub(crate) fn now(hill: &HillDocument) -> Markup {
    html! {
        @match &hill.board {
            Some(board) => (front(hill, board)),
            None => { p { (no_board(hill)) } (notes(hill)) },
        }
        (entrants(hill))
        (history(hill))
        @if let Some(board) = &hill.board { (terms(board)) }
    }
}

fn front(hill: &HillDocument, board: &BoardDocument) -> Markup {
    let links = Links::Server { hill: &hill.summary.hill, run: Some(board.run) };
    html! {
        div.first[board.progress.state == RunState::Playing] {
            (lead(board))
            (watched(hill, board))
        }
        (notes(hill))
        (standings_section(board, links))
        div.columns {
            (changes(hill))
            (last_games(hill, board, links))
        }
        (ratings_chart(&hill.ratings))
        (remarkable_games(board, links, &|_| true))
        (failures(board))
        (bars(board, links))
    }
}

/// What is going on next to the board.
fn notes(hill: &HillDocument) -> Markup {
    html! {
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
        @if let Some(message) = &hill.message { p.notice { (message) } }
        @if let Some(schedule) = &hill.schedule { p.note { "Runs: " (schedule) "." } }
        @if let Some(opens) = hill.opens.as_ref().filter(|opens| !is_past(opens)) {
            p.note { "Entries open on " (opens) "." }
        }
        @if let Some(closes) = &hill.closes {
            @if is_past(closes) {
                p.note { "Entries closed on " (closes) "." }
            } @else {
                p.note { "Entries close on " (closes) "; a committed run follows." }
            }
        }
        @if let Some(commitment) = &hill.commitment {
            p.note { "Commitment for a future run: " code { (commitment) } }
        }
    }
}

/// Whether a time of the hill's terms is over.
fn is_past(time: &str) -> bool {
    time.parse().is_ok_and(|time: ZonedTime| time.at() <= crate::model::time::now())
}

/// Why a hill has no board.
fn no_board(hill: &HillDocument) -> &'static str {
    if hill.history.is_empty() {
        "No run has been played yet."
    } else {
        "The record of the last run was altered and is not shown."
    }
}

/// A game next to the board while games are played: its result, and with the script its moves at a pace that people can follow.
fn watched(hill: &HillDocument, board: &BoardDocument) -> Markup {
    let last = hill.last_games.first().filter(|_| board.progress.state == RunState::Playing);
    let Some(game) = last else { return html! {} };
    let links = Links::Server { hill: &hill.summary.hill, run: Some(board.run) };
    html! {
        section.watch aria-labelledby="watch" data-game=(game.number) data-games={ "/api/v1" (links.board()) "/games/" } {
            h2 #watch { "A game of this run" }
            p.kicker { a href=(links.game(game.number)) { "Game " (thousands(game.number)) } }
            ol.watched { @for (seat, name) in game.seats.iter().enumerate() {
                li data-seat=(seat) {
                    (bot_name(name)) " "
                    span.points { @if let Some(number) = numbers(game).get(seat) { (thousands(*number)) } }
                }
            } }
            p.watched-move data-move="" {}
            p.scripted { button type="button" data-pause="" { "Pause" } }
        }
    }
}

fn numbers(game: &crate::model::games::GameRow) -> &[u64] {
    if game.scores.is_empty() { &game.points } else { &game.scores }
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

/// What the last runs have changed.
fn changes(hill: &HillDocument) -> Markup {
    html! { @if !hill.changes.is_empty() {
        section aria-labelledby="latest" {
            h2 #latest { "What changed last" }
            ol.changes { @for change in &hill.changes { li {
                (sentence(change))
                span.note {
                    a href=(Links::Server { hill: &hill.summary.hill, run: Some(change.run) }.board()) { "Run " (change.run) }
                    ", " (date(&change.at))
                }
            } } }
        }
    } }
}

fn sentence(change: &ChangeDocument) -> Markup {
    let bot = html! { strong { (bot_name(change.bot.as_deref().unwrap_or_default())) } };
    let other = bot_name(change.other.as_deref().unwrap_or_default());
    let rank = html! {
        @if let Some(rank) = change.rank { ": rank " (rank) " of " (change.among) }
        "."
    };
    html! { span { @match change.kind {
        ChangeKind::FirstChampion => { (bot) " is the first champion." },
        ChangeKind::Dethroned => { (bot) " dethroned " (other) "." },
        ChangeKind::Defended => { (bot) " defended the title." },
        ChangeKind::NoChampion => "The run ended without a champion.",
        ChangeKind::Placed => { (bot) " was placed" (rank) },
        ChangeKind::NewEntrant => { (bot) " is new" (rank) },
        ChangeKind::NewVersion => {
            (bot) " has a new version"
            @if let Some(version) = change.version { " (" (version) ")" }
            @if let Some(gained) = change.gained { ", which gained " (signed_estimate(gained)) " Elo" }
            (rank)
        },
    } } " " }
}

fn last_games(hill: &HillDocument, board: &BoardDocument, links: Links<'_>) -> Markup {
    html! { @if !hill.last_games.is_empty() {
        section aria-labelledby="last" {
            h2 #last { "Last games" }
            (wide("last", table(&hill.last_games, links)))
            p.links { a href=(links.games(None)) { "All " (thousands(board.progress.games)) " games" } }
        }
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
                Some(placed) => { (bot_name(&placed.bot)) @match placed.rank {
                    Some(rank) => { " placed, " (rank) " of " (placed.among) },
                    None => { " " (placed.missing_rank()) },
                } },
                None => "–",
            },
        } }
    } }
}
