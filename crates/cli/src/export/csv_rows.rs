//! A table as CSV. No cell is a formula.

use std::io::{self, Write};

use dicehill_store::{Cell, ExportColumn, RowWriter};

use crate::text::spreadsheet_cell;

pub(crate) struct CsvRows<W: Write> {
    csv: csv::Writer<W>,
}

impl<W: Write> CsvRows<W> {
    pub(crate) fn new(file: W, columns: &[ExportColumn]) -> io::Result<Self> {
        let mut csv = csv::Writer::from_writer(file);
        csv.write_record(columns.iter().map(|column| column.name)).map_err(io_error)?;
        Ok(Self { csv })
    }
}

impl<W: Write> RowWriter for CsvRows<W> {
    fn write(&mut self, row: &[Cell]) -> io::Result<()> {
        self.csv.write_record(row.iter().map(cell)).map_err(io_error)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.csv.flush()
    }
}

/// The I/O error in an error of CSV, so that a closed pipe is recognised.
fn io_error(error: csv::Error) -> io::Error {
    let message = error.to_string();
    if let csv::ErrorKind::Io(error) = error.into_kind() {
        error
    } else {
        io::Error::other(message)
    }
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Nothing => String::new(),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Text(text) => spreadsheet_cell(text),
        Cell::Word(word) => word.clone(),
    }
}
