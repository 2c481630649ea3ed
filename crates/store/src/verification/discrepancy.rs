//! What is wrong with a recorded run, and where.

use std::fmt;
use std::path::Path;

use crate::{FileError, command_word};

/// What is wrong with a recorded run, at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discrepancy {
    /// The number of the line, from 1, in a log.
    line: Option<usize>,
    text: String,
}

impl Discrepancy {
    /// A problem of the run as a whole.
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { line: None, text: text.into() }
    }

    /// A problem at a line of a log.
    pub(super) fn at(line: Option<usize>, text: impl Into<String>) -> Self {
        Self { line, text: text.into() }
    }

    /// A recorded value that differs from the recomputed one.
    pub(super) fn differs(
        line: Option<usize>,
        key: &str,
        recorded: impl fmt::Display,
        recomputed: impl fmt::Display,
    ) -> Self {
        Self::at(line, format!("{key}: recorded {recorded}, recomputed {recomputed}"))
    }

    /// The same problem, with the part of the run to which it belongs in front.
    pub(super) fn within(self, part: impl fmt::Display) -> Self {
        Self { text: format!("{part}: {}", self.text), ..self }
    }

    /// Whether the problem is about this key.
    pub(super) fn is_about(&self, key: &str) -> bool {
        self.text.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'))
    }

    /// The problem as the error that refuses the run. `run` is the number of the run in its hill.
    pub(super) fn in_file(&self, path: &Path, run: Option<i64>) -> FileError {
        let (log_or_hill, text) = (command_word(path), &self.text);
        let remedy_for =
            |run: &str| format!("`dicehill verify {run}` names everything that was altered");
        match run {
            Some(run) => {
                let remedy = remedy_for(&format!("{log_or_hill}#{run}"));
                FileError::altered(path, None, format!("run {run}: {text}; {remedy}"))
            }
            None => {
                let remedy = remedy_for(&log_or_hill);
                FileError::altered(path, self.line, format!("{text}; {remedy}"))
            }
        }
    }
}

impl fmt::Display for Discrepancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}, {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}
