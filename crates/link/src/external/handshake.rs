//! What a process has declared before its first answer.

use std::time::Duration;

use dicehill_arena::{Limits, Reason};

use crate::protocol::Capabilities;

/// How far the handshake has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Handshake {
    /// The process has written nothing yet.
    Pending,
    /// It answered without a `ready` message, so that it handles one request at a time.
    Skipped,
    /// Its `ready` message.
    Ready(Capabilities),
}

impl Handshake {
    /// The limit for the next answer, and the reason of a failure that exceeds it.
    pub(super) const fn time_limit(self, limits: Limits) -> (Reason, Duration) {
        let (reason, milliseconds) = match self {
            Self::Pending => (Reason::StartTimeout, limits.start_ms),
            Self::Skipped | Self::Ready(_) => (Reason::MoveTimeout, limits.move_ms),
        };
        (reason, Duration::from_millis(milliseconds))
    }

    /// Whether the process asked for what calls reveal.
    pub(super) const fn wants_rounds(self) -> bool {
        matches!(self, Self::Ready(Capabilities { wants_rounds: true, .. }))
    }
}
