//! Text for terminals, or Markdown.

use std::io::{self, Write};

use crate::text::{FAINT, STRONG, escape_markdown, styled};

/// The form of an output for people.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// On a terminal, or as plain text.
    Text,
    /// For a post.
    Markdown,
}

impl Form {
    /// Writes a title and the facts below or next to it.
    pub(crate) fn title(self, out: &mut impl Write, title: &str, facts: &str) -> io::Result<()> {
        match self {
            Self::Text => writeln!(out, "{}  {}", styled(STRONG, title), styled(FAINT, facts)),
            Self::Markdown => {
                writeln!(out, "## {}\n\n{}", escape_markdown(title), escape_markdown(facts))
            }
        }
    }

    /// Writes a line.
    pub(crate) fn line(self, out: &mut impl Write, line: &str) -> io::Result<()> {
        match self {
            Self::Text => writeln!(out, "{line}"),
            Self::Markdown => writeln!(out, "{}  ", escape_markdown(line)),
        }
    }
}
