//! The form that opens a table, and the page of a table.

use dicehill_rules::{GameName, with_game};
use maud::{Markup, html};

use super::dice::drawings;
use super::layout::{Hosting, Page, Preview, picture_of};
use crate::model::table::TableDocument;
use crate::tables::TableGame;

/// The value of a seat's field if the seat is for another person.
pub(crate) const PERSON: &str = "person";

/// The scripts of a table's page, in the order of execution.
const SCRIPTS: [&str; 6] = [
    "elements.js",
    "table-parts.js",
    "table-pace.js",
    "table-yahtzee.js",
    "table-liars-dice.js",
    "play.js",
];

/// The time limits of the form, in seconds.
const TIMES: [(&str, &str); 6] = [
    ("", "no limit"),
    ("20", "20 seconds"),
    ("60", "1 minute"),
    ("120", "2 minutes"),
    ("300", "5 minutes"),
    ("900", "15 minutes"),
];

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
    page("Play", &[], body, &Preview::default())
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
            (how_to_play::<G>())
            details {
                summary { "More options" }
                p.field {
                    label for=(id("rules")) { "Rules" }
                    select #(id("rules")) name="rules" {
                        @for rules in G::RULES { option value=(rules) { (rules) } }
                    }
                }
                p.field {
                    label for=(id("time")) { "Time limit" }
                    select #(id("time")) name="move_seconds" aria-describedby=(id("about-time")) {
                        @for (seconds, text) in TIMES { option value=(seconds) { (text) } }
                    }
                }
                p.note #(id("about-time")) {
                    "For each move. A bot plays for a person who is late, until they return. If other people are waiting, it "
                    "also plays for a person who closed the page two minutes ago."
                }
                @if G::CAN_BE_OPEN {
                    p.field {
                        label.check { input type="checkbox" name="open" value="yes"; " Everyone sees all cards and dice" }
                    }
                    p.note { "Only without bots, which see no more than the challenge allows." }
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
            p { button.main.wide-button type="submit" { "Play " (G::TITLE) } }
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

/// The rules in a few words, with an example.
fn how_to_play<G: TableGame>() -> Markup {
    html! {
        details.rules {
            summary { "Rules of " (G::TITLE) }
            p { (G::HOW_TO_PLAY) }
            p { strong { "Example. " } (G::EXAMPLE) }
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
pub(crate) fn table(document: &TableDocument, origin: Option<&str>) -> Markup {
    let body = html! {
        (drawings())
        div.table-head {
            h1 { (document.title) }
            p.kicker { "Rules: " (document.rules)
                @if document.seed_given { ". A player gave the seed, and may know all dice" }
            }
        }
        noscript { p.bar {
            "Playing needs JavaScript, which is off in this browser. Everything on this page can also be done with "
            a href="/api" { "the API" } "."
        } }
        @if let Ok(game) = document.game.parse::<GameName>() {
            (with_game!(game, G => how_to_play::<G>()))
        }
        p #said .unseen role="status" aria-live="polite" {}
        p #trouble .trouble role="alert" hidden {}
        div #table data-table=(document.id) {}
        (controls())
        (resigning())
    };
    let preview = Preview {
        origin,
        path: format!("/tables/{}", document.id),
        description: format!("A table of {}: take a seat, or watch.", document.title),
        // A table changes too quickly for a picture of its own.
        picture: Some(picture_of("/")),
    };
    page(document.title, &SCRIPTS, body, &preview)
}

/// What a player sets, and what can be done around the game.
fn controls() -> Markup {
    html! {
        div.scripted { div.table-controls {
            p {
                label for="pace" { "Others move" } " "
                select #pace {
                    option value="slow" { "slowly" }
                    option value="normal" selected { "at a normal pace" }
                    option value="fast" { "fast" }
                    option value="none" { "at once" }
                }
            }
            label.check { input #guide type="checkbox"; " Explain my choices" }
            label.check { input #keys type="checkbox"; " Keyboard shortcuts" }
            p.seat-buttons {
                button #share type="button" { "Share" }
                button #leave type="button" hidden { "Leave" }
                button #resign .quiet type="button" hidden { "Resign" }
            }
        } }
    }
}

/// Asks before a game is given up.
fn resigning() -> Markup {
    html! {
        dialog #resigning aria-labelledby="resigning-title" {
            h2 #resigning-title { "Resign?" }
            p.consequence { "A bot plays the rest of the game for you, and you cannot win it." }
            p #asked .unseen role="status" aria-live="polite" {}
            p.actions {
                button #keep-playing type="button" autofocus { "Keep playing" }
                button #do-resign .danger type="button" { "Resign" }
            }
        }
    }
}

fn page(title: &str, scripts: &[&'static str], body: Markup, preview: &Preview<'_>) -> Markup {
    Page { title: title.to_owned(), hosting: Hosting::Server, trail: Vec::new(), scripts, body }
        .render_with(preview)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_have_at_most_120_words() {
        for game in GameName::ALL {
            let rules = with_game!(game, G => <G as TableGame>::HOW_TO_PLAY);
            let words = rules.split_whitespace().count();
            assert!((60..=120).contains(&words), "{game}: {words} words");
        }
    }
}
