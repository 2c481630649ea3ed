//! Decisions of Yahtzee, compared with the exact solution.

use std::num::NonZero;

use dicehill_arena::Replay;
use dicehill_coach::yahtzee::{AppraisedGame, BotReport, Tally};
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_solver::yahtzee::{Solution, Variant};

use crate::commands::analyze::run_analysis::{AnalyzedGame, BotCounts};

impl AnalyzedGame for Yahtzee {
    type Model = Solution;
    type Tally = Tally;

    fn model(rules: YahtzeeRules, jobs: NonZero<usize>) -> Solution {
        Solution::new(Variant::from(rules), jobs)
    }

    fn appraise(
        solution: &Solution,
        rules: YahtzeeRules,
        replay: &Replay<Self>,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<AppraisedGame> {
        AppraisedGame::new(solution, rules, replay, wanted)
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
