//! The badge of a bot and the picture of its rank, with the texts that embed them elsewhere.

use maud::{Markup, html};

use crate::model::BotDocument;
use crate::pages::links::Links;

/// The badge and the picture of the rank, with the text to copy.
pub(super) fn embed(bot: &BotDocument, links: Links<'_>, origin: Option<&str>) -> Markup {
    let name = dicehill_arena::printable(&bot.row.bot);
    let pictures = links.pictures(bot.row.place, &bot.row.bot);
    let [badge, rank] =
        pictures.each_ref().map(|path| format!("{}{path}", origin.unwrap_or_default()));
    let page = match links {
        Links::Server { hill, .. } => {
            let hill = Links::Server { hill, run: None };
            format!("{}{}", origin.unwrap_or_default(), hill.bot(bot.row.place, &bot.row.bot))
        }
        Links::Files => links.bot(bot.row.place, &bot.row.bot),
    };
    let alt = format!("The rank of {name} on {}", bot.name);
    let markdown = format!("[![{}]({badge})]({page})", escaped_markdown(&alt));
    let html = html! { a href=(page) { img src=(rank) width="360" height="120" alt=(alt); } };
    html! { section aria-labelledby="embed" {
        h2 #embed { "Show its rank elsewhere" }
        p.note { "The pictures show its rank on the hill as it is when they are loaded." }
        div.embed {
            div {
                p { img src=(pictures[0]) alt=(alt) height="20"; }
                p { "A badge, in Markdown:" }
                pre tabindex="0" data-embed="" { (markdown) }
            }
            div {
                p { img src=(pictures[1]) alt=(alt) width="360" height="120"; }
                p { "A picture, in HTML:" }
                pre tabindex="0" data-embed="" { (html.into_string()) }
            }
        }
    } }
}

/// A text within square brackets of Markdown.
fn escaped_markdown(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if matches!(letter, '\\' | '[' | ']' | '<' | '>' | '`' | '*' | '_' | '!' | '&') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
