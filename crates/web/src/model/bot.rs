//! A bot in a run.

use dicehill_arena::printable;
use dicehill_store::{StoredEntrant, StoredFailure};
use serde::Serialize;
use utoipa::ToSchema;

use super::board::{FailureCount, Row};
use super::coach::CoachReport;
use super::host_paths::without_host_paths;
use super::ratings::VersionGain;
use super::run_view::RunView;
use super::tally::AnswerTally;
use super::time::date;
use super::{Estimate, RunState};

/// The number of failures that are shown, the last ones.
const MAX_FAILURES: usize = 50;

/// A bot in a run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BotDocument {
    /// The hill's name in addresses.
    pub(crate) hill: String,
    /// The hill's name.
    pub(crate) name: String,
    /// The run's number, from 1.
    pub(crate) run: i64,
    /// The game.
    pub(crate) game: String,
    /// Whether the run is in progress.
    pub(crate) state: RunState,
    /// Its line of the board.
    pub(crate) row: Row,
    /// What it came to against each other that it has met, the better ones first.
    pub(crate) opponents: Vec<Opponent>,
    /// How often each score occurred, ascending; empty in games without scores.
    pub(crate) scores: Vec<ScoreCount>,
    /// The chance of each score in optimal play, where that is known.
    pub(crate) optimal: Vec<ScoreChance>,
    /// Games at each place, from the first on.
    pub(crate) places: Vec<u64>,
    /// How long its answers took; null of a house bot.
    pub(crate) answers: Option<AnswerTimes>,
    /// How often it failed, by reason.
    pub(crate) failures: Vec<FailureCount>,
    /// The last of its failures, newest first, with what it was shown and its log.
    pub(crate) failed: Vec<FailureDocument>,
    /// All its versions on the hill, newest first.
    pub(crate) versions: Vec<VersionDocument>,
    /// What its mistakes cost, where that is known.
    pub(crate) coach: Option<CoachReport>,
}

/// An opponent.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Opponent {
    /// Who.
    pub(crate) bot: String,
    /// Its place among the entrants of the run, from 0.
    pub(crate) place: usize,
    /// Games that both sat in.
    pub(crate) games: u64,
    /// Share of the games in which the bot was ahead of it, with half of those in which neither was.
    pub(crate) rate: Estimate,
}

/// A score and how often it occurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ScoreCount {
    /// The score.
    #[schema(example = 254)]
    pub(crate) score: u64,
    /// Games.
    #[schema(example = 7)]
    pub(crate) games: u64,
}

/// A score and its chance in optimal play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct ScoreChance {
    /// The score.
    pub(crate) score: u64,
    /// Its chance, 0 to 1.
    pub(crate) chance: f64,
}

/// How long answers took, as the arena waited for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct AnswerTimes {
    /// The number of answers.
    pub(crate) answers: u64,
    /// Mean answer time in microseconds.
    pub(crate) mean_us: u64,
    /// Median over games of the longest answer time, in microseconds (upper bound).
    pub(crate) half_below_us: u64,
    /// 99th percentile over games of the longest answer time, in microseconds (upper bound).
    pub(crate) most_below_us: u64,
    /// Longest answer time in microseconds.
    pub(crate) longest_us: u64,
}

/// A failure with what the bot was shown.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FailureDocument {
    /// The game.
    pub(crate) game: u64,
    /// For example `illegal-move`.
    pub(crate) reason: String,
    /// Whether only its author and the hosts may read what follows, which is empty here then.
    pub(crate) is_private: bool,
    /// What happened.
    pub(crate) detail: String,
    /// What the bot was shown.
    pub(crate) request: String,
    /// The last lines of its log.
    pub(crate) log: String,
}

/// A version of an entrant.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct VersionDocument {
    /// Its number, from 1.
    pub(crate) number: i64,
    /// What it plays with, down to its content.
    pub(crate) hash: String,
    /// When it was added.
    pub(crate) added: String,
    /// Whether it played in this run.
    pub(crate) played: bool,
    /// What it gained over the version before it, in its first whole run; null if it played in none.
    pub(crate) gain: Option<VersionGain>,
}

/// What a bot's document holds in addition to the run's view.
#[derive(Default)]
pub(crate) struct BotDetails {
    pub(crate) versions: Vec<StoredEntrant>,
    pub(crate) failures: Vec<StoredFailure>,
    /// Whether only its author and the hosts may read what it was asked and what it answered.
    pub(crate) is_private: bool,
    pub(crate) optimal: Vec<ScoreChance>,
    pub(crate) coach: Option<CoachReport>,
    /// What its versions gained.
    pub(crate) gains: Vec<VersionGain>,
}

impl BotDocument {
    /// The document of the entrant with this place in the run's header; `None` if it has no row on the board.
    pub(crate) fn new(view: &RunView, place: usize, details: BotDetails) -> Option<Self> {
        let row = view.board.rows.iter().find(|row| row.place == place)?.clone();
        let tally = view.tally.as_ref().and_then(|tally| tally.bots.get(place));
        let scores = tally.map(|tally| &tally.scores).into_iter().flatten();
        let failed = failed(&details, &row.bot, view.board.bars.len() as i64);
        let is_own = |failure: &&FailureCount| failure.bot == row.bot;
        let played = view.versions.get(place).and_then(Option::as_ref);
        let version = |version: &StoredEntrant| VersionDocument {
            number: version.number,
            hash: printable(&version.identity),
            added: date(version.added),
            played: played.is_some_and(|played| played.number == version.number),
            gain: details.gains.iter().find(|gain| gain.version == version.number).cloned(),
        };
        Some(Self {
            hill: view.board.hill.clone(),
            name: view.board.name.clone(),
            run: view.run,
            game: view.board.game.clone(),
            state: view.board.progress.state,
            opponents: opponents(view, &row.bot),
            scores: scores
                .map(|(score, games)| ScoreCount { score: *score, games: *games })
                .collect(),
            optimal: details.optimal,
            places: tally.map(|tally| tally.places.clone()).unwrap_or_default(),
            answers: tally.and_then(|tally| AnswerTimes::of(&tally.answers)),
            failures: view.board.failures.iter().filter(is_own).cloned().collect(),
            failed,
            versions: details.versions.iter().map(version).collect(),
            coach: details.coach,
            row,
        })
    }
}

fn opponents(view: &RunView, bot: &str) -> Vec<Opponent> {
    let others = view.board.rows.iter().filter(|row| row.bot != bot);
    let met = others.filter_map(|row| {
        let (rate, games) = view.pairs.rate(bot, &row.bot)?;
        Some(Opponent { bot: row.bot.clone(), place: row.place, games, rate })
    });
    met.collect()
}

/// The failures of a bot in the attempt that counts, newest first.
fn failed(details: &BotDetails, bot: &str, attempt: i64) -> Vec<FailureDocument> {
    let own = details.failures.iter().filter(|one| one.bot == bot && one.attempt == attempt);
    let shown = |text: &str| if details.is_private { String::new() } else { text.to_owned() };
    let document = |failure: &StoredFailure| FailureDocument {
        game: failure.game,
        reason: printable(&failure.reason),
        is_private: details.is_private,
        detail: without_host_paths(&printable(&shown(&failure.detail))),
        request: printable(&shown(&failure.request)),
        log: without_host_paths(
            &shown(&failure.log).lines().map(printable).collect::<Vec<_>>().join("\n"),
        ),
    };
    own.rev().take(MAX_FAILURES).map(document).collect()
}

impl AnswerTimes {
    fn of(answers: &AnswerTally) -> Option<Self> {
        let below = |share| answers.longest_below(share).map(|us| us.min(answers.sum.longest_us));
        Some(Self {
            answers: answers.sum.answers,
            mean_us: answers.sum.total_us.checked_div(answers.sum.answers)?,
            half_below_us: below(0.5)?,
            most_below_us: below(0.99)?,
            longest_us: answers.sum.longest_us,
        })
    }
}
