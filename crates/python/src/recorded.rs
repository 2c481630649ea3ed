//! Recorded runs and hills.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use dicehill_arena::{Hill, TournamentGame};
use dicehill_rules::with_game;
use dicehill_store::{
    Cell, ExportRows, ExportTable, FileError as StoreError, GameLine, HillStore, RowWriter,
    RunCheck, RunSource, RunSummary, StoredEntrant, StoredGame, TruncatedTail,
};
use pyo3::exceptions::{PyException, PyFileNotFoundError, PyIndexError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::arguments::invalid;
use crate::columns::{ColumnBuffers, Columns};

pyo3::create_exception!(
    dicehill,
    FileError,
    PyException,
    "A file cannot be used as requested; the message names the file, the line and the value."
);

/// Games between two looks for an interrupt.
const INTERRUPT_PERIOD: u32 = 1024;

/// An error as Python gets it.
pub(crate) struct Stopped(pub(crate) PyErr);

impl From<StoreError> for Stopped {
    fn from(error: StoreError) -> Self {
        let message = error.to_string();
        if error.is_missing() {
            Self(PyFileNotFoundError::new_err(message))
        } else {
            Self(FileError::new_err(message))
        }
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self(error.into())
    }
}

impl From<Stopped> for PyErr {
    fn from(Stopped(error): Stopped) -> Self {
        error
    }
}

/// A recorded run: a run log, or a run in the store of a hill. `dicehill.Run` wraps it.
#[pyclass(frozen, module = "dicehill")]
pub(crate) struct RecordedRun(Mutex<RunSource>);

impl RecordedRun {
    /// Reads the run without the lock of the interpreter.
    pub(crate) fn read<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&RunSource) -> Result<T, Stopped> + Send,
    ) -> PyResult<T> {
        let locked = || read(&self.0.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(py.detach(locked)?)
    }
}

#[pymethods]
impl RecordedRun {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let source = py.detach(move || open(&path)).map_err(Stopped::from)?;
        Ok(Self(Mutex::new(source)))
    }

    /// The number of games that count.
    fn count(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, |source| Ok(source.count()))
    }

    /// The number of the run in its hill; None of a log.
    fn number(&self, py: Python<'_>) -> PyResult<Option<i64>> {
        self.read(py, |source| Ok(source.number()))
    }

    /// The header as JSON, without a secret that must not be shown before the run has ended.
    fn header(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |source| {
            let header = source.header();
            if !source.has_hidden_secret() {
                return Ok(header.line.clone());
            }
            let mut value: Value = serde_json::from_str(&header.line).map_err(io::Error::from)?;
            value["seed"] = header.public_seed(false).into();
            Ok(value.to_string())
        })
    }

    /// The result document as JSON; None of an unfinished run.
    fn result(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.read(py, |source| Ok(source.result_text()?))
    }

    /// The bars as JSON.
    fn bars(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |source| Ok(serde_json::to_string(source.bars()).map_err(io::Error::from)?))
    }

    /// The record of the game with this index, from 0, as JSON.
    fn game(&self, py: Python<'_>, index: u64) -> PyResult<String> {
        self.read(py, |source| Ok(game(source, index)?.line))
    }

    /// The moves of the game with this index, from 0: the rows of the table `moves`.
    fn moves<'py>(&self, py: Python<'py>, index: u64) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let (columns, rows) = self.read(py, |source| {
            let game = game(source, index)?;
            with_game!(source.header().hill.game(), G => {
                let rows = ExportRows::<G>::new(source)?;
                let columns = rows.columns(ExportTable::Moves);
                Ok((columns, rows.rows_of_game(ExportTable::Moves, &game)?))
            })
        })?;
        let row = |row: Vec<Cell>| {
            let dict = PyDict::new(py);
            for (column, cell) in columns.iter().zip(row) {
                dict.set_item(column.name, value(py, cell)?)?;
            }
            Ok(dict)
        };
        rows.into_iter().map(row).collect()
    }

    /// The columns of a table of the run, in the memory layout of Apache Arrow.
    fn columns(&self, py: Python<'_>, table: &str) -> PyResult<Vec<ColumnBuffers>> {
        let found = ExportTable::ALL.into_iter().find(|one| one.name() == table);
        let table = found.ok_or_else(|| {
            let names = ExportTable::ALL.map(ExportTable::name);
            invalid(format!("table: {table:?} is not one of {}, standings", names.join(", ")))
        })?;
        let columns = self.read(py, |source| {
            with_game!(source.header().hill.game(), G => {
                let rows = ExportRows::<G>::new(source)?;
                let mut columns = Columns::new(&rows.columns(table));
                write(&rows, table, &mut columns)?;
                Ok(columns)
            })
        })?;
        Ok(columns.into_buffers())
    }
}

fn open(path: &Path) -> Result<RunSource, StoreError> {
    let source = RunSource::open(path, TruncatedTail::Ignore)?;
    with_game!(source.header().hill.game(), G => refuse_altered::<G>(&source))?;
    Ok(source)
}

/// Refuses a log whose games were altered, or whose result does not follow from its games. Those of a hill were checked by
/// their hashes when the run was opened.
fn refuse_altered<G: TournamentGame>(source: &RunSource) -> Result<(), StoreError> {
    let hill: Hill<G> = source.header().inert_hill(source.path())?;
    let check = RunCheck::new(source, hill);
    check.refuse_altered_games()?;
    check.refuse_altered_result()
}

/// The record of the game with this index. A log of a single game has it under any number.
fn game(source: &RunSource, index: u64) -> Result<StoredGame, Stopped> {
    if index >= source.count() {
        return Err(Stopped(PyIndexError::new_err(format!(
            "game index {index}: the run holds {} games",
            source.count()
        ))));
    }
    let (number, line) = match source.games().line(index + 1)? {
        Some(line) => (None, line),
        None => source.find_game(None)?,
    };
    GameLine::read(&line).map_err(|why| {
        // Only the slow way knows the number of the line.
        let number = source.find_game(Some(index + 1)).map_or(number, |(number, _)| number);
        source.error(number, why)
    })?;
    Ok(StoredGame { number, line, times: Vec::new() })
}

fn write<G: dicehill_store::ExportedGame>(
    rows: &ExportRows<'_, G>,
    table: ExportTable,
    columns: &mut Columns,
) -> Result<(), Stopped> {
    let writer: Box<dyn RowWriter + '_> = Box::new(columns);
    let mut games = 0u32;
    rows.write(&mut [(table, writer)], || {
        games = games.wrapping_add(1);
        if games.is_multiple_of(INTERRUPT_PERIOD) {
            return Python::attach(|py| py.check_signals().map_err(Stopped));
        }
        Ok(())
    })
}

fn value(py: Python<'_>, cell: Cell) -> PyResult<Bound<'_, PyAny>> {
    match cell {
        Cell::Nothing => Ok(py.None().into_bound(py)),
        Cell::Number(number) => Ok(number.into_pyobject(py)?.into_any()),
        Cell::Flag(flag) => Ok(flag.into_pyobject(py)?.to_owned().into_any()),
        Cell::Text(text) | Cell::Word(text) => Ok(text.into_pyobject(py)?.into_any()),
    }
}

/// What the store of a hill has besides games, as JSON: its terms, its entrants and its runs.
#[pyfunction]
pub(crate) fn read_hill(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let read = move || -> Result<String, Stopped> {
        let store = HillStore::open(&path)?;
        let mut terms = serde_json::to_value(&store.hill().terms).map_err(io::Error::from)?;
        // The seeds of runs are in their headers.
        terms.as_object_mut().map(|terms| terms.remove("seed"));
        let entrants = store.entrants()?;
        let runs = store.runs()?;
        let document = json!({
            "terms": terms,
            "games": store.hill().games,
            "entrants": entrants.iter().map(entrant).collect::<Vec<_>>(),
            "runs": runs.iter().map(run).collect::<Vec<_>>(),
        });
        Ok(document.to_string())
    };
    Ok(py.detach(read)?)
}

fn entrant(entrant: &StoredEntrant) -> Value {
    let StoredEntrant { name, number, identity, author, url, votes, added, .. } = entrant;
    json!({
        "bot": name.as_str(),
        "version": number,
        "hash": identity,
        "author": author,
        "url": url,
        "votes": votes,
        "added": added,
    })
}

fn run(run: &RunSummary) -> Value {
    let bots: Vec<_> = run.header.bots.iter().map(|bot| bot.name.as_str()).collect();
    json!({
        "run": run.run,
        "begun": run.begun,
        "ended": run.ended,
        "games": run.games,
        "bots": bots,
    })
}
