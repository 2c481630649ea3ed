//! The columns of a table in the memory layout of Apache Arrow, which pyarrow takes as it is.

use std::io;

use dicehill_store::{Cell, ColumnKind, ExportColumn, RowWriter};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The buffers of a column.
#[pyclass(frozen, module = "dicehill")]
pub(crate) struct ColumnBuffers(Column);

#[pymethods]
impl ColumnBuffers {
    /// The name.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    /// What its cells hold: `number` (int64), `flag` (bool) or `text` (large_string).
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0.kind {
            ColumnKind::Number => "number",
            ColumnKind::Flag => "flag",
            ColumnKind::Text => "text",
        }
    }

    fn __len__(&self) -> usize {
        self.0.rows
    }

    /// A bit for each row, the lowest of a byte first: whether the row has a value.
    fn validity<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.validity)
    }

    /// The numbers, the bits of the flags, or the bytes of all texts.
    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.values)
    }

    /// Where each text begins, and at the end where the last one ends; empty for other columns.
    fn offsets<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.offsets)
    }
}

/// The columns of a table.
pub(crate) struct Columns(Vec<Column>);

struct Column {
    name: &'static str,
    kind: ColumnKind,
    rows: usize,
    validity: Vec<u8>,
    /// Numbers as little-endian 64-bit integers, flags as bits, texts as UTF-8.
    values: Vec<u8>,
    /// Little-endian 64-bit integers.
    offsets: Vec<u8>,
}

impl Columns {
    pub(crate) fn new(columns: &[ExportColumn]) -> Self {
        let column = |ExportColumn { name, kind }: &ExportColumn| Column {
            name,
            kind: *kind,
            rows: 0,
            validity: Vec::new(),
            values: Vec::new(),
            offsets: match kind {
                ColumnKind::Text => 0i64.to_le_bytes().to_vec(),
                ColumnKind::Number | ColumnKind::Flag => Vec::new(),
            },
        };
        Self(columns.iter().map(column).collect())
    }

    pub(crate) fn into_buffers(self) -> Vec<ColumnBuffers> {
        self.0.into_iter().map(ColumnBuffers).collect()
    }
}

impl RowWriter for &mut Columns {
    fn write(&mut self, row: &[Cell]) -> io::Result<()> {
        self.0.iter_mut().zip(row).for_each(|(column, cell)| column.push(cell));
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Column {
    fn push(&mut self, cell: &Cell) {
        let is_valid = match self.kind {
            ColumnKind::Number => {
                let number = match cell {
                    Cell::Number(number) => i64::try_from(*number).ok(),
                    Cell::Nothing | Cell::Flag(_) | Cell::Text(_) | Cell::Word(_) => None,
                };
                self.values.extend(number.unwrap_or_default().to_le_bytes());
                number.is_some()
            }
            ColumnKind::Flag => {
                push_bit(&mut self.values, self.rows, matches!(cell, Cell::Flag(true)));
                matches!(cell, Cell::Flag(_))
            }
            ColumnKind::Text => {
                let text = match cell {
                    Cell::Text(text) | Cell::Word(text) => Some(text),
                    Cell::Nothing | Cell::Number(_) | Cell::Flag(_) => None,
                };
                self.values.extend(text.map_or(&[][..], |text| text.as_bytes()));
                self.offsets.extend((self.values.len() as i64).to_le_bytes());
                text.is_some()
            }
        };
        push_bit(&mut self.validity, self.rows, is_valid);
        self.rows += 1;
    }
}

fn push_bit(bits: &mut Vec<u8>, index: usize, bit: bool) {
    if index.is_multiple_of(8) {
        bits.push(0);
    }
    if let Some(byte) = bits.last_mut() {
        *byte |= u8::from(bit) << (index % 8);
    }
}
