//! A table as a Parquet file, for data frames. Only with the feature `parquet`.

use std::io::{self, Write};
use std::sync::Arc;

use dicehill_store::{Cell, ColumnKind, ExportColumn, RowWriter};
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

/// The rows of a group, which are kept in memory.
const ROWS_PER_GROUP: usize = 1 << 16;

pub(crate) struct ParquetRows<W: Write + Send> {
    file: Option<SerializedFileWriter<W>>,
    columns: Vec<ExportColumn>,
    /// The cells of the current group, by column.
    waiting: Vec<Vec<Cell>>,
}

impl<W: Write + Send> ParquetRows<W> {
    pub(crate) fn new(file: W, columns: Vec<ExportColumn>) -> io::Result<Self> {
        let properties = WriterProperties::builder().set_compression(Compression::LZ4_RAW).build();
        let schema = schema(&columns).map_err(io::Error::other)?;
        let file = SerializedFileWriter::new(file, schema, Arc::new(properties))
            .map_err(io::Error::other)?;
        let waiting = vec![Vec::new(); columns.len()];
        Ok(Self { file: Some(file), columns, waiting })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let Some(file) = self.file.as_mut() else { return Ok(()) };
        if self.waiting.first().is_none_or(Vec::is_empty) {
            return Ok(());
        }
        let mut group = file.next_row_group()?;
        for (column, cells) in self.columns.iter().zip(&mut self.waiting) {
            write_column(&mut group, column.kind, &std::mem::take(cells))?;
        }
        group.close().map(drop)
    }
}

impl<W: Write + Send> RowWriter for ParquetRows<W> {
    fn write(&mut self, row: &[Cell]) -> io::Result<()> {
        for (cells, cell) in self.waiting.iter_mut().zip(row) {
            cells.push(cell.clone());
        }
        if self.waiting.first().is_some_and(|cells| cells.len() >= ROWS_PER_GROUP) {
            self.write_group().map_err(io::Error::other)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write_group().map_err(io::Error::other)?;
        let file = self.file.take();
        let inner = file.map(SerializedFileWriter::into_inner).transpose();
        inner.map_err(io::Error::other)?.map_or(Ok(()), |mut inner| inner.flush())
    }
}

fn schema(columns: &[ExportColumn]) -> Result<TypePtr, ParquetError> {
    let fields = columns.iter().map(|column| field(*column).map(Arc::new));
    let fields = fields.collect::<Result<_, _>>()?;
    Type::group_type_builder("row").with_fields(fields).build().map(Arc::new)
}

fn field(column: ExportColumn) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.kind {
        ColumnKind::Number => (PhysicalType::INT64, None),
        ColumnKind::Flag => (PhysicalType::BOOLEAN, None),
        ColumnKind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
    };
    Type::primitive_type_builder(column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}

fn write_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    kind: ColumnKind,
    cells: &[Cell],
) -> Result<(), ParquetError> {
    match kind {
        ColumnKind::Number => write_values::<Int64Type, W>(group, cells, |cell| match cell {
            Cell::Number(number) => i64::try_from(*number).ok(),
            Cell::Nothing | Cell::Flag(_) | Cell::Text(_) | Cell::Word(_) => None,
        }),
        ColumnKind::Flag => write_values::<BoolType, W>(group, cells, |cell| match cell {
            Cell::Flag(flag) => Some(*flag),
            Cell::Nothing | Cell::Number(_) | Cell::Text(_) | Cell::Word(_) => None,
        }),
        ColumnKind::Text => write_values::<ByteArrayType, W>(group, cells, |cell| match cell {
            Cell::Text(text) | Cell::Word(text) => Some(ByteArray::from(text.as_str())),
            Cell::Nothing | Cell::Number(_) | Cell::Flag(_) => None,
        }),
    }
}

fn write_values<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    cells: &[Cell],
    value: impl Fn(&Cell) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let values: Vec<_> = cells.iter().map(value).collect();
    // 1 where there is a value, 0 where there is nothing.
    let levels: Vec<_> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<_> = values.into_iter().flatten().collect();
    let mut column = group.next_column()?.expect("a column of the schema for each of the table");
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    column.close()
}
