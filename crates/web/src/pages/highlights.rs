//! The most remarkable games of a run.

use maud::{Markup, html};

use super::layout::bot_name;
use super::links::Links;
use super::numbers::thousands;
use crate::model::highlights::{HighlightDocument, Remarkable};
use crate::model::{BoardDocument, RunState};

/// The most remarkable games of each kind; `has_page` says which games have a page.
pub(crate) fn remarkable_games(
    board: &BoardDocument,
    links: Links<'_>,
    has_page: &dyn Fn(u64) -> bool,
) -> Markup {
    let Some(highlights) = &board.highlights else { return not_looked_for(board) };
    let kinds = Remarkable::ALL.map(|kind| {
        let games: Vec<_> = highlights.iter().filter(|game| game.kind == kind).collect();
        (kind, games)
    });
    html! { @if !highlights.is_empty() {
        section aria-labelledby="remarkable" {
            h2 #remarkable { "Remarkable games" @if board.progress.state == RunState::Playing { " so far" } }
            ul.stories { @for (kind, games) in &kinds { @if let [first, others @ ..] = games.as_slice() {
                li.card {
                    h3 { (kind.title()) }
                    p { (sentence(first, &board.game)) " " (link(first.game, links, has_page)) }
                    @if !others.is_empty() {
                        p.note {
                            "Next: "
                            @for (index, game) in others.iter().enumerate() {
                                @if index > 0 { ", " }
                                (link(game.game, links, has_page)) " (" (amount(game, &board.game)) ")"
                            }
                        }
                    }
                }
            } } }
        }
    } }
}

/// Why an ended run has no remarkable games.
fn not_looked_for(board: &BoardDocument) -> Markup {
    html! { @if board.progress.state == RunState::Ended && board.progress.games > 0 {
        p.note { "Remarkable games are not known: an older version recorded this run." }
    } }
}

fn link(game: u64, links: Links<'_>, has_page: &dyn Fn(u64) -> bool) -> Markup {
    html! {
        @if has_page(game) { a href=(links.game(game)) { "Game " (thousands(game)) } }
        @else { "Game " (thousands(game)) }
    }
}

/// What happened, in words.
fn sentence(game: &HighlightDocument, of: &str) -> Markup {
    let bot = bot_name(&game.bot);
    let other = game.other.as_deref().map_or_else(|| html! { "another" }, bot_name);
    let amount = amount(game, of);
    html! { @match game.kind {
        Remarkable::Comeback => { strong { (bot) } " won after being " strong { (amount) } " behind " (other) "." },
        Remarkable::LuckiestWin => { strong { (bot) } " won with " strong { (amount) } " more luck than " (other) "." },
        Remarkable::UnluckiestWin => { strong { (bot) } " won although " (other) " had " strong { (amount) } " more luck." },
        Remarkable::LongestBluff => {
            strong { (bot) } " began " strong { (amount) } " in a row that did not hold"
            @if game.other.is_some() { ", until " (other) " called" }
            "."
        },
    } }
}

/// How remarkable it is, with its unit.
fn amount(game: &HighlightDocument, of: &str) -> String {
    let (points, dice) = (("point", "points"), ("die", "dice"));
    let whole = |(one, many): (&str, &str)| {
        let unit = if game.value == 1.0 { one } else { many };
        format!("{} {unit}", thousands(game.value as u64))
    };
    match game.kind {
        Remarkable::Comeback if of == "liars-dice" => whole(dice),
        Remarkable::Comeback => whole(points),
        Remarkable::LuckiestWin | Remarkable::UnluckiestWin => format!("{:.1} points", game.value),
        Remarkable::LongestBluff => whole(("bid", "bids")),
    }
}
