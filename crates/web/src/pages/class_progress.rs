//! The page of the progress of all authors, for the host.

use maud::{Markup, html};

use super::account::render;
use super::layout::{bot_name, wide};
use super::numbers::{elo, plus_minus};
use crate::entries::account;
use crate::model::class_progress::ClassProgress;

/// The page of the hill with this name.
pub(crate) fn page(progress: &ClassProgress, name: &str) -> Markup {
    let address = account::address(&progress.hill);
    let body = html! {
        h1 { "Progress of all authors" }
        p { a href=(address) { "Host" } " · " a href={ (address) "/progress.csv" } { "As CSV" } }
        p.note { "Each bot with its results: rank, Elo and loss are those of the hill's board. Loss: points per game given up against optimal play." }
        @if progress.rows.is_empty() { p { "There is no author yet." } }
        @else { (wide("progress", table(progress))) }
    };
    render([&progress.hill, name], "Progress of all authors", body)
}

fn table(progress: &ClassProgress) -> Markup {
    html! { table {
        thead { tr {
            th.text scope="col" { "Author" } th.text scope="col" { "Bot" } th scope="col" { "Uploads" }
            th.text scope="col" { "Last upload" } th scope="col" { "Runs" } th scope="col" { "Version" }
            th scope="col" { "Rank" } th scope="col" { "First Elo ± 95 %" } th scope="col" { "Elo ± 95 %" }
            th scope="col" { "Loss/game ± 95 %" }
        } }
        tbody { @for row in &progress.rows { tr {
            td.text { @match &row.author { Some(author) => bdi { (author) }, None => "–" } }
            th.text scope="row" { @if row.bot.is_empty() { "–" } @else { (bot_name(&row.bot)) } }
            td { (row.uploads) }
            td.text { (row.state) }
            td { (row.runs) }
            td { @match row.version { Some(version) => (version), None => "–" } }
            td { @match (row.rank, row.among) {
                (Some(rank), Some(among)) => { (rank) " of " (among) }, _ => "–",
            } }
            td { (elo(row.first_elo)) }
            td { (elo(row.last_elo)) }
            td { @match row.loss { Some(loss) => (plus_minus(Some(loss), 2)), None => "–" } }
        } } }
    } }
}
