//! A game whose recorded decisions can be analysed, whatever the game is.

use std::num::NonZero;

use dicehill_arena::Replay;
use dicehill_rules::Game;
use serde_json::Value;

use crate::{AppraisedGame, Estimate, Tally};

/// A recorded game of `G` with the losses of its decisions.
pub type Appraised<G> = AppraisedGame<<<G as AnalyzedGame>::Tally as Tally>::Seat>;
/// The report on the games of a bot in `G`.
pub type Report<G> = <<G as AnalyzedGame>::Tally as Tally>::Report;

/// A game whose decisions can be appraised.
pub trait AnalyzedGame: Game {
    /// What decisions are compared with, such as the exact solution.
    type Model: Send + Sync;
    /// The sums over the games of a bot.
    type Tally: Tally<Seat: Send>;

    /// The notes that explain losses.
    const NOTES: &'static [&'static str];

    /// What the loss of a decision means, and how far it says which bot is better.
    const LOSS_NOTE: &'static str;

    /// The model for these rules. May take a second on `jobs` threads.
    fn model(rules: Self::Rules, jobs: NonZero<usize>) -> Self::Model;

    /// Appraises the decisions of those players for whom `wanted` holds; `None` for a void game.
    fn appraise(
        model: &Self::Model,
        rules: Self::Rules,
        replay: &Replay<Self>,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<Appraised<Self>>;

    /// What an action of the player to act loses against the best one, and the best one in words; `None` if the action is illegal
    /// or the game is over.
    fn loss(model: &Self::Model, game: &Self, action: &Self::Action) -> Option<(f64, String)>;

    /// What the report on a bot counts.
    fn counts(bot: &Report<Self>) -> BotCounts<'_>;

    /// The expected score of optimal play, if the game has one.
    fn best_play(model: &Self::Model) -> Option<f64>;

    /// What the document `dicehill.analysis/1` has of a bot besides its counts. `run` is the run as commands name it.
    fn bot_document(bot: &Report<Self>, run: &str) -> Value;
}

/// What the report on a bot counts, in any game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BotCounts<'a> {
    /// The name of the bot.
    pub name: &'a str,
    /// Its games that count.
    pub games: u64,
    /// Its decisions in them.
    pub decisions: u64,
    /// Its decisions that cost something.
    pub mistakes: u64,
    /// What its decisions lost per game.
    pub loss: Estimate,
}
