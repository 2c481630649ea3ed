//! The copies of the book's files that mdBook reads.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::root;

/// The table of contents.
const SUMMARY: &str = "docs/SUMMARY.md";
/// Attributes of HTML in our Markdown that name files.
const ATTRIBUTES: [&str; 2] = ["src=\"", "srcset=\""];

/// A file of the book.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Copy {
    /// Its path in the project.
    pub from: PathBuf,
    /// Its path in the copy.
    pub to: PathBuf,
}

impl Copy {
    fn of(from: PathBuf) -> Self {
        let to = place(&from);
        Self { from, to }
    }

    /// What the copy has: Markdown is rewritten.
    pub(super) fn content(&self) -> io::Result<Vec<u8>> {
        let bytes = fs::read(root().join(&self.from))?;
        if self.from.extension().is_none_or(|ending| ending != "md") {
            return Ok(bytes);
        }
        let text = String::from_utf8(bytes).map_err(io::Error::other)?;
        Ok(rewritten(&self.from, &text).into_bytes())
    }
}

/// All files of the book: the summary, its chapters, and what they link to besides Markdown.
///
/// # Errors
/// If a chapter cannot be read.
pub fn copies() -> io::Result<Vec<Copy>> {
    let read = |path: &Path| fs::read_to_string(root().join(path));
    let summary = PathBuf::from(SUMMARY);
    let mut files = BTreeSet::new();
    for chapter in targets(&summary, &read(&summary)?) {
        let is_file = |path: &PathBuf| {
            root().join(path).is_file() && path.extension().is_none_or(|ending| ending != "md")
        };
        files.extend(targets(&chapter, &read(&chapter)?).into_iter().filter(is_file));
        files.insert(chapter);
    }
    files.insert(summary);
    Ok(files.into_iter().map(Copy::of).collect())
}

/// The place of a file of the project in the copy: `docs` is its root.
fn place(path: &Path) -> PathBuf {
    match path.strip_prefix("docs") {
        Ok(inside) => inside.to_owned(),
        Err(_) if path == Path::new("README.md") => PathBuf::from("project.md"),
        Err(_) if path.ends_with("README.md") => path.parent().unwrap_or(path).with_extension("md"),
        Err(_) => path.to_owned(),
    }
}

/// The files of the project to which a page links.
fn targets(page: &Path, text: &str) -> Vec<PathBuf> {
    let links = links(text).into_iter().filter_map(|range| target(page, &text[range]));
    links.map(|(path, _)| path).collect()
}

/// The file to which a link leads, and its fragment with `#`; `None` if it leads to another site or within the page.
fn target<'a>(page: &Path, link: &'a str) -> Option<(PathBuf, &'a str)> {
    if link.contains("://") || link.starts_with(['#', '/']) || link.starts_with("mailto:") {
        return None;
    }
    let (file, fragment) = link.split_at(link.find('#').unwrap_or(link.len()));
    let mut path = page.parent()?.to_owned();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::Normal(name) => path.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    Some((path, fragment))
}

/// Where the targets of links and pictures are in a text.
fn links(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        let source = &text[range.clone()];
        let mut add = |at: usize, length: usize| {
            found.push(range.start + at..range.start + at + length);
        };
        if let Event::Start(Tag::Link { dest_url: url, .. } | Tag::Image { dest_url: url, .. }) =
            &event
        {
            let at = source.rfind(&format!("]({url}"));
            at.into_iter().for_each(|at| add(at + 2, url.len()));
        } else if let Event::Html(_) | Event::InlineHtml(_) = event {
            for name in ATTRIBUTES {
                for (at, _) in source.match_indices(name) {
                    let value = at + name.len();
                    let end = source[value..].find('"').unwrap_or(0);
                    add(value, end);
                }
            }
        }
    }
    found
}

const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_MATH);

/// The text of a page as mdBook reads it: links lead to places in the copy, formulas have MathJax's delimiters, and what links
/// to a folder, which a website does not show, is text alone.
#[must_use]
pub fn rewritten(page: &Path, text: &str) -> String {
    let moved = |range: Range<usize>| {
        let (path, fragment) = target(page, &text[range.clone()])?;
        Some((range, relative(&place(page), &place(&path)) + fragment))
    };
    let to_folders = links_to_folders(page, text);
    let is_kept =
        |link: &Range<usize>| !to_folders.iter().any(|(range, _)| range.contains(&link.start));
    let mut edits: Vec<_> = links(text).into_iter().filter(is_kept).filter_map(moved).collect();
    edits.extend(to_folders);
    for (event, range) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        if let Event::InlineMath(formula) = &event {
            edits.push((range, format!("\\\\({}\\\\)", escaped(formula))));
        } else if let Event::DisplayMath(formula) = &event {
            edits.push((range, format!("\\\\[{}\\\\]", escaped(formula))));
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut result = text.to_owned();
    edits.iter().rev().for_each(|(range, new)| result.replace_range(range.clone(), new));
    result
}

/// The links to folders, each with its text.
fn links_to_folders(page: &Path, text: &str) -> Vec<(Range<usize>, String)> {
    let in_folder = |(event, range): (Event<'_>, Range<usize>)| {
        let Event::Start(Tag::Link { dest_url: url, .. }) = event else { return None };
        let (path, _) = target(page, &url)?;
        let shown = text[range.clone()].strip_prefix('[')?.split_once("](")?.0.to_owned();
        root().join(path).is_dir().then_some((range, shown))
    };
    Parser::new_ext(text, OPTIONS).into_offset_iter().filter_map(in_folder).collect()
}

/// A formula as text that Markdown leaves as it is.
fn escaped(formula: &str) -> String {
    let escape = |character: char| {
        let sign = if character.is_ascii_punctuation() { "\\" } else { "" };
        format!("{sign}{character}")
    };
    formula.chars().map(escape).collect()
}

/// The link from a page to a file, both in the copy.
fn relative(page: &Path, file: &Path) -> String {
    let folders = page.parent().map_or(0, |folder| folder.components().count());
    let path: PathBuf = std::iter::repeat_n("..", folders).collect::<PathBuf>().join(file);
    path.to_string_lossy().into_owned()
}
