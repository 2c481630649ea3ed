//! One hill, and the list of all hills.

use serde::Serialize;
use utoipa::ToSchema;

use super::change::ChangeDocument;
use super::games::GameRow;
use super::ratings::RatingSeries;
use super::run_line::RunLine;
use super::{BoardDocument, RunState};

/// All hills of a server.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SiteDocument {
    /// In the order in which the host named them.
    pub(crate) hills: Vec<HillSummary>,
    /// Whether bots may be entered here.
    pub(crate) accepts: bool,
}

/// A hill in a line.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct HillSummary {
    /// Its name in addresses.
    #[schema(example = "spring")]
    pub(crate) hill: String,
    /// Its name.
    #[schema(example = "Spring hill")]
    pub(crate) name: String,
    /// `yahtzee` or `liars-dice`.
    #[schema(example = "liars-dice")]
    pub(crate) game: String,
    /// The format.
    #[schema(example = "challenge")]
    pub(crate) format: String,
    /// How many entrants it has.
    pub(crate) entrants: usize,
    /// How many runs it has had.
    pub(crate) runs: usize,
    /// The champion: of the last run that has ended, or of the league in which entrants were placed since.
    pub(crate) champion: Option<String>,
    /// The chance that the champion is the best, 0 to 1.
    pub(crate) champion_sure: Option<f64>,
    /// What the last run does; null before the first.
    pub(crate) state: Option<RunState>,
}

/// A hill with its last run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct HillDocument {
    /// The hill in a line.
    #[serde(flatten)]
    pub(crate) summary: HillSummary,
    /// A number that is another whenever anything of this document has changed.
    pub(crate) version: u64,
    /// Its entrants, in the order in which they came.
    pub(crate) entrants_now: Vec<EntrantDocument>,
    /// All its runs, newest first.
    pub(crate) history: Vec<RunLine>,
    /// The last run, or the last whole one with the entrants that were placed since; null before the first.
    pub(crate) board: Option<BoardDocument>,
    /// The placement that is being played or was left before its end.
    pub(crate) placement: Option<PlacementProgress>,
    /// What its runs have changed, newest first, at most eight.
    pub(crate) changes: Vec<ChangeDocument>,
    /// The ratings of the bots at the top of the board over the last whole runs.
    pub(crate) ratings: Vec<RatingSeries>,
    /// The last games of the displayed run, newest first.
    pub(crate) last_games: Vec<GameRow>,
    /// What was published for a future run.
    pub(crate) commitment: Option<String>,
    /// What the host wants visitors to read.
    pub(crate) message: Option<String>,
    /// When whole runs are played, such as `daily 20:00 Europe/Berlin`; null: once uploaded bots have qualified, or by the host.
    pub(crate) schedule: Option<String>,
    /// When entries open, such as `2026-12-01 08:00 Europe/Berlin`; null: they are open.
    pub(crate) opens: Option<String>,
    /// When entries close; null: never.
    pub(crate) closes: Option<String>,
}

/// A placement that is not finished.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PlacementProgress {
    /// The run that places the entrant.
    pub(crate) run: i64,
    /// The entrant.
    pub(crate) bot: String,
    /// Whether it is being played.
    pub(crate) state: RunState,
    /// Games so far.
    pub(crate) games: u64,
}

/// An entrant of a hill.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EntrantDocument {
    /// The name on the board.
    pub(crate) bot: String,
    /// The number of the version that plays, from 1.
    pub(crate) version: i64,
    /// What it plays with, down to its content.
    pub(crate) hash: String,
    /// Who wrote it.
    pub(crate) author: Option<String>,
    /// When the version was added.
    pub(crate) added: String,
}
