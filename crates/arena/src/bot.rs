//! The contract between the judge and a bot: an observation in, an action out.

use std::fmt;

use dicehill_rules::Game;

/// A player of one game at a time.
///
/// A bot is given views of the game and can reach nothing else of it. The judge does not know how
/// it is run.
pub trait Bot<G: Game>: Send {
    /// Tells that a game begins; it comes before the game's first [`Bot::act`].
    fn start(&mut self, _start: &Start) {}

    /// Decides in the position that `view` shows.
    ///
    /// # Errors
    /// When no action is to be had from the bot: the fault is the bot's and is judged.
    fn act(&mut self, view: &G::View<'_>) -> Result<G::Action, Failure>;
}

/// Something that bots can be made of: a house bot's code, or a program outside.
pub trait Program<G: Game>: Send + Sync {
    /// What the program is, down to its content, for example `house:dummy@1`. Two programs with
    /// the same identity play alike.
    fn identity(&self) -> String;

    /// A bot at the beginning of its life, which knows of no game.
    fn bot(&self) -> Box<dyn Bot<G>>;
}

/// What a bot is told when a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The game's number, from 1.
    pub game: u64,
    /// How many sit at the table.
    pub players: usize,
    /// The bot's own seed, the only source of chance that keeps it repeatable.
    pub seed: u64,
}

/// Why no legal action was had from a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of fault.
    pub reason: Reason,
    /// What happened, with the offending value.
    pub detail: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason, self.detail)
    }
}

/// The kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// An answer that can be read and is against the rules.
    IllegalMove,
    /// An answer that cannot be read.
    MalformedAnswer,
    /// The process ended, or an in-process bot gave up.
    Crash,
    /// No first answer in time.
    StartTimeout,
    /// No later answer in time.
    MoveTimeout,
    /// Too much output.
    Flood,
    /// Too much memory.
    Memory,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::IllegalMove,
        Self::MalformedAnswer,
        Self::Crash,
        Self::StartTimeout,
        Self::MoveTimeout,
        Self::Flood,
        Self::Memory,
    ];

    /// The name in documents, for example `illegal-move`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::IllegalMove => "illegal-move",
            Self::MalformedAnswer => "malformed-answer",
            Self::Crash => "crash",
            Self::StartTimeout => "start-timeout",
            Self::MoveTimeout => "move-timeout",
            Self::Flood => "flood",
            Self::Memory => "memory",
        }
    }

    /// Whether the program failed, rather than merely chose an action against the rules.
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
