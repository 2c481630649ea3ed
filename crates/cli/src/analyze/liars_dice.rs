//! The analysis of runs of Liar's Dice.

mod document;
mod sections;

use std::io::{self, Write};
use std::num::NonZero;

use dicehill_arena::Replay;
use dicehill_coach::liars_dice::{AppraisedGame, Tally};
use dicehill_rules::Chance;
use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};
use serde_json::Value;

use super::Analysed;
use super::coach::Coach;
use crate::layout::{Form, Printer};

/// Prices decisions by the odds of hidden dice.
pub(super) struct LiarsDiceCoach {
    rules: LiarsDiceRules,
}

impl Coach for LiarsDiceCoach {
    type Game = LiarsDice;
    type Tally = Tally;

    fn new(rules: LiarsDiceRules, _jobs: NonZero<usize>) -> Self {
        Self { rules }
    }

    fn appraise(
        &self,
        chance: &Chance,
        replay: &Replay<LiarsDice>,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<AppraisedGame> {
        Some(AppraisedGame::new(self.rules, chance, replay, wanted))
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
