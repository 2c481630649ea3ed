//! The analysis of a run, and what it needs from a game.

use std::collections::BTreeMap;
use std::num::NonZero;

use dicehill_arena::Replay;
use dicehill_coach::{AppraisedGame, Estimate, Tally};

use super::token_count::TokenCount;
use crate::games::TerminalGame;

/// A recorded game with the losses of its decisions.
pub(super) type Appraised<G> = AppraisedGame<<<G as AnalyzedGame>::Tally as Tally>::Seat>;
/// The report on the games of a bot.
pub(super) type Report<G> = <<G as AnalyzedGame>::Tally as Tally>::Report;

/// The largest number of habits that are shown of a bot.
pub(super) const MAX_HABITS: usize = 10;

/// A game whose decisions can be appraised.
pub(super) trait AnalyzedGame: TerminalGame {
    /// What decisions are compared with, such as the exact solution.
    type Model: Sync;
    /// The sums over the games of a bot.
    type Tally: Tally<Seat: Send>;

    /// The model for these rules. May take a second on `jobs` threads.
    fn model(rules: Self::Rules, jobs: NonZero<usize>) -> Self::Model;

    /// Appraises the decisions of those players for whom `wanted` holds; `None` for a void game.
    fn appraise(
        model: &Self::Model,
        rules: Self::Rules,
        replay: &Replay<Self>,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<Appraised<Self>>;

    /// What the report on a bot counts.
    fn counts(bot: &Report<Self>) -> BotCounts<'_>;
}

/// What the report on a bot counts, in any game.
pub(super) struct BotCounts<'a> {
    pub(super) name: &'a str,
    pub(super) games: u64,
    pub(super) decisions: u64,
    pub(super) mistakes: u64,
    /// What its decisions lost per game.
    pub(super) loss: Estimate,
}

/// The analysis of a run.
pub(super) struct RunAnalysis<G: AnalyzedGame> {
    /// The run as it is named in commands.
    pub(super) run: String,
    pub(super) rules: G::Rules,
    pub(super) model: G::Model,
    /// The bots that have games which count.
    pub(super) bots: Vec<Report<G>>,
    /// The tokens of bots whose transcripts are known, by name.
    pub(super) tokens: BTreeMap<String, TokenCount>,
}

/// The command that shows a game.
pub(super) fn replay_command(run: &str, game: u64) -> String {
    format!("dicehill replay {run} {game}")
}
