//! What a bot's decisions in Yahtzee cost.

use maud::{Markup, html};

use crate::model::CoachDocument;
use crate::model::coach::{MistakeOfBot, PartOfLoss};
use crate::pages::layout::wide;
use crate::pages::links::Links;
use crate::pages::numbers::{plus_minus, thousands};

/// The report of the coach.
pub(super) fn report(coach: &CoachDocument, links: Links<'_>) -> Markup {
    html! { section aria-labelledby="coach" {
        h2 #coach { "Cost of decisions" }
        p {
            "Of " (thousands(coach.games)) @if coach.games < coach.of { " of " (thousands(coach.of)) } " games: "
            "lost " (plus_minus(Some(coach.loss), 2)) " points of expected score per game. Scored "
            (plus_minus(Some(coach.score), 2)) ", of which " (plus_minus(Some(coach.luck), 2)) " was luck of the dice."
        }
        (parts("kinds", "By kind of decision", &coach.kinds))
        h3 { "Costliest habits" }
        @if coach.habits.is_empty() { p { "None: every decision was optimal." } }
        ol.habits { @for habit in &coach.habits { li {
            strong { (plus_minus(Some(habit.loss), 2)) } " per game, " (thousands(habit.mistakes)) " times. " (habit.habit)
            div.note { (mistake(&habit.example, links)) }
        } } }
        h3 { "Worst decisions" }
        ol { @for one in &coach.worst { li { (mistake(one, links)) } } }
        details { summary { "By round and by box" }
            (parts("rounds", "By round", &coach.rounds))
            (parts("filled", "By box that was filled when another was better", &coach.filled))
        }
    } }
}

fn parts(id: &str, title: &str, parts: &[PartOfLoss]) -> Markup {
    html! {
        h3 id=(id) { (title) }
        (wide(id, html! { table {
            thead { tr {
                th.text scope="col" { "Decisions" }
                th scope="col" { "Loss/game ± 95 %" }
                th scope="col" { "Mistakes" }
            } }
            tbody { @for part in parts { tr {
                th.text scope="row" { (part.name) }
                td { (plus_minus(Some(part.loss), 3)) }
                td { (thousands(part.mistakes)) }
            } } }
        } }))
    }
}

fn mistake(one: &MistakeOfBot, links: Links<'_>) -> Markup {
    let dice: Vec<_> = one.dice.iter().map(ToString::to_string).collect();
    let link = match links {
        // Not every game has a file.
        Links::Files => html! { "game " (one.game) },
        Links::Server { .. } => html! { a href=(links.game(one.game)) { "game " (one.game) } },
    };
    html! {
        (link) ", round " (one.round) ", " (one.kind) ", " (dice.join(" ")) ": " (one.chosen) "; best " (one.best)
        " (−" (format!("{:.2}", one.loss)) ")"
    }
}
