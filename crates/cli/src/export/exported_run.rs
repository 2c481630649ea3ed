//! A recorded run as it is read for an export.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_store::{ExportRows, ExportTable, ExportedGame, RowWriter, RunSource};

use crate::console::Console;
use crate::console::interrupt;
use crate::console::progress::ExportProgress;
use crate::failure::Failure;

/// Why an export was not completed.
pub(crate) enum Unfinished {
    Interrupted,
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Unfinished {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// A recorded run that is exported.
pub(crate) struct ExportedRun<'a, G: ExportedGame> {
    pub(crate) source: &'a RunSource,
    pub(crate) rows: ExportRows<'a, G>,
    pub(crate) console: &'a Console,
    stop: Arc<AtomicBool>,
}

impl<'a, G: ExportedGame> ExportedRun<'a, G> {
    pub(crate) fn new(source: &'a RunSource, console: &'a Console) -> Result<Self, Failure> {
        let rows = ExportRows::new(source)?;
        Ok(Self { source, rows, console, stop: interrupt::stop_flag(console)? })
    }

    /// Writes the rows of tables, until the user interrupts it.
    pub(crate) fn write_rows(
        &self,
        writers: &mut [(ExportTable, Box<dyn RowWriter + '_>)],
    ) -> Result<(), Unfinished> {
        let mut progress = ExportProgress::new(self.source.count(), self.console);
        let done = self.rows.write(writers, || {
            progress.advance();
            self.check_interrupt()
        });
        progress.clear();
        done
    }

    /// Calls `each` for every line of the run's log, until the user interrupts it.
    pub(crate) fn each_log_line(
        &self,
        mut each: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<(), Unfinished> {
        self.source.each_log_line(|line| {
            self.check_interrupt()?;
            Ok(each(line)?)
        })
    }

    /// An error once the user has interrupted the export.
    pub(crate) fn check_interrupt(&self) -> Result<(), Unfinished> {
        if self.stop.load(Ordering::Relaxed) { Err(Unfinished::Interrupted) } else { Ok(()) }
    }
}
