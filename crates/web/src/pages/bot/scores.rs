//! How often a bot had each score: a plot by a script, and the numbers.

use maud::{Markup, PreEscaped, html};

use crate::model::BotDocument;
use crate::pages::layout::wide;
use crate::pages::numbers::thousands;

/// The width of a class of scores.
const CLASS: u64 = 10;

/// The section of a bot that has scores.
pub(super) fn scores(bot: &BotDocument) -> Markup {
    if bot.scores.is_empty() {
        return html! {};
    }
    let games: u64 = bot.scores.iter().map(|score| score.games).sum();
    let classes = classes(bot);
    let data = serde_json::json!({
        "scores": classes.iter().map(|class| class.0).collect::<Vec<_>>(),
        "games": classes.iter().map(|class| class.1).collect::<Vec<_>>(),
        "optimal": if bot.optimal.is_empty() { None } else {
            Some(classes.iter().map(|class| dicehill_arena::six_digits(class.2 * games as f64)).collect::<Vec<_>>())
        },
    });
    html! { section aria-labelledby="scores" {
        h2 #scores { "Scores" }
        div.plot data-plot="scores-data" data-kind="scores" role="img"
            aria-label="How often each score occurred; the table below has the numbers" {}
        (data_block("scores-data", &data))
        details {
            summary { "The numbers" }
            (wide("scores", html! { table {
                thead { tr {
                    th scope="col" { "Score" }
                    th scope="col" { "Games" }
                    @if !bot.optimal.is_empty() { th scope="col" { "Optimal play" } }
                } }
                tbody { @for (from, count, chance) in &classes { tr {
                    th scope="row" { (from) "–" (from + CLASS - 1) }
                    td { (thousands(*count)) }
                    @if !bot.optimal.is_empty() { td { (format!("{:.1}", chance * games as f64)) } }
                } } }
            } }))
        }
    } }
}

/// Classes of scores in ascending order: first score, games, and chance in optimal play.
fn classes(bot: &BotDocument) -> Vec<(u64, u64, f64)> {
    let likely = bot.optimal.iter().filter(|score| score.chance > 1e-5).map(|score| score.score);
    let all = || bot.scores.iter().map(|score| score.score).chain(likely.clone());
    let (least, most) = (all().min().unwrap_or(0) / CLASS, all().max().unwrap_or(0) / CLASS);
    let class = |index: u64| {
        let within = |score: u64| score / CLASS == index;
        let games = bot.scores.iter().filter(|one| within(one.score)).map(|one| one.games).sum();
        let chance = bot.optimal.iter().filter(|one| within(one.score)).map(|one| one.chance).sum();
        (index * CLASS, games, chance)
    };
    (least..=most).map(class).collect()
}

/// Data for a script, which browsers do not execute.
fn data_block(id: &str, data: &serde_json::Value) -> Markup {
    let text = data.to_string().replace('<', "\\u003c");
    html! { script type="application/json" id=(id) { (PreEscaped(text)) } }
}
