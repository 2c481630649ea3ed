//! The lines of `--progress json`: what a command that plays is doing.

use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize};

/// A worker that plays a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkerProgress {
    /// The name of its machine.
    pub machine: String,
    /// Its program, with its version.
    pub program: String,
    /// The threads that play.
    pub threads: u16,
    /// The games that it has played since it was started.
    pub games: u64,
    /// The games per second of its last ranges; 0 if there are none.
    pub rate: f64,
    /// The ranges in which it failed.
    pub failures: u64,
    /// The first and the last game of the range that it plays; null if it plays none now.
    pub range: Option<[u64; 2]>,
}

/// One line of the stream that `--progress json` writes. `protocol/formats.md` describes the stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ProgressLine {
    /// The first line.
    Header {
        /// The version of the stream, `dicehill.progress/1`.
        schema: String,
        /// The program and its version.
        program: String,
    },
    /// Text for people, with any number of lines. It may change with any version: programs should not decide on it.
    Message {
        /// The text, without styles.
        text: String,
    },
    /// The qualification of a bot begins.
    QualificationStarted {
        /// The bot's name.
        bot: String,
        /// The games and positions of the qualification.
        steps: u64,
    },
    /// How far the qualification of a bot is.
    QualificationProgress {
        /// The bot's name.
        bot: String,
        /// The games and positions done.
        done: u64,
        /// The games and positions of the qualification.
        steps: u64,
        /// Seconds since the qualification began.
        seconds: f64,
    },
    /// The result of a qualification. A bot with the same program as an earlier one shares its qualification and has this
    /// line only.
    QualificationFinished {
        /// The bot's name.
        bot: String,
        /// Whether it may play.
        qualified: bool,
        /// The number of findings. Before a run, a bot with findings may still play.
        findings: u64,
    },
    /// A run begins, or is resumed.
    RunStarted {
        /// The number of the run on its hill, from 1; null if it belongs to no stored hill.
        run: Option<i64>,
        /// The run as an argument of other commands, such as `spring.db#3`; null if it is not on disk.
        record: Option<String>,
        /// The name of the hill.
        hill: String,
        /// The game.
        game: String,
        /// The games to play, without play-offs; a run that may end early plays at most this many.
        games: u64,
    },
    /// How far a run is.
    RunProgress {
        /// The games that count so far, play-offs and games that were recorded before included. It starts again from 0
        /// when an entrant is barred.
        played: u64,
        /// The games to play, as in `run-started`.
        games: u64,
        /// Seconds since the run began or was resumed.
        seconds: f64,
    },
    /// The workers that play the run; when something about them changes, at most once a second.
    Workers {
        /// How many they are.
        workers: u64,
        /// Their threads together.
        threads: u64,
        /// The seconds that the rest of the games takes at the workers' rates; null if no rate is known.
        #[serde(default)]
        seconds_left: Option<f64>,
        /// Each of them, ordered by machine.
        #[serde(default)]
        machines: Vec<WorkerProgress>,
    },
    /// Text for people about workers and their connection, with the names of their machines.
    WorkerMessage {
        /// The text.
        text: String,
    },
    /// A bot of a hill cannot be prepared, and is left out of this run.
    LeftOut {
        /// The bot's name.
        bot: String,
        /// Why, for the host: it may contain what the bot's build printed.
        why: String,
    },
    /// What was found in a bot: in its qualification, or when it failed in a run.
    Remark {
        /// The bot's name.
        bot: String,
        /// The text, for the host and the bot's author: it may contain what the bot was asked, its answers and its log.
        text: String,
    },
    /// An entrant is barred, and the run starts again without it.
    Barred {
        /// The entrant's name.
        bot: String,
        /// The game of the offence, or 0 for the qualification.
        game: u64,
        /// The reason, for example `illegal-move`.
        reason: String,
    },
    /// A run has stopped.
    RunFinished {
        /// Why it has stopped.
        outcome: RunOutcome,
        /// The games that count, play-offs included.
        played: u64,
        /// Seconds since the run began or was resumed.
        seconds: f64,
    },
    /// Another process has the hill or the log in use. A later attempt may succeed.
    Busy {
        /// The file of the hill or the log.
        file: String,
    },
    /// The last line. It is missing if the process was killed.
    Exit {
        /// The exit code.
        code: u8,
    },
}

/// Why a run has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunOutcome {
    /// It has its result.
    Done,
    /// It was interrupted, and can be resumed if it is on disk.
    Interrupted,
    /// The arena failed, for example because the disk is full.
    Failed,
}

impl ProgressLine {
    /// The version of the stream.
    pub const SCHEMA: &'static str = "dicehill.progress/1";

    /// The JSON Schema of a line.
    #[must_use]
    pub fn json_schema() -> Schema {
        schema_for!(Self)
    }
}
