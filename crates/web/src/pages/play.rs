//! The form that makes a table, and the table.

use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use maud::{Markup, html};

use super::dice::drawings;
use super::layout::{Page, Place};
use crate::model::table::TableDocument;
use crate::tables::TableGame;

/// What a seat's field holds if it is for another person.
pub(crate) const PERSON: &str = "person";

/// What the page of a table runs, in this order.
const SCRIPTS: [&str; 4] = ["table-parts.js", "table-yahtzee.js", "table-liars-dice.js", "play.js"];

/// The page where a table is made. It needs no script.
pub(crate) fn form() -> Markup {
    let body = html! {
        h1 { "Play" }
        p {
            "Play against house bots, or with others in their browsers: leave a seat for each of them and share the link "
            "of the table. Everybody sees only what the rules let them see."
        }
        div.choices {
            (form_of::<Yahtzee>(
                GameName::Yahtzee,
                "Thirteen rounds, five dice, up to three rolls in each turn. The highest score wins.",
            ))
            (form_of::<LiarsDice>(
                GameName::LiarsDice,
                "Everybody rolls in secret; bids rise until somebody calls the last bidder a liar. The last with dice wins.",
            ))
        }
    };
    page("Play", &[], body)
}

fn form_of<G: TableGame>(game: GameName, about: &str) -> Markup {
    let id = |field: &str| format!("{field}-{game}");
    html! {
        form.order #(id("form")) method="post" action="/play" aria-labelledby=(id("title")) {
            h2 #(id("title")) { (G::TITLE) }
            p.note { (about) }
            input type="hidden" name="game" value=(game);
            p.field {
                label for=(id("name")) { "Your name" }
                input #(id("name")) name="name" maxlength="64" autocomplete="nickname" placeholder="Player 1";
            }
            fieldset {
                legend { "Who else plays" }
                @for seat in 2..=G::MOST_SEATS { (seat_field::<G>(game, seat)) }
            }
            details {
                summary { "More choices" }
                p.field {
                    label for=(id("rules")) { "Rules" }
                    select #(id("rules")) name="rules" {
                        @for rules in G::RULES { option value=(rules) { (rules) } }
                    }
                }
                p.field {
                    label for=(id("seed")) { "Seed" }
                    input #(id("seed")) name="seed" maxlength="100" autocomplete="off" aria-describedby=(id("about-seed"));
                }
                p.note #(id("about-seed")) {
                    "All dice follow from the seed. Without one it is drawn and told when the game is over. "
                    "If you give one, everybody at the table is told so, since you may know the dice."
                }
            }
            (about_bots::<G>())
            p { button.main type="submit" { "Play " (G::TITLE) } }
        }
    }
}

fn seat_field<G: TableGame>(game: GameName, seat: usize) -> Markup {
    let id = format!("seat{seat}-{game}");
    let usual = G::USUAL_OPPONENTS.get(seat - 2).copied();
    html! {
        p.field {
            label for=(id) { "Seat " (seat) }
            select #(id) name={ "seat" (seat) } {
                option value="" selected[usual.is_none()] { "empty" }
                option value=(PERSON) { "another person" }
                optgroup label="House bots" {
                    @for bot in G::house_bots() {
                        option value=(bot.name()) selected[usual == Some(bot.name())] { (bot.name()) }
                    }
                }
            }
        }
    }
}

fn about_bots<G: TableGame>() -> Markup {
    html! {
        details {
            summary { "The house bots" }
            dl.bots {
                @for bot in G::house_bots() { div { dt { (bot.name()) } dd { (bot.about()) } } }
            }
        }
    }
}

/// A table. Its script fetches what whoever looks may see.
pub(crate) fn table(document: &TableDocument) -> Markup {
    let body = html! {
        (drawings())
        h1 { (document.title) }
        p.kicker { (document.rules) " rules"
            @if document.seed_given { ". Dice follow from a seed that was given: whoever gave it may know them" }
        }
        noscript { p.bar {
            "Playing needs JavaScript, which is off in this browser. Everything that this page does can also be done by "
            a href="/api" { "the API" } "."
        } }
        p #said .unseen role="status" aria-live="polite" {}
        p #trouble .trouble role="alert" hidden {}
        div #table data-table=(document.id) {}
    };
    page(document.title, &SCRIPTS, body)
}

fn page(title: &str, scripts: &[&'static str], body: Markup) -> Markup {
    Page { title: title.to_owned(), place: Place::Server, trail: Vec::new(), scripts, body }
        .render()
}
