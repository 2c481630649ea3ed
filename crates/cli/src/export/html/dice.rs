//! Dice as drawings within a page, and as text for whoever does not see them.

use dicehill_rules::Face;
use maud::{Markup, html};

use crate::text::pips;

/// Where the pips of each face are, in a square of 3 by 3.
const PIPS: [&[(u8, u8)]; 6] = [
    &[(1, 1)],
    &[(0, 0), (2, 2)],
    &[(0, 0), (1, 1), (2, 2)],
    &[(0, 0), (2, 0), (0, 2), (2, 2)],
    &[(0, 0), (2, 0), (1, 1), (0, 2), (2, 2)],
    &[(0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)],
];

/// The six faces, drawn once in a page.
pub(crate) fn drawings() -> Markup {
    html! {
        svg.drawings aria-hidden="true" width="0" height="0" {
            @for (index, pips) in PIPS.iter().enumerate() {
                symbol id={ "d" (index + 1) } viewBox="0 0 32 32" {
                    rect.body x="1.5" y="1.5" width="29" height="29" rx="6" {}
                    @for (x, y) in *pips {
                        circle.pip cx=(8 + 8 * x) cy=(8 + 8 * y) r="3" {}
                    }
                }
            }
        }
    }
}

/// Some dice; those for which `marked` holds stand out.
pub(crate) fn dice(faces: &[Face], marked: impl Fn(usize, Face) -> bool) -> Markup {
    html! {
        span.dice role="img" aria-label=(pips(faces)) {
            @for (index, face) in faces.iter().enumerate() {
                svg class=(if marked(index, *face) { "die marked" } else { "die" }) aria-hidden="true" {
                    use href={ "#d" (face.pips()) } {}
                }
            }
        }
    }
}
