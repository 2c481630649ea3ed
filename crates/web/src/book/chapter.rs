//! The chapters that `docs/SUMMARY.md` lists.

use std::sync::{LazyLock, OnceLock};

use maud::PreEscaped;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::files::text;
use super::{markdown, path};

/// The table of contents.
const SUMMARY: &str = "docs/SUMMARY.md";

/// A page of the book.
pub(crate) struct Chapter {
    /// Its path in the project.
    pub(super) path: String,
    pub(crate) title: String,
    pub(crate) address: String,
    /// 0 for an introduction, 1 for a chapter, 2 for its parts.
    pub(crate) depth: usize,
    html: OnceLock<String>,
}

impl Chapter {
    /// Its text as HTML.
    pub(crate) fn html(&self) -> PreEscaped<&str> {
        let render = || markdown::render(&self.path, text(&self.path).unwrap_or_default());
        PreEscaped(self.html.get_or_init(render))
    }
}

/// All chapters in order.
pub(crate) fn chapters() -> &'static [Chapter] {
    static CHAPTERS: LazyLock<Vec<Chapter>> =
        LazyLock::new(|| read(text(SUMMARY).unwrap_or_default()));
    &CHAPTERS
}

/// Reads a table of contents.
fn read(summary: &str) -> Vec<Chapter> {
    let mut chapters: Vec<Chapter> = Vec::new();
    let (mut depth, mut is_link) = (0, false);
    for event in Parser::new(summary) {
        if let Event::Start(Tag::List(_)) = event {
            depth += 1;
        } else if let Event::End(TagEnd::List(_)) = event {
            depth -= 1;
        } else if let Event::End(TagEnd::Link) = event {
            is_link = false;
        } else if let Event::Start(Tag::Link { dest_url, .. }) = event {
            let Some((path, _)) = path::target(SUMMARY, &dest_url) else { continue };
            let (title, address, html) = (String::new(), path::address(&path), OnceLock::new());
            chapters.push(Chapter { path, title, address, depth, html });
            is_link = true;
        } else if let (Event::Text(text) | Event::Code(text), true) = (event, is_link) {
            chapters.iter_mut().next_back().into_iter().for_each(|one| one.title.push_str(&text));
        }
    }
    chapters
}

/// The place of the chapter with this address.
pub(crate) fn find(address: &str) -> Option<usize> {
    chapters().iter().position(|chapter| chapter.address == address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_lists_chapters_with_their_depth() {
        let chapters = read(
            "# Summary\n\n[Book](README.md)\n\n- [A](a.md)\n  - [B `b`](../b.md)\n- [C](c.md)\n",
        );
        let read = |one: &Chapter| (one.path.clone(), one.title.clone(), one.depth);
        let found: Vec<_> = chapters.iter().map(read).collect();
        let expected = [
            ("docs/README.md", "Book", 0),
            ("docs/a.md", "A", 1),
            ("b.md", "B b", 2),
            ("docs/c.md", "C", 1),
        ];
        assert_eq!(found, expected.map(|(path, title, depth)| (path.into(), title.into(), depth)));
    }

    #[test]
    fn every_chapter_is_built_in() {
        assert!(chapters().len() > 30, "{}", chapters().len());
        for chapter in chapters() {
            assert!(
                text(&chapter.path).is_some(),
                "crates/web/book has no link to {}",
                chapter.path
            );
        }
    }

    /// So that no link is dead in a book that consists of the chapters alone.
    #[test]
    fn links_to_markdown_stay_in_the_book() {
        for chapter in chapters() {
            let text = text(&chapter.path).expect("a text");
            for link in markdown::links(text) {
                let Some((path, _)) = path::target(&chapter.path, &link) else { continue };
                let is_there = !path.ends_with(".md") || self::text(&path).is_some();
                assert!(is_there, "{}: {link} is not in {SUMMARY}", chapter.path);
            }
        }
    }
}
