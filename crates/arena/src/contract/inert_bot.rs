//! A program that cannot play, for runs that are only read.

use dicehill_rules::Game;

use crate::{Bot, Failure, Program, Reason};

/// A program with the identity from a run's header, whose bots give no answer.
pub struct InertBot(pub String);

struct Silent;

impl<G: Game> Program<G> for InertBot {
    fn identity(&self) -> String {
        self.0.clone()
    }

    fn bot(&self) -> Box<dyn Bot<G>> {
        Box::new(Silent)
    }
}

impl<G: Game> Bot<G> for Silent {
    fn act(&mut self, _view: &G::View<'_>) -> Result<G::Action, Failure> {
        Err(Failure::new(Reason::Crash, "no bot plays here"))
    }
}
