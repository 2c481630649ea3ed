//! Dice as inline drawings, with their pips as text for screen readers.

use maud::{Markup, html};

/// The positions of the pips of each face, on a grid of 3 by 3.
const PIPS: [&[(u8, u8)]; 6] = [
    &[(1, 1)],
    &[(0, 0), (2, 2)],
    &[(0, 0), (1, 1), (2, 2)],
    &[(0, 0), (2, 0), (0, 2), (2, 2)],
    &[(0, 0), (2, 0), (1, 1), (0, 2), (2, 2)],
    &[(0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)],
];

/// The definitions of the six faces and of a hidden die, once per page.
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
            symbol #d0 viewBox="0 0 32 32" {
                rect.covered x="1.5" y="1.5" width="29" height="29" rx="6" {}
            }
        }
    }
}

/// Some dice by their pips. Those for which `marked` holds are highlighted.
pub(crate) fn dice(faces: &[u8], marked: impl Fn(usize, u8) -> bool) -> Markup {
    html! {
        span.dice role="img" aria-label=(pips(faces)) {
            @for (index, face) in faces.iter().enumerate() {
                svg class=(if marked(index, *face) { "die marked" } else { "die" }) aria-hidden="true" {
                    use href={ "#d" (face) } {}
                }
            }
        }
    }
}

/// The pips of several dice, separated by spaces: `3 5 5`.
fn pips(faces: &[u8]) -> String {
    faces.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
