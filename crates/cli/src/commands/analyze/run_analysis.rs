//! The analysis of a run, and what it needs from a game.

use std::io::{self, Write};
use std::num::NonZero;

use dicehill_arena::Replay;
use dicehill_coach::{AppraisedGame, Tally};
use serde_json::Value;

use crate::games::TerminalGame;
use crate::layout::{Form, Printer};

/// A recorded game with the losses of its decisions.
pub(super) type Appraised<G> = AppraisedGame<<<G as AnalyzedGame>::Tally as Tally>::Seat>;
/// The report on the games of a bot.
pub(super) type Report<G> = <<G as AnalyzedGame>::Tally as Tally>::Report;

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
}

/// The analysis of a run.
pub(super) struct RunAnalysis<G: AnalyzedGame> {
    /// The run as it is named in commands.
    pub(super) run: String,
    pub(super) rules: G::Rules,
    pub(super) model: G::Model,
    /// The bots that have games which count.
    pub(super) bots: Vec<Report<G>>,
}

/// An analysis for people.
pub(super) trait WriteAnalysis {
    /// Writes the whole analysis.
    fn write<W: Write>(&self, out: &mut Printer<W>, form: Form) -> io::Result<()>;
}

/// An analysis for programs.
pub(super) trait AnalysisDocument {
    /// The document `dicehill.analysis/1`.
    fn document(&self) -> Value;
}

/// The command that shows a game.
pub(super) fn replay_command(run: &str, game: u64) -> String {
    format!("dicehill replay {run} {game}")
}
