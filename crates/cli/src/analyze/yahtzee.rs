//! The analysis of runs of Yahtzee.

mod document;
mod sections;

use std::io::{self, Write};
use std::num::NonZero;

use dicehill_arena::Replay;
use dicehill_coach::yahtzee::{AppraisedGame, Tally};
use dicehill_rules::Chance;
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_solver::yahtzee::{Solution, Variant};
use serde_json::Value;

use super::Analysed;
use super::coach::Coach;
use crate::layout::{Form, Printer};

/// Holds decisions against the exact solution of the rules.
pub(super) struct YahtzeeCoach {
    rules: YahtzeeRules,
    solution: Solution,
}

impl YahtzeeCoach {
    /// The score that the best play gets on average.
    fn start(&self) -> f64 {
        self.solution.start()
    }
}

impl Coach for YahtzeeCoach {
    type Game = Yahtzee;
    type Tally = Tally;

    fn new(rules: YahtzeeRules, jobs: NonZero<usize>) -> Self {
        Self { rules, solution: Solution::new(Variant::from(rules), jobs) }
    }

    fn appraise(
        &self,
        chance: &Chance,
        replay: &Replay<Yahtzee>,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<AppraisedGame> {
        AppraisedGame::new(&self.solution, self.rules, chance, replay, wanted)
    }

    fn write<W: Write>(
        out: &mut Printer<W>,
        analysed: &Analysed<Self>,
        form: Form,
    ) -> io::Result<()> {
        sections::write(out, analysed, form)
    }

    fn document(analysed: &Analysed<Self>) -> Value {
        document::document(analysed)
    }
}
