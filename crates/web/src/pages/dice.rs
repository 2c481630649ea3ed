//! Dice as drawings within a page.

use maud::{Markup, html};

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
