//! Checks of all text that users see.

use std::fs;
use std::path::Path;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::support::CommandOutput;

/// Whether a character may be shown to users.
fn is_harmless(character: char) -> bool {
    let odd = matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{2028}' | '\u{2029}' | '\u{2800}'
            | '\u{3000}' | '\u{3164}' | '\u{180e}' | '\u{feff}' | '\u{a0}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{fff0}'..='\u{fffd}' | '\u{1d173}'..='\u{1d17a}' | '\u{e000}'..='\u{f8ff}'
            | '\u{e0000}'..='\u{10ffff}'
    );
    character == '\n' || (!character.is_control() && !odd)
}

/// Expects every character of the text to be visible and to have no side effect.
#[track_caller]
pub(super) fn expect_harmless(what: &str, text: &str) {
    if let Some(at) = text.find(|character| !is_harmless(character)) {
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        panic!("{what}: {:?} behind {line:?}", text[at..].chars().next());
    }
}

#[track_caller]
pub(super) fn expect_harmless_output(what: &str, output: &CommandOutput) {
    expect_harmless(&format!("{what}, stdout"), &output.out);
    expect_harmless(&format!("{what}, stderr"), &output.err);
}

/// The texts of the files in a folder by name, each of them harmless except for tabs.
#[track_caller]
pub(super) fn read_harmless_files(folder: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        expect_harmless("the name of a file", &name);
        assert!(path.symlink_metadata().expect("it is there").is_file(), "{name}");
        let text = fs::read_to_string(&path).expect("it is UTF-8");
        expect_harmless(&name, &text.replace('\t', ""));
        files.push((name, text));
    }
    files.sort();
    files
}

/// The content of a Markdown text as its reader sees it.
#[derive(Default, Debug)]
pub(super) struct MarkdownContent {
    /// The text of each cell, heading, item and paragraph.
    pub(super) texts: Vec<String>,
    pub(super) links: Vec<String>,
}

/// Reads Markdown and expects only plain text and links in it.
#[track_caller]
pub(super) fn read_markdown(markdown: &str) -> MarkdownContent {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM;
    let mut content = MarkdownContent::default();
    let mut text = String::new();
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Text(more) => text.push_str(&more),
            Event::SoftBreak | Event::HardBreak => text.push('\n'),
            Event::Start(Tag::Link { dest_url, .. }) => content.links.push(dest_url.into_string()),
            Event::Start(
                Tag::Paragraph
                | Tag::Heading { .. }
                | Tag::Item
                | Tag::List(None)
                | Tag::Table(_)
                | Tag::TableHead
                | Tag::TableRow
                | Tag::TableCell
                | Tag::CodeBlock(pulldown_cmark::CodeBlockKind::Indented)
                | Tag::Strong,
            ) => {}
            Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::TableCell
                | TagEnd::CodeBlock,
            ) => content.texts.push(std::mem::take(&mut text)),
            Event::End(_) => {}
            live @ (Event::Start(_)
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_)) => panic!("{live:?} is live in {markdown}"),
        }
    }
    assert!(markdown.matches("**").count() <= 2, "more than a title is strong in {markdown}");
    content
}

/// The cells of a CSV table, none of which is a formula.
#[track_caller]
pub(super) fn cells(csv: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    let rows: Vec<Vec<String>> = reader
        .records()
        .map(|row| row.expect("a row").iter().map(str::to_owned).collect())
        .collect();
    for cell in rows.iter().flatten() {
        let begins = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
        assert!(!begins || cell.parse::<f64>().is_ok(), "{cell:?} is a formula");
    }
    rows
}
