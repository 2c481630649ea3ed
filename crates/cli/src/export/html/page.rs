//! What all pages share.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::dice;
use crate::text::printable;

const STYLE: &str = include_str!("style.css");
/// A page loads nothing and runs nothing, whatever a stranger has got into it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'";

/// A page.
pub(crate) struct Page {
    pub(crate) title: String,
    /// Where its navigation leads.
    pub(crate) back: Option<&'static str>,
    pub(crate) program: String,
    pub(crate) body: Markup,
}

impl Page {
    pub(crate) fn render(self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    @if let Some(back) = self.back {
                        nav aria-label="Pages" { a href=(back) { "← Board and games" } }
                    }
                    main { (dice::drawings()) (self.body) }
                    footer { p { "Played by " (printable(&self.program)) } }
                }
            }
        }
    }
}

/// A list of facts, each by its name.
pub(crate) fn facts<N: AsRef<str>>(facts: &[(N, String)]) -> Markup {
    html! {
        dl.facts { @for (name, value) in facts {
            div { dt { (name.as_ref()) } dd { bdi { (value) } } }
        } }
    }
}

/// A bot's name, which may be written from right to left.
pub(crate) fn bot_name(name: &str) -> Markup {
    html! { bdi { (printable(name)) } }
}
