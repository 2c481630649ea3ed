//! A table as JSON Lines: an object for each row, with the columns in order.

use std::io::{self, Write};

use dicehill_arena::printable_json;
use dicehill_store::{Cell, ExportColumn, RowWriter};

pub(crate) struct JsonRows<W: Write> {
    file: W,
    columns: Vec<ExportColumn>,
}

impl<W: Write> JsonRows<W> {
    pub(crate) const fn new(file: W, columns: Vec<ExportColumn>) -> Self {
        Self { file, columns }
    }
}

impl<W: Write> RowWriter for JsonRows<W> {
    fn write(&mut self, row: &[Cell]) -> io::Result<()> {
        let pair = |(column, cell): (&ExportColumn, &Cell)| {
            value(cell).map(|value| format!("\"{}\":{value}", column.name))
        };
        let pairs = self.columns.iter().zip(row).map(pair).collect::<Result<Vec<_>, _>>()?;
        writeln!(self.file, "{{{}}}", pairs.join(","))
    }

    fn finish(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn value(cell: &Cell) -> io::Result<String> {
    match cell {
        Cell::Nothing => Ok("null".to_owned()),
        Cell::Number(number) => Ok(number.to_string()),
        Cell::Flag(flag) => Ok(flag.to_string()),
        Cell::Text(text) | Cell::Word(text) => printable_json(text).map_err(io::Error::from),
    }
}
