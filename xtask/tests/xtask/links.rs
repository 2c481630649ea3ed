//! Every link in our Markdown leads to an existing file, and to an existing heading if it names one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use xtask::root;

/// Folders without our own pages.
const FOREIGN: [&str; 4] = ["target", "vendor", "node_modules", ".git"];

/// The anchors and links of a page.
#[derive(Default, Debug)]
struct Page {
    anchors: Vec<String>,
    links: Vec<String>,
}

/// Collects all Markdown files in a folder.
fn find(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !FOREIGN.contains(&name) {
            find(&path, found);
        } else if path.is_file() && name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// The anchor that GitHub gives to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars()
        .filter(|character| character.is_alphanumeric() || matches!(character, '-' | '_'))
        .collect()
}

impl Page {
    fn read(text: &str) -> Self {
        let mut page = Self::default();
        let mut heading = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            if let Event::Start(Tag::Heading { .. }) = event {
                heading = Some(String::new());
            } else if let Event::End(TagEnd::Heading(_)) = event {
                page.add_anchor(heading.take());
            } else if let Event::Text(text) | Event::Code(text) = event {
                heading.iter_mut().for_each(|heading| heading.push_str(&text));
            } else if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) =
                event
            {
                page.links.push(dest_url.into_string());
            } else if let Event::Html(html) | Event::InlineHtml(html) = event {
                page.add_html(&html);
            }
        }
        page
    }

    /// A repeated heading gets a number.
    fn add_anchor(&mut self, heading: Option<String>) {
        let anchor = anchor(&heading.expect("a heading has begun"));
        let numbered = |number| format!("{anchor}-{number}");
        let mut names = std::iter::once(anchor.clone()).chain((1..).map(numbered));
        let free = names.find(|name| !self.anchors.contains(name)).expect("numbers do not end");
        self.anchors.push(free);
    }

    /// Pictures for light and dark pages are HTML.
    fn add_html(&mut self, html: &str) {
        for word in html.split([' ', '\n', '<', '>']) {
            let value = ["src=\"", "srcset=\"", "href=\""];
            let value = value.iter().find_map(|name| word.strip_prefix(name));
            self.links.extend(value.and_then(|rest| rest.split('"').next()).map(str::to_owned));
        }
    }
}

fn pages() -> BTreeMap<PathBuf, Page> {
    let mut found = Vec::new();
    find(root(), &mut found);
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a text");
        (fs::canonicalize(path).expect("it was read"), Page::read(&text))
    };
    found.into_iter().map(read).collect()
}

/// The fault of a link, if it has one.
fn fault(from: &Path, link: &str, pages: &BTreeMap<PathBuf, Page>) -> Option<&'static str> {
    let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
    let folder = from.parent().expect("a page is in a folder");
    let target = if file.is_empty() { from.to_owned() } else { folder.join(file) };
    let Ok(target) = fs::canonicalize(target) else { return Some("no such file") };
    let has = |page: &Page| page.anchors.iter().any(|anchor| anchor == fragment);
    let is_there = fragment.is_empty() || pages.get(&target).is_none_or(has);
    (!is_there).then_some("no such heading")
}

#[test]
fn every_link_resolves() {
    let pages = pages();
    assert!(pages.len() > 10, "{:?}", pages.keys());
    let mut faults = Vec::new();
    for (path, page) in &pages {
        let is_ours = |link: &&String| !link.contains("://") && !link.starts_with("mailto:");
        for link in page.links.iter().filter(is_ours) {
            faults.extend(fault(path, link, &pages).map(|fault| (path, link, fault)));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn headings_have_githubs_anchors() {
    let page = Page::read("# Two `dicehill` games, won!\n\n## Again\n\n## Again\n");
    assert_eq!(page.anchors, ["two-dicehill-games-won", "again", "again-1"]);
}
