//! The arena: plays games between bots, keeps the standings, and says how sure they are.
//!
//! Data flows one way. A checked [`Hill`] says who plays what; its [`Schedule`] says, as a pure
//! function of the game number, who sits where at which table; [`Play`] judges one game between
//! [`Bot`]s; [`run()`] plays the whole schedule on all cores and hands [`Event`]s, in the order of
//! game numbers, to whoever displays or stores them; a [`Ledger`] adds the results up into a
//! [`ResultDocument`].
//!
//! How a bot is run is not known here: an in-process bot and a child process offer the same
//! contract. Files and terminals are left to other crates.

mod answer_sum;
mod answer_times;
mod appraising;
mod attempt;
mod bets;
mod bot;
mod bot_name;
mod check;
mod confidence;
mod confidence_sequence;
mod decision;
mod event;
mod following;
mod hill;
mod hill_error;
mod ledger;
mod luck;
mod placement;
mod placing;
mod play;
mod played;
mod pool;
mod positions;
mod printable;
mod read_record_error;
mod recall;
mod record;
mod records_hash;
mod relive;
mod result;
mod run;
mod schedule;
mod server;
mod stand_in;
mod statistics;
mod tables;
mod wait;

pub use answer_sum::AnswerSum;
pub use answer_times::AnswerTimes;
pub use appraising::AppraisalMismatch;
pub use bot::{Bot, Failure, Finished, Program, Reason, Start};
pub use bot_name::{BotName, NameError};
pub use check::{Cause, Check, Extent, Finding, Occasion, Trial, check};
pub use confidence::{Confidence, ConfidenceError};
pub use confidence_sequence::ConfidenceSequence;
pub use decision::{Lead, Verdict};
pub use event::{Bar, Event, Header, HeaderBot, Retrial};
pub use following::{FollowError, Following};
pub use hill::{
    Commitment, Entrant, EntrantId, Format, FormatName, Hill, HillDraft, Limits, Memory,
};
pub use hill_error::{Count, HillError, Place};
pub use ledger::Ledger;
pub use luck::{Appraisal, AppraisalError, Appraiser, StartValue};
pub use placement::{PlacedAt, Placement};
pub use placing::{Placer, Placing};
pub use play::{GameRecord, Move, Offence, Play};
pub use played::{Played, play_apart};
pub use positions::{ChosenDice, RareGame, RarePosition};
pub use printable::{escape_json, is_printable, printable, printable_json};
pub use read_record_error::ReadRecordError;
pub use recall::{Nothing, Past, Recall, Recalled};
pub use record::{Replay, game_line, read_game_line};
pub use records_hash::RecordsHash;
pub use result::{
    AdjustedPoints, Difference, Distribution, FigureSummary, Group, GroupResult, HeadToHead, Luck,
    ResultDocument, RevealedCommitment, RowBar, SeatStanding, Standing,
};
pub use run::{MOST_PLAY_OFFS, RunEnd, RunOptions, run, run_from, run_qualified};
pub use schedule::{Fixture, Schedule};
pub use server::{Answered, Desk, Server, Wishes};
pub use stand_in::StandIn;
pub use statistics::{Interval, six_digits};
pub use wait::wait;

/// The program's name and version, as documents give it.
pub const PROGRAM: &str = concat!("dicehill ", env!("CARGO_PKG_VERSION"));
