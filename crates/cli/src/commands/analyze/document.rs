//! An analysis for programs: what all games share of it.

use dicehill_arena::six_digits;
use serde_json::{Value, json};

use super::run_analysis::{BotCounts, Report, RunAnalysis};
use super::text::AnalysisText;
use super::transcript;

/// A game whose analysis can be a document.
pub(super) trait AnalysisDocument: AnalysisText {
    /// The expected score of optimal play, if the game has one.
    fn best_play(model: &Self::Model) -> Option<f64>;

    /// What the document has of a bot besides its counts.
    fn bot_document(bot: &Report<Self>, run: &str) -> Value;
}

/// The document `dicehill.analysis/1`.
pub(super) fn document<G: AnalysisDocument>(analysis: &RunAnalysis<G>) -> Value {
    let RunAnalysis { run, rules, model, bots, tokens } = analysis;
    let bot = |bot: &Report<G>| {
        let counts = G::counts(bot);
        let BotCounts { name, games, decisions, .. } = counts;
        let mut document = G::bot_document(bot, run);
        document["bot"] = json!(name);
        document["games"] = json!(games);
        document["decisions"] = json!(decisions);
        if let Some(tokens) = tokens.get(name) {
            document["tokens"] = transcript::document(*tokens, &counts);
        }
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
