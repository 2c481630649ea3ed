//! Tables with titles, on terminals and in Markdown.

use std::io::{self, Write};

use super::{Column, Printer, Table};
use crate::text::{FAINT, STRONG, escape_markdown, styled};

/// Where something is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// On a terminal, or as plain text.
    Text,
    /// In a post.
    Markdown,
}

impl Form {
    /// Writes a title with what belongs to it.
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

/// A table with its title, as a part of what `--format json` has in full.
pub(crate) struct Section {
    title: &'static str,
    table: Table,
}

impl Section {
    pub(crate) const fn new(
        title: &'static str,
        columns: Vec<Column>,
        rows: Vec<Vec<String>>,
    ) -> Self {
        Self { title, table: Table { columns, rows, complete: "--format json" } }
    }

    /// Whether there is anything to be shown.
    pub(crate) const fn is_empty(&self) -> bool {
        self.table.rows.is_empty()
    }

    /// Whether all columns fit.
    pub(crate) fn is_complete<W: Write>(&self, out: &Printer<W>) -> bool {
        self.table.is_complete(out.width())
    }

    pub(crate) fn write<W: Write>(&self, out: &mut Printer<W>, form: Form) -> io::Result<()> {
        match form {
            Form::Text => writeln!(out, "\n{}", styled(STRONG, self.title))?,
            Form::Markdown => writeln!(out.verbatim(), "\n**{}**\n", self.title)?,
        }
        self.table.write(out, form)
    }
}
