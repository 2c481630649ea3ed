//! The analysis of a run.

use dicehill_arena::six_digits;
use serde_json::{Value, json};

use crate::analyzed_game::{AnalyzedGame, BotCounts, Report};

/// The largest number of habits that are reported of a bot.
pub const MAX_HABITS: usize = 10;

/// The analysis of a run.
pub struct RunAnalysis<G: AnalyzedGame> {
    /// The run as it is named in commands.
    pub run: String,
    /// The rules of its games.
    pub rules: G::Rules,
    /// What decisions were compared with.
    pub model: G::Model,
    /// The bots that have games which count.
    pub bots: Vec<Report<G>>,
}

impl<G: AnalyzedGame> RunAnalysis<G> {
    /// The document `dicehill.analysis/1`.
    #[must_use]
    pub fn document(&self) -> Value {
        let Self { run, rules, model, bots } = self;
        let bot = |bot: &Report<G>| {
            let BotCounts { name, games, decisions, .. } = G::counts(bot);
            let mut document = G::bot_document(bot, run);
            document["bot"] = json!(name);
            document["games"] = json!(games);
            document["decisions"] = json!(decisions);
            document
        };
        let mut document = json!({
            "schema": "dicehill.analysis/1",
            "game": G::NAME,
            "rules": rules.to_string(),
            "run": run,
            "note": G::NOTES.join(" "),
            "bots": bots.iter().map(bot).collect::<Vec<_>>(),
        });
        if let Some(score) = G::best_play(model) {
            document["best_play"] = json!(six_digits(score));
        }
        document
    }
}

/// The command that shows a game of a run, which is named as in commands.
#[must_use]
pub fn replay_command(run: &str, game: u64) -> String {
    format!("dicehill replay {run} {game}")
}
