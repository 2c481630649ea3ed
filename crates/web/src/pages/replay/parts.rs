//! Parts that the lists of both games share.

use maud::{Markup, html};

use crate::model::move_text::{MoveText, TextPart};
use crate::pages::layout::bot_name;

/// The number of a move, as a link to it in this page.
pub(super) fn number(number: usize) -> Markup {
    html! { a.number href={ "#move-" (number) } aria-label={ "Move " (number) } { (number) } }
}

/// The text of a move, with the direction of each name isolated.
pub(super) fn move_text(text: &MoveText, names: &[String]) -> Markup {
    html! {
        span.what dir="auto" { @for part in text.parts() {
            @match part {
                TextPart::Text(words) => (words),
                TextPart::Bot(seat) => (bot_name(&names[*seat])),
            }
        } }
    }
}

/// What a decision cost, and what was best.
pub(super) fn cost(lost: Option<f64>, best: Option<&str>) -> Markup {
    html! {
        span.cost {
            @match (lost, best) {
                (Some(lost), Some(best)) => { (amount(lost)) ", best: " (best.to_lowercase().replace('_', " ")) },
                (Some(_), None) => "the best choice",
                (None, _) => "",
            }
        }
    }
}

/// `1.25`, or `< 0.01` for what would round to zero.
fn amount(lost: f64) -> String {
    if lost < 0.005 { "< 0.01".to_owned() } else { format!("{lost:.2}") }
}
