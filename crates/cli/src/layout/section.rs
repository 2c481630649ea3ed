//! Tables with titles, on terminals and in Markdown.

use std::io::{self, Write};

use super::form::Form;
use super::printer::Printer;
use super::table::{Column, Table};
use super::width::Width;
use crate::text::{STRONG, styled};

/// A titled table. `--format json` has all of its columns.
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

    /// Whether the table has no rows.
    pub(crate) const fn is_empty(&self) -> bool {
        self.table.rows.is_empty()
    }

    /// Whether all columns fit.
    pub(crate) fn is_complete(&self, width: Width) -> bool {
        self.table.is_complete(width)
    }

    pub(crate) fn write<W: Write>(&self, out: &mut Printer<W>, form: Form) -> io::Result<()> {
        match form {
            Form::Text => writeln!(out, "\n{}", styled(STRONG, self.title))?,
            Form::Markdown => writeln!(out.verbatim(), "\n**{}**\n", self.title)?,
        }
        self.table.write(out, form)
    }
}
