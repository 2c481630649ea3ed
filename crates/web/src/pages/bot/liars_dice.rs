//! The analysis of a bot's decisions in Liar's Dice.

use dicehill_rules::liars_dice::Action;
use maud::{Markup, html};

use crate::model::liars_dice_coach::{
    Claims, ClaimsOfBand, LiarsDiceCoachDocument, LossOfDice, MistakeAtDice,
};
use crate::pages::layout::wide;
use crate::pages::links::Links;
use crate::pages::numbers::{difference, percent, plus_minus, thousands};

pub(super) fn report(coach: &LiarsDiceCoachDocument, links: Links<'_>) -> Markup {
    html! { section aria-labelledby="coach" {
        h2 #coach { "Cost of decisions" }
        p {
            "Of " (thousands(coach.games)) @if coach.games < coach.of { " of " (thousands(coach.of)) } " games: "
            "lost " (plus_minus(Some(coach.loss.loss), 2)) " dice per game by the odds of hidden dice, and "
            (plus_minus(Some(coach.loss.hindsight), 2)) " in hindsight, by the actual dice. A much smaller loss in hindsight means that "
            "bids carry information that the odds ignore. Dice gained minus dice lost per game: " (plus_minus(Some(coach.balance), 2)) "."
            @if coach.forfeits > 0 { " Out without a legal action in " (thousands(coach.forfeits)) " games." }
        }
        (claims(coach))
        (losses("faults", "By fault", &coach.faults, links))
        (losses("players", "By players left", &coach.players, links))
        h3 { "Habits, by cost in hindsight" }
        @if coach.habits.is_empty() { p { "None: every decision was optimal." } }
        ol.habits { @for habit in &coach.habits { li {
            strong { (plus_minus(Some(habit.hindsight), 2)) } " per game, " (plus_minus(Some(habit.loss), 2)) " by the odds, "
            (thousands(habit.mistakes)) " times. " (habit.name)
            @if let Some(example) = &habit.example { div.note { (mistake(example, links)) } }
        } } }
        h3 { "Worst decisions by the odds" }
        ol { @for one in &coach.worst { li { (mistake(one, links)) } } }
        details { summary { "Calls and bids by probability" }
            (bands("call-bands", "Calls by the probability that they are right", &coach.call_bands))
            (bands("bid-bands", "Bids by the probability that they hold", &coach.bid_bands))
        }
    } }
}

/// The tables of calls and called bids, and the bids that the odds did not support.
fn claims(coach: &LiarsDiceCoachDocument) -> Markup {
    let unsupported = &coach.unsupported;
    html! {
        h3 #claims { "Calls and bids" }
        (wide("claims", html! { table {
            thead { tr {
                th.text scope="col" { "Claims" }
                th scope="col" { "Number" }
                th scope="col" { "True % (95 % CI)" }
                th scope="col" { "Expected %" }
                th scope="col" { "Difference" }
                th scope="col" { "Luck alone ± 95 %" }
            } }
            tbody { (row("Right calls", &coach.calls)) (row("Called bids that held", &coach.called_bids)) }
        } }))
        p.note {
            "Of " (thousands(coach.bids)) " bids the odds did not support " (thousands(unsupported.number)) ", "
            (percent(unsupported.share)) " %: " (thousands(unsupported.called)) " of them were called, and "
            (thousands(unsupported.lost)) " lost."
        }
    }
}

fn row(name: &str, claims: &Claims) -> Markup {
    html! { tr {
        th.text scope="row" { (name) }
        td { (thousands(claims.number)) }
        td { (percent(claims.share)) }
        td { (expected(claims)) }
        td { (difference(claims.beyond_odds, 1)) }
        td { "± " (format!("{:.1}", 1.96 * claims.deviation)) }
    } }
}

/// The share expected by the odds, in percent.
fn expected(claims: &Claims) -> String {
    match claims.number {
        0 => "–".to_owned(),
        number => format!("{:.1}", 100.0 * claims.expected / number as f64),
    }
}

fn losses(id: &str, title: &str, parts: &[LossOfDice], links: Links<'_>) -> Markup {
    let has_examples = parts.iter().any(|part| part.example.is_some());
    html! {
        h3 id=(id) { (title) }
        (wide(id, html! { table {
            thead { tr {
                th.text scope="col" { "Decisions" }
                th scope="col" { "Loss/game ± 95 %" }
                th scope="col" { "In hindsight ± 95 %" }
                th scope="col" { "Mistakes" }
                @if has_examples { th.text scope="col" { "Where it cost most" } }
            } }
            tbody { @for part in parts { tr {
                th.text scope="row" { (part.name) }
                td { (plus_minus(Some(part.loss), 3)) }
                td { (plus_minus(Some(part.hindsight), 3)) }
                td { (thousands(part.mistakes)) }
                @if has_examples { td.text { @if let Some(one) = &part.example { (mistake(one, links)) } } }
            } } }
        } }))
    }
}

fn bands(id: &str, title: &str, bands: &[ClaimsOfBand]) -> Markup {
    html! {
        h3 id=(id) { (title) }
        (wide(id, html! { table {
            thead { tr {
                th scope="col" { "Probability %" }
                th scope="col" { "Number" }
                th scope="col" { "True % (95 % CI)" }
                th scope="col" { "Expected %" }
                th scope="col" { "Called" }
            } }
            tbody { @for ClaimsOfBand { percent: [low, high], claims, called } in bands { tr {
                th scope="row" { (low) " to " (high) }
                td { (thousands(claims.number)) }
                td { (percent(claims.share)) }
                td { (expected(claims)) }
                td { (thousands(*called)) }
            } } }
        } }))
    }
}

fn mistake(one: &MistakeAtDice, links: Links<'_>) -> Markup {
    let dice: Vec<_> = one.dice.iter().map(ToString::to_string).collect();
    let name = format!("game {}, move {}", one.game, one.number);
    let link = match links {
        // Not every game has a file.
        Links::Files => html! { (name) },
        Links::Server { .. } => {
            let address = format!("{}#move-{}", links.game(one.game), one.number);
            html! { a href=(address) { (name) } }
        }
    };
    html! {
        (link) ": " (dice.join(" ")) " and " (one.hidden) " hidden"
        @if let Some(last) = &one.last { ", after " (written(last)) }
        "; " (written(&one.chosen)) (chance(one.chosen_chance)) "; best " (written(&one.best)) (chance(one.best_chance))
        " (−" (format!("{:.2}", one.loss)) ")"
    }
}

/// The action of a document as people write it: `4×5` for `4 5`.
fn written(action: &str) -> String {
    action.parse().map_or_else(|_| action.to_owned(), |action: Action| action.notation())
}

fn chance(chance: Option<f64>) -> String {
    chance.map_or_else(String::new, |chance| format!(" ({})", dicehill_coach::percent(chance)))
}
