//! The arena: plays tournaments between bots, keeps the standings, and says how sure they are.
//!
//! Data flows one way, through one folder per step. A checked [`Hill`] (`terms`) names the entrants, the format and
//! the limits; its [`Schedule`] (`schedule`) says, as a pure function of the game number, which entrants sit where at
//! which table; [`Play`] (`judge`) judges one game between [`Bot`]s (`contract`); [`run()`] (`engine`) plays the whole
//! schedule on all cores and emits [`Event`]s in the order of game numbers; every game becomes a line (`record`);
//! a [`Ledger`] (`standings`) adds the results up into a [`ResultDocument`], with estimates from `statistics`.
//! [`qualify()`] (`qualification`) examines a bot before it may take part.
//!
//! How a bot is run is not known here: an in-process bot and a child process offer the same contract. Files and
//! terminals are left to other crates.

mod contract;
mod engine;
mod judge;
mod qualification;
mod record;
mod schedule;
mod standings;
mod statistics;
mod terms;

pub use contract::{
    Answered, BidTexts, Bot, BotName, Failure, Finished, GameSlot, InertBot, LiarsDiceTurn,
    MisleadingName, Move, NameError, NameFault, Pips, PollInterest, Program, Reason, RequestIds,
    Resent, Server, Start, YahtzeeTurn, contains_word, escape_json, is_printable, lookalikes,
    printable, printable_json, thousands,
};
pub use engine::{
    DifferentAnswer, Event, FailureCount, FollowError, GameSource, IdleProcesses, Jobs,
    MAX_PLAY_OFFS, NoGames, PlacementScheduler, PlannedGames, PlayedGame, RangeEnd, ResumeState,
    Retrial, RunEnd, RunFollower, RunOptions, entrants_without, first_different_answer, play_alone,
    play_range, run, run_from, run_qualified,
};
pub use judge::{AnswerSum, AppraisalMismatch, Audience, GameRecord, Offence, Play};
pub use qualification::{
    AnswerTimes, Cause, Extent, Finding, QualificationPlan, QualificationReport, RareGame,
    RarePosition, ScriptedDice, TestCase, qualify,
};
pub use record::{
    Bar, Header, HeaderBot, HighlightedGame, Highlights, ProgressLine, ReadRecordError,
    RecordedGame, RecordsHash, Replay, RunOutcome, WorkerProgress, game_line, may_reuse,
    read_game_line, reused_line,
};
pub use schedule::{Fixture, GameRange, ParseShardError, Schedule, Shard};
pub use standings::{
    AdjustedPoints, Distribution, FigureSummary, HeadToHead, Lead, Ledger, Luck, MarginAnswer,
    MarginReport, Pairing, PairingResult, PlacementResult, ResultDocument, RevealedCommitment,
    ScoreDifference, SeatStanding, Standing, StandingBar, StoppingReport,
};
pub use statistics::{
    Bounds, Confidence, ConfidenceError, ConfidenceSequence, EloMargin, EloMarginError, EloRating,
    Interval, Placement, PlacementEstimate, StatisticsVersion, six_digits,
};
pub use terms::{
    Appraisal, AppraisalError, Appraiser, Barring, Challenge, Commitment, DraftLocation, Entrant,
    EntrantCount, EntrantId, Format, FormatName, GamesFault, Highlight, HighlightKind,
    HighlightWatch, Highlighter, Hill, HillDraft, HillError, IndivisibleRun, LimitError, LimitKey,
    Limits, Memory, OwnLimits, OwnTerms, ParseFormatError, ParseLimitKeyError, ParseMemoryError,
    RequestText, Seating, StartValue, Terms, TournamentGame,
};

/// The program's name and version, as documents give it.
pub const PROGRAM: &str = concat!("dicehill ", env!("CARGO_PKG_VERSION"));
