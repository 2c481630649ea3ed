//! What the runs of a hill have changed.

use dicehill_store::Renaming;
use serde::Serialize;
use utoipa::ToSchema;

use super::ratings::{RunRatings, gains};
use super::{Estimate, RunLine, RunState};

/// What a run has changed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct ChangeDocument {
    /// What has changed.
    pub(crate) kind: ChangeKind,
    /// The run that changed it.
    pub(crate) run: i64,
    /// When that run ended.
    pub(crate) at: String,
    /// The bot that it is about; null if there is no champion.
    pub(crate) bot: Option<String>,
    /// The champion before.
    pub(crate) other: Option<String>,
    /// The rank of a new entrant or a new version.
    pub(crate) rank: Option<usize>,
    /// The number of entrants at the time.
    pub(crate) among: usize,
    /// The number of a new version.
    pub(crate) version: Option<i64>,
    /// The Elo points that a new version gained.
    pub(crate) gained: Option<Estimate>,
}

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ChangeKind {
    /// The hill has its first champion.
    FirstChampion,
    /// Another bot is the champion now.
    Dethroned,
    /// The champion is the same. Only of the last run.
    Defended,
    /// The last run has ended without a champion.
    NoChampion,
    /// A new entrant was placed.
    Placed,
    /// A bot played for the first time.
    NewEntrant,
    /// A new version of a bot played for the first time.
    NewVersion,
}

/// What the runs of a hill have changed, newest first, `most` at most. `history` are its runs, newest first, and `ratings` those of
/// the whole runs, oldest first. A bot that was renamed is the same bot; its new name is no change, because a host may have had
/// reasons to hide the old one.
pub(crate) fn changes(
    history: &[RunLine],
    ratings: &[RunRatings],
    renamings: &[Renaming],
    most: usize,
) -> Vec<ChangeDocument> {
    let mut changes = Vec::new();
    let mut champion: Option<&str> = None;
    let mut before: Option<&RunRatings> = None;
    let ended = || history.iter().filter(|run| run.state == RunState::Ended);
    let last = ended().next().map(|run| run.run);
    for line in ended().rev() {
        if let Some(placed) = placed(line) {
            changes.push(placed);
        }
        let Some(run) = ratings.iter().find(|run| run.run == line.run) else { continue };
        if let Some(before) = before {
            changes.extend(new_entrants(line, run, before, ratings, renamings));
        }
        changes.extend(title(line, champion, last == Some(line.run), renamings));
        champion = run.champion.as_deref().or(champion);
        before = Some(run);
    }
    changes.reverse();
    changes.truncate(most);
    changes
}

impl ChangeDocument {
    fn of(kind: ChangeKind, line: &RunLine, bot: Option<&str>) -> Self {
        Self {
            kind,
            run: line.run,
            at: line.ended.clone().unwrap_or_else(|| line.begun.clone()),
            bot: bot.map(str::to_owned),
            other: None,
            rank: None,
            among: line.bots,
            version: None,
            gained: None,
        }
    }
}

fn placed(line: &RunLine) -> Option<ChangeDocument> {
    let placed = line.placed.as_ref()?;
    let change = ChangeDocument::of(ChangeKind::Placed, line, Some(&placed.bot));
    Some(ChangeDocument { rank: Some(placed.rank?), among: placed.among, ..change })
}

/// What a run did to the title.
fn title(
    line: &RunLine,
    before: Option<&str>,
    is_last: bool,
    renamings: &[Renaming],
) -> Option<ChangeDocument> {
    let is_same = |old: &str, new: &str| Renaming::is_same_bot(renamings, old, new);
    let (kind, other) = match (line.champion.as_deref(), before) {
        (Some(champion), Some(before)) if is_same(before, champion) => {
            (is_last.then_some(ChangeKind::Defended)?, None)
        }
        (Some(_), Some(before)) => (ChangeKind::Dethroned, Some(before.to_owned())),
        (Some(_), None) => (ChangeKind::FirstChampion, None),
        (None, _) => (is_last.then_some(ChangeKind::NoChampion)?, None),
    };
    Some(ChangeDocument { other, ..ChangeDocument::of(kind, line, line.champion.as_deref()) })
}

/// The bots that play in a run and not in the one before it, and the new versions.
fn new_entrants(
    line: &RunLine,
    run: &RunRatings,
    before: &RunRatings,
    all: &[RunRatings],
    renamings: &[Renaming],
) -> Vec<ChangeDocument> {
    let is_same = |old: &str, new: &str| Renaming::is_same_bot(renamings, old, new);
    let change = |bot: &super::ratings::RatedBot| {
        let of = |kind| ChangeDocument {
            rank: bot.rank,
            ..ChangeDocument::of(kind, line, Some(&bot.bot))
        };
        match before.find(&bot.bot) {
            None if before.bots.iter().any(|old| is_same(&old.bot, &bot.bot)) => None,
            None => Some(of(ChangeKind::NewEntrant)),
            Some(old) if bot.version.is_some() && old.version != bot.version => {
                let gain = gains(all, &bot.bot).into_iter().find(|gain| gain.run == run.run);
                let gained = gain.and_then(|gain| gain.gained);
                let version = bot.version;
                Some(ChangeDocument { version, gained, ..of(ChangeKind::NewVersion) })
            }
            Some(_) => None,
        }
    };
    // The list is reversed later: the best of a run comes first.
    run.bots.iter().rev().filter_map(change).collect()
}
