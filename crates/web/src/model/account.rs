//! What the holder of a token sees of a hill: an author its bots, a host the queue and the log of actions.

use dicehill_store::{StoredAction, StoredFailure};
use serde::Serialize;
use utoipa::ToSchema;

use super::Estimate;
use super::entry::EntryHead;
use super::host_paths::without_host_paths;
use super::ratings::RatingSeries;
use super::run_workers::RunWorkers;
use super::time::date;
use dicehill_arena::{Bar, printable};

/// What the holder of a token sees of a hill.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct AccountDocument {
    /// The hill's name in addresses.
    pub(crate) hill: String,
    /// `author` or `host`.
    pub(crate) role: &'static str,
    /// The name of the holder; `null` if the token has none.
    pub(crate) name: Option<String>,
    /// The number of the token.
    pub(crate) token: i64,
    /// Of an author: its last entries, latest first. Of a host: the entries that are not finished, in the order of the queue, and
    /// the last others.
    pub(crate) entries: Vec<AccountEntry>,
    /// Of an author: its bots on the hill. Of a host: all bots on the hill.
    pub(crate) bots: Vec<AccountBot>,
    /// Of an author: the ratings of its bots over the last whole runs.
    pub(crate) ratings: Vec<RatingSeries>,
    /// Of an author: the last failed moves of its bots, latest first.
    pub(crate) failures: Vec<AccountFailure>,
    /// Of a host: the last actions of hosts, newest first.
    pub(crate) actions: Vec<ActionDocument>,
    /// Of a host: the settings of the hill, each with its key and value.
    pub(crate) settings: Vec<[String; 2]>,
    /// Of a host: the workers that play the run which the server plays; `null` if none do.
    pub(crate) workers: Option<RunWorkers>,
    /// What the front of the hill tells visitors.
    pub(crate) message: Option<String>,
}

/// An entry, with what visitors do not see of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct AccountEntry {
    /// What visitors see.
    #[serde(flatten)]
    pub(crate) head: EntryHead,
    /// The bot's name, even if it is hidden.
    pub(crate) name: String,
    /// The name of its author; `null` if the token has none.
    pub(crate) author: Option<String>,
}

/// A bot on the hill.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct AccountBot {
    /// Its name.
    pub(crate) bot: String,
    /// The number of its versions.
    pub(crate) versions: i64,
    /// When the last version was added.
    pub(crate) added: String,
    /// Its rank on the displayed board; `null` if it was barred, or has not played.
    pub(crate) rank: Option<usize>,
    /// The entrants with a rank there; `null` if it has not played.
    pub(crate) among: Option<usize>,
    /// The points per game that it gives up against optimal play, where that is known.
    pub(crate) loss: Option<Estimate>,
    /// Its connection, if it stays on its author's machine.
    pub(crate) remote: Option<RemoteBotDocument>,
}

/// The connection of a remote bot since the server has begun.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RemoteBotDocument {
    /// Whether there is one.
    pub(crate) connected: bool,
    /// Lines of the bot.
    pub(crate) lines: u64,
    /// The mean time from a request to the line in milliseconds; `null` without lines.
    pub(crate) mean_ms: Option<f64>,
    /// The part of it that the author's program does not report as the bot's, in percent.
    pub(crate) network_percent: Option<f64>,
}

/// A move of a bot that failed, with what only its author sees.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct AccountFailure {
    /// The number of the run.
    pub(crate) run: i64,
    /// The number of the game; 0 for the qualification.
    pub(crate) game: u64,
    /// The number of its bar in the run, from 1, if it was barred for this.
    pub(crate) bar: Option<usize>,
    /// The bot.
    pub(crate) bot: String,
    /// For example `illegal-move`.
    pub(crate) reason: String,
    /// What happened.
    pub(crate) detail: String,
    /// The request that the bot failed to answer.
    pub(crate) request: String,
    /// The last lines of the bot's log.
    pub(crate) log: Vec<String>,
}

impl AccountFailure {
    /// The failure of a run as its author sees it.
    pub(crate) fn new(run: i64, failure: &StoredFailure) -> Self {
        let shown = |text: &str| without_host_paths(&printable(text));
        Self {
            run,
            game: failure.game,
            bar: None,
            bot: printable(&failure.bot),
            reason: printable(&failure.reason),
            detail: shown(&failure.detail),
            request: shown(&failure.request),
            log: failure.log.lines().map(shown).collect(),
        }
    }

    /// The bar of this number in a run, as the author of its bot sees it.
    pub(crate) fn of_bar(run: i64, number: usize, bar: &Bar) -> Self {
        let shown = |text: &str| without_host_paths(&printable(text));
        Self {
            run,
            game: bar.game,
            bar: Some(number),
            bot: printable(&bar.bot),
            reason: printable(&bar.reason),
            detail: shown(&bar.detail),
            request: shown(&bar.request),
            log: bar.log.iter().map(|line| shown(line)).collect(),
        }
    }
}

/// What a host has done.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ActionDocument {
    /// Its number, from 1.
    pub(crate) id: i64,
    /// When it was done, in UTC.
    pub(crate) at: String,
    /// Who did it.
    pub(crate) host: String,
    /// The number of the host's token; `null` at a terminal.
    pub(crate) token: Option<i64>,
    /// The kind of action, such as `hold`.
    pub(crate) action: String,
    /// The entry, entrant or setting.
    pub(crate) target: String,
    /// What else was given.
    pub(crate) detail: String,
}

impl From<StoredAction> for ActionDocument {
    fn from(stored: StoredAction) -> Self {
        let StoredAction { id, at, host, token, action, target, detail } = stored;
        let [host, action, target, detail] =
            [host, action, target, detail].map(|text| printable(&text));
        Self { id, at: date(at), host, token, action, target, detail }
    }
}
