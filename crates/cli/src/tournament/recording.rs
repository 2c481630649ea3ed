//! Where a tournament is recorded.

use dicehill_store::RunSink;

use super::stop_watch::StopWatch;
use crate::text::printable;

/// Where a tournament is recorded.
pub(crate) struct Recording {
    /// Notices requests of the host, on a hill.
    pub(crate) stop_watch: Option<StopWatch>,
    pub(crate) sink: RunSink,
    /// The further arguments of the command that resumes the run.
    pub(crate) sources: Vec<String>,
}

impl Recording {
    /// The number of the run on its hill; `None` if it is recorded in a log.
    pub(super) fn number(&self) -> Option<i64> {
        match &self.sink {
            RunSink::Store(writer) => Some(writer.run()),
            RunSink::Log(_) => None,
        }
    }

    /// The command that resumes the run; `None` if nothing of it is on disk.
    pub(super) fn resume_command(&self) -> Option<String> {
        if !self.sink.has_stored() {
            return None;
        }
        let begin = vec!["dicehill".to_owned(), "resume".to_owned(), self.sink.run()?];
        Some(printable(&shell_words::join([begin, self.sources.clone()].concat())))
    }

    /// The command that shows the requests on which bots failed; `None` if nothing of the run is on disk.
    pub(super) fn failures_command(&self) -> Option<String> {
        let run = self.sink.run().filter(|_| self.sink.has_stored())?;
        Some(printable(&shell_words::join(["dicehill", "replay", &run, "--failed"])))
    }
}
