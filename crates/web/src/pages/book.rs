//! A page of the book.

use maud::{Markup, html};

use super::layout::{Hosting, Page};
use crate::book::{Chapter, chapters};

/// The page of the chapter at this place.
pub(crate) fn page(place: usize) -> Markup {
    let chapters = chapters();
    let chapter = &chapters[place];
    let before = place.checked_sub(1).and_then(|place| chapters.get(place));
    let body = html! { div.book {
        nav.contents aria-label="Chapters" {
            @for one in chapters {
                @let is_current = one.address == chapter.address;
                a class={ "depth" (one.depth) } href=(one.address) aria-current=[is_current.then_some("page")] { (one.title) }
            }
        }
        article {
            (chapter.html())
            nav.links aria-label="Next chapters" {
                @if let Some(one) = before { (link("Back: ", one)) }
                @if let Some(one) = chapters.get(place + 1) { (link("Next: ", one)) }
            }
        }
    } };
    Page {
        title: chapter.title.clone(),
        hosting: Hosting::Server,
        trail: Vec::new(),
        scripts: &[],
        body,
    }
    .render()
}

fn link(text: &str, chapter: &Chapter) -> Markup {
    html! { a href=(chapter.address) { (text) (chapter.title) } }
}
