//! News: runs that have ended, champions, new entrants and new versions.

use serde::Serialize;

use crate::hills::Snapshot;
use crate::model::change::{ChangeDocument, ChangeKind, changes};
use crate::model::{RunLine, RunState};

/// The most runs whose news are listed.
const MAX_RUNS: usize = 50;
/// The most changes that are listed.
const MAX_CHANGES: usize = 500;

/// Something that has happened on a hill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct NewsItem {
    /// What has happened: `run`, `champion`, `new-entrant` or `new-version`.
    pub(crate) kind: &'static str,
    /// The run with which it happened.
    pub(crate) run: i64,
    /// When that run ended.
    pub(crate) at: String,
    /// The bot that it is about; `null` of a run without a champion.
    pub(crate) bot: Option<String>,
    /// It in a sentence.
    pub(crate) title: String,
}

/// The news of a hill, newest first; of a run, the run itself comes first.
pub(crate) fn news(snapshot: &Snapshot) -> Vec<NewsItem> {
    let history = &snapshot.hill.history;
    let changes = changes(history, &snapshot.ratings, &snapshot.renamings, MAX_CHANGES);
    let ended = history.iter().filter(|run| run.state == RunState::Ended).take(MAX_RUNS);
    let of_run = |run: &RunLine| {
        let of_it = changes.iter().filter(|change| change.run == run.run).filter_map(of_change);
        std::iter::once(of_run(run)).chain(of_it).collect::<Vec<_>>()
    };
    ended.flat_map(of_run).collect()
}

fn of_run(line: &RunLine) -> NewsItem {
    let RunLine { run, begun, ended, champion, placed, bots, games, .. } = line;
    let title = match (placed, champion) {
        (Some(placed), _) => format!("Run {run}: {}", placed.sentence()),
        (None, Some(champion)) => {
            format!("Run {run}: {champion} is the champion of {bots} bots after {games} games")
        }
        (None, None) => format!("Run {run}: no champion of {bots} bots after {games} games"),
    };
    let bot = placed.as_ref().map(|placed| placed.bot.clone()).or_else(|| champion.clone());
    let at = ended.clone().unwrap_or_else(|| begun.clone());
    NewsItem { kind: "run", run: *run, at, bot, title }
}

/// A change that is news; the last run alone says that nothing has changed.
fn of_change(change: &ChangeDocument) -> Option<NewsItem> {
    let bot = change.bot.as_deref()?;
    let (kind, title) = match change.kind {
        ChangeKind::FirstChampion => ("champion", format!("{bot} is the first champion")),
        ChangeKind::Dethroned => {
            let before = change.other.as_deref().unwrap_or_default();
            ("champion", format!("{bot} is the new champion, after {before}"))
        }
        ChangeKind::NewEntrant => ("new-entrant", format!("{bot} has played for the first time")),
        ChangeKind::NewVersion => {
            let version = change.version.unwrap_or_default();
            ("new-version", format!("{bot} has played in version {version} for the first time"))
        }
        // The run itself says that it has placed a bot.
        ChangeKind::Placed | ChangeKind::Defended | ChangeKind::NoChampion => return None,
    };
    let (run, at) = (change.run, change.at.clone());
    Some(NewsItem { kind, run, at, bot: Some(bot.to_owned()), title })
}
