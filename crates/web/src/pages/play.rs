//! The form that opens a table, and the page of a table.

use dicehill_rules::{GameName, with_game};
use maud::{Markup, html};

use super::dice::drawings;
use super::layout::{Hosting, Page};
use crate::model::table::TableDocument;
use crate::tables::TableGame;

/// The value of a seat's field if the seat is for another person.
pub(crate) const PERSON: &str = "person";

/// The scripts of a table's page, in the order of execution.
const SCRIPTS: [&str; 4] = ["table-parts.js", "table-yahtzee.js", "table-liars-dice.js", "play.js"];

/// The page where a table is opened. It needs no script.
pub(crate) fn form() -> Markup {
    let body = html! {
        h1 { "Play" }
        p {
            "Play against house bots, or with other people: leave a seat for each of them and share the link "
            "of the table. Each player sees only what the rules allow."
        }
        div.choices {
            @for game in GameName::ALL { (with_game!(game, G => form_of::<G>(game))) }
        }
    };
    page("Play", &[], body)
}

fn form_of<G: TableGame>(game: GameName) -> Markup {
    let id = |field: &str| format!("{field}-{game}");
    html! {
        form.order #(id("form")) method="post" action="/play" aria-labelledby=(id("title")) {
            h2 #(id("title")) { (G::TITLE) }
            p.note { (G::ABOUT) }
            input type="hidden" name="game" value=(game);
            p.field {
                label for=(id("name")) { "Your name" }
                input #(id("name")) name="name" maxlength="64" autocomplete="nickname" placeholder="Player 1";
            }
            fieldset {
                legend { "Other players" }
                @for seat in 2..=G::MAX_SEATS { (seat_field::<G>(game, seat)) }
            }
            details {
                summary { "More options" }
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
                    "All dice follow from the seed. By default a seed is drawn, and revealed when the game is over. "
                    "If you give one, the table shows that to all players, since you may know the dice."
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

/// The page of a table. Its script fetches what the client may see.
pub(crate) fn table(document: &TableDocument) -> Markup {
    let body = html! {
        (drawings())
        h1 { (document.title) }
        p.kicker { (document.rules) " rules"
            @if document.seed_given { ". Dice follow from a seed that a player gave, and who may know them" }
        }
        noscript { p.bar {
            "Playing needs JavaScript, which is off in this browser. Everything on this page can also be done with "
            a href="/api" { "the API" } "."
        } }
        p #said .unseen role="status" aria-live="polite" {}
        p #trouble .trouble role="alert" hidden {}
        div #table data-table=(document.id) {}
    };
    page(document.title, &SCRIPTS, body)
}

fn page(title: &str, scripts: &[&'static str], body: Markup) -> Markup {
    Page { title: title.to_owned(), hosting: Hosting::Server, trail: Vec::new(), scripts, body }
        .render()
}
