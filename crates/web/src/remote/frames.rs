//! What goes over the connection of a remote bot: one JSON object a message.

use serde::{Deserialize, Serialize};

/// The most bytes of a frame: a line of the longest that a bot may write, escaped.
pub(crate) const MAX_FRAME: usize = 512 << 10;
/// The most bytes of a frame that is read, so that its sender learns that it is too long.
pub(crate) const MAX_READ: usize = 4 * MAX_FRAME;
/// The status of a close frame to a client whose place another client has taken: it must not connect again.
pub const REPLACED_STATUS: u16 = 4001;

/// What the server sends. Frames with a number `n`, which counts from 1, are kept until they are confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ServerFrame {
    /// The first frame of a connection.
    Welcome {
        /// The entry with which the bot came to the hill.
        entry: i64,
        /// What the author's program sends to resume after the connection was cut.
        key: String,
        /// The number of the last frame that the server has received.
        received: u64,
        /// Whether the sessions of the last connection go on.
        resumed: bool,
    },
    /// A run wants a process of the bot.
    Open {
        /// The frame's number.
        n: u64,
        /// The number of the process.
        session: u64,
    },
    /// A line for the stdin of a process.
    Line {
        /// The frame's number.
        n: u64,
        /// The number of the process.
        session: u64,
        /// The line, without its end.
        line: String,
    },
    /// A process is not needed any more.
    Close {
        /// The frame's number.
        n: u64,
        /// The number of the process.
        session: u64,
    },
    /// The server has received all frames up to this number.
    Confirm {
        /// The number.
        received: u64,
    },
}

/// What the author's program sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum AuthorFrame {
    /// A line that a process has written to stdout.
    Line {
        /// The frame's number.
        n: u64,
        /// The number of the process.
        session: u64,
        /// The line, without its end.
        line: String,
        /// Microseconds since the process was sent its last line.
        took_us: u64,
    },
    /// A process has ended.
    Ended {
        /// The frame's number.
        n: u64,
        /// The number of the process.
        session: u64,
        /// How it ended.
        how: String,
    },
    /// The program has received all frames up to this number.
    Confirm {
        /// The number.
        received: u64,
    },
}

impl ServerFrame {
    /// The number of the frame, if it has one.
    #[must_use]
    pub const fn number(&self) -> Option<u64> {
        match self {
            Self::Open { n, .. } | Self::Line { n, .. } | Self::Close { n, .. } => Some(*n),
            Self::Welcome { .. } | Self::Confirm { .. } => None,
        }
    }
}

impl AuthorFrame {
    /// The number of the frame, if it has one.
    #[must_use]
    pub const fn number(&self) -> Option<u64> {
        match self {
            Self::Line { n, .. } | Self::Ended { n, .. } => Some(*n),
            Self::Confirm { .. } => None,
        }
    }
}
