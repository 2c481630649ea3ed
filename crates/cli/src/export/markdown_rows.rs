//! A table in Markdown, up to a length that can be scrolled.

use std::io::{self, Write};

use dicehill_store::{Cell, ColumnKind, ExportColumn, RowWriter};

use crate::text::{counted, escape_markdown};

/// The most rows that are written; further ones are counted.
const MAX_ROWS: u64 = 1000;

pub(crate) struct MarkdownRows<W: Write> {
    file: W,
    rows: u64,
}

impl<W: Write> MarkdownRows<W> {
    pub(crate) fn new(mut file: W, columns: &[ExportColumn]) -> io::Result<Self> {
        let names = columns.iter().map(|column| escape_markdown(column.name));
        write_row(&mut file, names)?;
        let rule = |column: &ExportColumn| match column.kind {
            ColumnKind::Number => "--:".to_owned(),
            ColumnKind::Flag | ColumnKind::Text => "---".to_owned(),
        };
        write_row(&mut file, columns.iter().map(rule))?;
        Ok(Self { file, rows: 0 })
    }
}

impl<W: Write> RowWriter for MarkdownRows<W> {
    fn write(&mut self, row: &[Cell]) -> io::Result<()> {
        self.rows += 1;
        if self.rows > MAX_ROWS {
            return Ok(());
        }
        write_row(&mut self.file, row.iter().map(cell))
    }

    fn finish(&mut self) -> io::Result<()> {
        if self.rows > MAX_ROWS {
            let more = counted(self.rows - MAX_ROWS, "row");
            writeln!(self.file, "\nand {more} more, which the other formats include")?;
        }
        self.file.flush()
    }
}

fn write_row(file: &mut impl Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
    writeln!(file, "| {} |", cells.collect::<Vec<_>>().join(" | "))
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Nothing => String::new(),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(true) => "yes".to_owned(),
        Cell::Flag(false) => "no".to_owned(),
        Cell::Text(text) | Cell::Word(text) => escape_markdown(text),
    }
}
