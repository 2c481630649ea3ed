//! The width of an output's lines.

use std::os::fd::AsFd;

/// The width of an output's lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    /// The number of columns of a terminal.
    Columns(usize),
    /// Any width, in a file or pipe: nothing is wrapped or left out.
    Unlimited,
}

impl Width {
    /// The columns of the terminal to which results are printed, if it is one.
    pub(crate) fn of_stdout() -> Self {
        Self::of(rustix::stdio::stdout())
    }

    /// The columns of the terminal to which messages are printed, if it is one.
    pub(crate) fn of_stderr() -> Self {
        Self::of(rustix::stdio::stderr())
    }

    /// The columns of a terminal. Some terminals do not know their width, and report 0.
    fn of(output: impl AsFd) -> Self {
        match rustix::termios::tcgetwinsize(output) {
            Ok(size) if size.ws_col > 0 => Self::Columns(size.ws_col.into()),
            Ok(_) | Err(_) => Self::Unlimited,
        }
    }
}
