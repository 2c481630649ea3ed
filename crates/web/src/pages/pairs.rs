//! The head-to-head page, a table with shaded cells.

use maud::{Markup, html};

use super::layout::{Hosting, Page, bot_name, wide};
use super::numbers::{percent, thousands};
use crate::model::{BoardDocument, PairsDocument};
use crate::pages::links::Links;

/// The number of shades on each side of the middle.
const SHADES: f64 = 5.0;

/// The most bots whose pairs a result has.
const MOST_BOTS: usize = 64;

/// The page of all pairs.
pub(crate) fn page(
    board: &BoardDocument,
    pairs: &PairsDocument,
    links: Links<'_>,
    hosting: Hosting,
) -> Markup {
    let title = format!("Head to head, {}", board.name);
    let body = html! {
        h1 #pairs { "Head to head" }
        @if pairs.bots.is_empty() && board.rows.len() > MOST_BOTS {
            p { "With more than 64 bots, this table is left out: " code { "dicehill export RUN --csv --rows pairs" } " lists all pairs." }
        } @else if pairs.bots.is_empty() {
            p { "No two bots have met yet." }
        } @else {
            p { "Games in which the bot of the row was ahead of the bot of the column, in percent of the games that both played; a tie \
                counts as half. Select a cell, by a click or the arrow keys, to see its interval." }
            (wide("pairs", table(board, pairs, links)))
            p.detail role="status" #pair {}
        }
    };
    let mut trail = vec![(board.name.clone(), links.board())];
    if hosting == Hosting::Server {
        trail.insert(0, ("Hills".to_owned(), "/".to_owned()));
    }
    Page { title, hosting, trail, scripts: &["pairs.js"], body }.render()
}

fn table(board: &BoardDocument, pairs: &PairsDocument, links: Links<'_>) -> Markup {
    let place_of =
        |name: &str| board.rows.iter().find(|row| row.bot == name).map_or(0, |row| row.place);
    html! { table.heat #heat {
        thead { tr {
            td {}
            @for name in &pairs.bots { th scope="col" { (bot_name(name)) } }
        } }
        tbody { @for bot in &pairs.bots { tr {
            th.text scope="row" { a href=(links.bot(place_of(bot), bot)) { (bot_name(bot)) } }
            @for other in &pairs.bots { (cell(pairs, bot, other)) }
        } } }
    } }
}

fn cell(pairs: &PairsDocument, bot: &str, other: &str) -> Markup {
    if bot == other {
        return html! { td.self { span.unseen { "the same bot" } } };
    }
    let Some((rate, games)) = pairs.rate(bot, other) else {
        return html! { td { "–" } };
    };
    let shade = ((rate.value - 0.5) * 2.0 * SHADES).round() as i64;
    let name = |name: &str| dicehill_arena::printable(name);
    let text = format!(
        "{} against {}: {} % of {} games, 95 %",
        name(bot),
        name(other),
        percent(Some(rate)),
        thousands(games)
    );
    let class = if shade < 0 { format!("behind-{}", -shade) } else { format!("ahead-{shade}") };
    html! { td class=(class) title=(text) data-told=(text) { (format!("{:.0}", 100.0 * rate.value)) } }
}
