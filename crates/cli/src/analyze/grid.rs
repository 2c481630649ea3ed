//! Tables with titles, for terminals and in Markdown.

use std::io::{self, Write};

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};

use unicode_width::UnicodeWidthStr;

use crate::text::{FAINT, STRONG, escape_markdown, styled};

/// Columns of a terminal of which nothing is known.
const USUAL_COLUMNS: u16 = 100;
/// The fewest and the most columns that tables have use for.
const COLUMNS: (u16, u16) = (60, 140);

/// Where something is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// On a terminal with so many columns.
    Text(u16),
    /// In a post.
    Markdown,
}

impl Form {
    /// As wide as this terminal.
    pub(crate) fn of_this_terminal() -> Self {
        let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout());
        let columns = size.map_or(0, |size| size.ws_col);
        let columns = if columns == 0 { USUAL_COLUMNS } else { columns };
        Self::Text(columns.clamp(COLUMNS.0, COLUMNS.1))
    }

    /// Writes a title with what belongs to it.
    pub(crate) fn title(self, out: &mut impl Write, title: &str, facts: &str) -> io::Result<()> {
        match self {
            Self::Text(_) => writeln!(out, "{}  {}", styled(STRONG, title), styled(FAINT, facts)),
            Self::Markdown => {
                writeln!(out, "## {}\n\n{}", escape_markdown(title), escape_markdown(facts))
            }
        }
    }

    /// Writes a line.
    pub(crate) fn line(self, out: &mut impl Write, line: &str) -> io::Result<()> {
        match self {
            Self::Text(_) => writeln!(out, "{line}"),
            Self::Markdown => writeln!(out, "{}  ", escape_markdown(line)),
        }
    }
}

/// A column: its heading, and whether it has texts, which may be broken into several lines.
pub(crate) enum Column {
    /// Numbers, or short texts that end the same.
    Right(&'static str),
    /// Short texts.
    Left(&'static str),
    /// Long texts.
    Text(&'static str),
}

/// A table with its title.
pub(crate) struct Grid {
    pub(crate) title: &'static str,
    pub(crate) columns: Vec<Column>,
    /// A cell may have several lines.
    pub(crate) rows: Vec<Vec<String>>,
}

impl Grid {
    pub(crate) fn write(&self, out: &mut impl Write, form: Form) -> io::Result<()> {
        match form {
            Form::Text(width) => {
                writeln!(out, "\n{}", styled(STRONG, self.title))?;
                writeln!(out, "{}", self.text(width))
            }
            Form::Markdown => {
                writeln!(out, "\n**{}**\n", self.title)?;
                let mut table = self.table(in_markdown);
                table.load_style(presets::ASCII_MARKDOWN);
                table.set_content_arrangement(ContentArrangement::Disabled);
                writeln!(out, "{table}")
            }
        }
    }

    /// The table with gaps that let it fit, as far as gaps can.
    fn text(&self, width: u16) -> String {
        let mut table = self.table(|_, cell| cell.to_owned());
        table.load_style(presets::NOTHING);
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        let mut with = |gap: u16| {
            for (column, kind) in table.column_iter_mut().zip(&self.columns) {
                column.set_padding((0, gap));
                match kind {
                    Column::Left(_) | Column::Right(_) => {
                        column.set_constraint(ColumnConstraint::ContentWidth);
                    }
                    Column::Text(_) => {}
                }
            }
            table.trim_fmt()
        };
        let wide = with(2);
        if wide.lines().all(|line| line.width() <= usize::from(width)) { wide } else { with(1) }
    }

    fn table(&self, cell: impl Fn(&Column, &str) -> String) -> Table {
        let mut table = Table::new();
        table.set_header(self.columns.iter().map(|column| match column {
            Column::Right(heading) | Column::Left(heading) | Column::Text(heading) => *heading,
        }));
        for row in &self.rows {
            table.add_row(self.columns.iter().zip(row).map(|(column, text)| cell(column, text)));
        }
        for (column, kind) in table.column_iter_mut().zip(&self.columns) {
            column.set_cell_alignment(match kind {
                Column::Right(_) => CellAlignment::Right,
                Column::Left(_) | Column::Text(_) => CellAlignment::Left,
            });
        }
        table
    }
}

/// A cell in Markdown, on one line.
fn in_markdown(column: &Column, cell: &str) -> String {
    match column {
        // Numbers are ours.
        Column::Right(_) => cell.to_owned(),
        Column::Left(_) | Column::Text(_) => {
            let lines = cell.lines().map(|line| escape_markdown(line.trim_start()));
            lines.collect::<Vec<_>>().join("<br>")
        }
    }
}
