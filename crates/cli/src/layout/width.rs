//! How wide the lines of an output may be.

use std::os::fd::AsFd;

/// How wide the lines of an output may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    /// So many columns, on a terminal.
    Columns(usize),
    /// Any width, in a file or pipe: nothing is wrapped or left out for want of room.
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

    /// Some terminals do not know their width, and say 0.
    fn of(output: impl AsFd) -> Self {
        match rustix::termios::tcgetwinsize(output) {
            Ok(size) if size.ws_col > 0 => Self::Columns(size.ws_col.into()),
            Ok(_) | Err(_) => Self::Unlimited,
        }
    }
}
