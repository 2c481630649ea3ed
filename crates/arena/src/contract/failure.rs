//! The faults of bots.

use std::fmt;

use crate::printable;

/// The longest detail of a failure, in characters.
const MAX_DETAIL_LENGTH: usize = 2000;

/// Separates a refused action from the reason; no action contains it.
const ACTION_END: &str = ": ";

/// Why a bot gave no legal action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of fault.
    pub reason: Reason,
    /// What happened, with the offending value: a function of the bot's behaviour alone.
    pub detail: String,
    /// The last lines of the bot's log. They may differ between runs, and are not part of the game's record.
    pub log: Vec<String>,
}

impl Failure {
    /// The arena could not prepare or start the bot's process.
    pub fn arena_error(error: impl fmt::Display) -> Self {
        Self::new(Reason::ArenaError, error.to_string())
    }

    /// The judge refused this action.
    pub fn refused(action: impl fmt::Display, why: impl fmt::Display) -> Self {
        Self::new(Reason::IllegalMove, format!("{action}{ACTION_END}{why}"))
    }

    /// The refused action, in its own notation; `None` of other faults.
    #[must_use]
    pub fn refused_action(&self) -> Option<&str> {
        let (action, _) = self.detail.split_once(ACTION_END)?;
        (self.reason == Reason::IllegalMove).then_some(action)
    }

    /// The reason, and what is wrong without the action that it is about.
    #[must_use]
    pub fn kind(&self) -> (Reason, &str) {
        let why = self.detail.split_once(ACTION_END).map_or(&*self.detail, |(_, why)| why);
        (self.reason, why)
    }

    /// A fault without a log. The first 2000 characters of the detail are kept, in printable form, because it is
    /// displayed in many places and may quote what a bot or a log file says.
    pub fn new(reason: Reason, detail: impl AsRef<str>) -> Self {
        let detail = detail.as_ref();
        let end = detail.char_indices().nth(MAX_DETAIL_LENGTH).map_or(detail.len(), |(end, _)| end);
        Self { reason, detail: printable(&detail[..end]), log: Vec::new() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason, self.detail)
    }
}

/// The kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A well-formed answer that is against the rules.
    IllegalMove,
    /// An answer that cannot be parsed.
    MalformedAnswer,
    /// The process ended, or an in-process bot gave up.
    Crash,
    /// No first answer in time.
    StartTimeout,
    /// No later answer in time.
    MoveTimeout,
    /// The answers of a game took too long together.
    GameTimeout,
    /// Too much output.
    Flood,
    /// Too much memory.
    Memory,
    /// A remote bot has no connection. The run goes on without it, and nothing else follows: it is not barred.
    Absent,
    /// The arena could not start the process. This is not the bot's fault: it ends the run with an error, and no
    /// record has it.
    ArenaError,
}

impl Reason {
    /// The faults of programs, in the order of reports.
    pub const OF_PROGRAMS: [Self; 8] = [
        Self::IllegalMove,
        Self::MalformedAnswer,
        Self::Crash,
        Self::StartTimeout,
        Self::MoveTimeout,
        Self::GameTimeout,
        Self::Flood,
        Self::Memory,
    ];

    /// All reasons for which a bot gives no legal action, as records name them.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::OF_PROGRAMS.into_iter().chain([Self::Absent])
    }

    /// The reason with this name; `None` if records have none of it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|reason| reason.name() == name)
    }

    /// The name in documents, for example `illegal-move`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::IllegalMove => "illegal-move",
            Self::MalformedAnswer => "malformed-answer",
            Self::Crash => "crash",
            Self::StartTimeout => "start-timeout",
            Self::MoveTimeout => "move-timeout",
            Self::GameTimeout => "game-timeout",
            Self::Flood => "flood",
            Self::Memory => "memory",
            Self::Absent => "absent",
            Self::ArenaError => "arena-error",
        }
    }

    /// Whether it is a timeout, which may be due to a busy machine.
    #[must_use]
    pub const fn is_timeout(self) -> bool {
        matches!(self, Self::StartTimeout | Self::MoveTimeout | Self::GameTimeout)
    }

    /// Whether the arena is at fault, so that it counts against no bot.
    #[must_use]
    pub const fn is_arena_error(self) -> bool {
        matches!(self, Self::ArenaError)
    }

    /// Whether the program failed, as opposed to choosing an illegal action.
    #[must_use]
    pub const fn is_process_failure(self) -> bool {
        !matches!(self, Self::IllegalMove)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
