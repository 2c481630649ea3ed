//! The Atom feed of a hill.

use maud::{Markup, PreEscaped, html};

use super::item::NewsItem;
use crate::hills::Snapshot;

/// The media type of a feed.
pub(crate) const KIND: &str = "application/atom+xml; charset=utf-8";

/// The feed of a hill by RFC 4287. `origin` is the URL by which readers reach the server; without it, links are relative.
pub(crate) fn feed(snapshot: &Snapshot, news: &[NewsItem], origin: Option<&str>) -> String {
    let summary = &snapshot.hill.summary;
    let page = format!("{}/hills/{}", origin.unwrap_or_default(), summary.hill);
    // An id is a whole address, even if no one can open it.
    let ids = if origin.is_some() { "" } else { "urn:dicehill:" };
    let updated = news.first().map_or(&snapshot.created, |item| &item.at);
    let feed = html! {
        feed xmlns="http://www.w3.org/2005/Atom" {
            id { (ids) (page) "/feed.atom" }
            title { (summary.name) }
            updated { (updated) }
            author { name { (summary.name) } }
            (link("self", &format!("{page}/feed.atom")))
            (link("alternate", &page))
            @for item in news { (entry(item, &page, ids)) }
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{}\n", feed.into_string())
}

fn entry(item: &NewsItem, page: &str, ids: &str) -> Markup {
    let NewsItem { kind, run, at, bot, title } = item;
    let run_page = format!("{page}/runs/{run}");
    let about = bot.as_deref().filter(|_| *kind != "run").unwrap_or_default();
    // A name is part of an address only here, where it has to be unique.
    let about: String = about.bytes().map(|byte| format!("{byte:02x}")).collect();
    html! {
        entry {
            id { (ids) (run_page) "#" (kind) "-" (about) }
            title { (title) }
            updated { (at) }
            (link("alternate", &run_page))
            content type="text" { (title) }
        }
    }
}

/// An element without content, as XML has it.
fn link(relation: &str, address: &str) -> Markup {
    let attributes = html! { a rel=(relation) href=(address) {} }.into_string();
    let attributes = attributes.trim_start_matches("<a").trim_end_matches("></a>");
    PreEscaped(format!("<link{attributes}/>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let item = NewsItem {
            kind: "champion",
            run: 3,
            at: "2026-05-01T12:00:00Z".to_owned(),
            bot: Some("<A&B>".to_owned()),
            title: "<A&B> is the first champion".to_owned(),
        };
        let text = entry(&item, "https://h.example/hills/s", "").into_string();
        assert!(text.contains("<title>&lt;A&amp;B&gt; is"), "{text}");
        assert!(text.contains("<id>https://h.example/hills/s/runs/3#champion-3c41264"), "{text}");
        assert!(
            text.contains("<link rel=\"alternate\" href=\"https://h.example/hills/s/runs/3\"/>"),
            "{text}"
        );
    }
}
