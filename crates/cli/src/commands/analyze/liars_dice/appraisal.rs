//! Decisions of Liar's Dice, valued by the odds of the hidden dice.

use std::num::NonZero;

use dicehill_arena::Replay;
use dicehill_coach::liars_dice::{AppraisedGame, BotReport, Tally};
use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};

use crate::commands::analyze::run_analysis::{AnalyzedGame, BotCounts};

impl AnalyzedGame for LiarsDice {
    /// The odds need no preparation.
    type Model = ();
    type Tally = Tally;

    fn model(_rules: LiarsDiceRules, _jobs: NonZero<usize>) {}

    fn appraise(
        (): &(),
        rules: LiarsDiceRules,
        replay: &Replay<Self>,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<AppraisedGame> {
        Some(AppraisedGame::new(rules, replay, wanted))
    }

    fn counts(bot: &BotReport) -> BotCounts<'_> {
        BotCounts {
            name: &bot.name,
            games: bot.games,
            decisions: bot.all_decisions(),
            mistakes: bot.loss.mistakes,
            loss: bot.loss.loss,
        }
    }
}
