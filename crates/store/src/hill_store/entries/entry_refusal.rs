//! Why an upload is refused.

use super::TokenError;
use super::counted::counted;
use crate::{FileError, UnknownEnvironment, ZonedTime};

/// Why an upload is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryRefusal {
    /// The token is not valid.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// It is the token of a host.
    #[error("this is a token of the host: bots are uploaded with the token of an author")]
    Role,
    /// Entries are not open yet.
    #[error("entries open on {0}")]
    Early(ZonedTime),
    /// Entries are closed.
    #[error("entries closed on {0}")]
    Late(ZonedTime),
    /// The queue is full.
    #[error("the queue of this hill is full; try again later")]
    Full,
    /// The author has too many entries in the queue.
    #[error("the limit for an author is {}, which you have reached", counted(*.0, "waiting bot"))]
    Waiting(u32),
    /// The author has uploaded too many bots in a day.
    #[error(
        "the limit for an author is {} in 24 hours, which you have reached; try again later",
        counted(*.0, "upload")
    )]
    Daily(u32),
    /// The author has too many bots on the hill.
    #[error(
        "the limit for an author is {} on the hill or waiting for it, which you have reached; upload a new version of one of yours",
        counted(*.0, "bot")
    )]
    Bots(u32),
    /// The host has barred the bot of this name.
    #[error("the host has barred the bot of this name")]
    Barred,
    /// The hill takes no remote bots.
    #[error(
        "this hill takes no remote bots: upload the bot, or ask the host for `dicehill hill set HILL.db remote=yes`"
    )]
    Remote,
    /// The bot asks for an environment that the hill does not have.
    #[error(transparent)]
    Environment(#[from] UnknownEnvironment),
    /// The name belongs to another author.
    #[error("another author's bot has this name, or one that looks like it")]
    NameTaken,
    /// The author has a bot with this current name, which has or had a name that looks like the one of the upload.
    #[error(
        "a bot of yours has or had this name, or one that looks like it: upload new versions of it as {0:?}"
    )]
    OwnName(String),
    /// The bot of this name is on the hill as it is.
    #[error("{0} is already on the hill, unchanged: nothing to add")]
    Unchanged(String),
    /// The store cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The beginning of [`EntryRefusal::removal_line`].
const REMOVED: &str = "removed: ";

impl EntryRefusal {
    /// The beginning of [`EntryRefusal::report_line`].
    pub const NOT_ADDED: &'static str = "not added: ";

    /// The line of an entry's report that says why its bot was not added. It has no text of the bot.
    #[must_use]
    pub fn report_line(&self) -> String {
        format!("{}{self}", Self::NOT_ADDED)
    }

    /// The line of a report of a bot that was on the hill, and is not any more because the host has barred it.
    #[must_use]
    pub fn removal_line() -> String {
        format!("{REMOVED}{}", Self::Barred)
    }

    /// Whether a line of a report says why the bot is not on the hill.
    #[must_use]
    pub fn is_in(line: &str) -> bool {
        line.starts_with(Self::NOT_ADDED) || line.starts_with(REMOVED)
    }
}
