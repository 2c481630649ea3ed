//! The contract between the judge and a bot: an observation in, an action out.

use std::fmt;

use dicehill_rules::{Game, Public, Seat};

use crate::{Server, printable};

/// The longest text, in characters, of what happened when a bot failed.
const LONGEST_DETAIL: usize = 2000;

/// A player of one game at a time.
///
/// A bot is given views of the game and can reach nothing else of it. The judge does not know how
/// it is run.
pub trait Bot<G: Game>: Send {
    /// Tells that a game begins; it comes before the game's first [`Bot::act`].
    fn start(&mut self, _start: &Start) {}

    /// Tells that an action is about to show what was hidden; `game` is as it was before.
    fn reveal(&mut self, _game: &G, _action: &G::Action) {}

    /// Tells why the answer just given is not accepted.
    fn refused(&mut self, _why: &str) {}

    /// Tells that the game is over.
    fn end(&mut self, _finished: &Finished<'_, G>) {}

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

    /// What somebody who enters the program should know of it, beside how it plays, as far as it has
    /// been seen by now.
    ///
    /// # Errors
    /// Why nothing can be known of it.
    fn remarks(&self) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }

    /// Whether it is part of this program, so that nobody has to find out first whether it keeps the rules.
    fn is_house(&self) -> bool {
        false
    }

    /// Whether its bots are processes of their own, so that [`Program::server`] is there.
    fn is_outside(&self) -> bool {
        false
    }

    /// A bot at the beginning of its life, which knows of no game.
    fn bot(&self) -> Box<dyn Bot<G>>;

    /// A process at the beginning of its life, of a program outside: the faster way to let it play
    /// many games. `None` of code in this process, whose bots cost nothing to make.
    fn server(&self) -> Option<Box<dyn Server<G>>> {
        None
    }
}

/// What a bot is told when a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The game's number, from 1.
    pub game: u64,
    /// The id by which a program outside is told of the game, below 2^52: see
    /// [`dicehill_rules::Chance::game_id`].
    pub id: u64,
    /// How many sit at the table.
    pub players: usize,
    /// The bot's own seed, the only source of chance that keeps it repeatable.
    pub seed: u64,
}

/// A game that is over, as it was for one seat.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// The seat.
    pub seat: Seat,
    /// Whether a fault has ended it, so that it counts for nobody.
    pub void: bool,
    /// What was public about the table.
    pub public: &'a Public<'a>,
}

/// Why no legal action was had from a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of fault.
    pub reason: Reason,
    /// What happened, with the offending value: the same whenever it happens again.
    pub detail: String,
    /// The last lines that the bot wrote to its log. They may differ from time to time, and are no
    /// part of a game's record.
    pub log: Vec<String>,
}

impl Failure {
    /// The arena could not prepare or start the bot's process.
    pub fn of_arena(error: impl fmt::Display) -> Self {
        Self::new(Reason::ArenaError, error.to_string())
    }

    /// A fault of which no log is known. What happened is kept in
    /// printable form, its first 2000 characters: it is shown in many
    /// places, and may hold what a bot wrote, or a log of somebody's.
    pub fn new(reason: Reason, detail: impl AsRef<str>) -> Self {
        let detail = detail.as_ref();
        let end = detail.char_indices().nth(LONGEST_DETAIL).map_or(detail.len(), |(end, _)| end);
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
    /// The arena could not start the process. The bot is not at fault: it ends the run with an error,
    /// and is in no record.
    ArenaError,
}

impl Reason {
    /// All faults of a bot: those that records name.
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
            Self::ArenaError => "arena-error",
        }
    }

    /// Whether it is a clock that says so, which a busy machine may have to answer for.
    #[must_use]
    pub const fn is_by_the_clock(self) -> bool {
        matches!(self, Self::StartTimeout | Self::MoveTimeout)
    }

    /// Whether the arena is at fault, so that no bot may be charged.
    #[must_use]
    pub const fn is_arena_error(self) -> bool {
        matches!(self, Self::ArenaError)
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
