//! The destination of a run that is being played.

use std::io;

use dicehill_arena::{Event, TournamentGame};

use crate::{LogWriter, RunWriter};

/// The destination of a run that is being played.
pub enum RunSink {
    /// A run log.
    Log(LogWriter),
    /// The store of a hill.
    Store(RunWriter),
}

impl RunSink {
    /// Writes what an event adds to the run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write<G: TournamentGame>(&mut self, event: &Event<'_, G>) -> io::Result<()> {
        match self {
            Self::Log(log) => log.write(event),
            Self::Store(store) => store.write(event),
        }
    }

    /// Writes everything to disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Log(log) => log.flush(),
            Self::Store(store) => store.flush(),
        }
    }

    /// Whether a part of the run is on disk, where it can be resumed.
    #[must_use]
    pub fn has_stored(&self) -> bool {
        match self {
            Self::Log(log) => log.has_stored(),
            Self::Store(store) => store.has_stored(),
        }
    }

    /// The RUN argument that names this run on the command line; `None` if its log is a pipe or a device.
    #[must_use]
    pub fn run(&self) -> Option<String> {
        match self {
            Self::Log(log) => log.is_regular_file().then(|| log.path().display().to_string()),
            Self::Store(store) => Some(format!("{}#{}", store.path().display(), store.run())),
        }
    }
}
