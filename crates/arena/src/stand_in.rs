//! Who stands for an entrant where nobody has to play.

use dicehill_rules::Game;

use crate::{Bot, Failure, Program, Reason};

/// A program that is what a run's header says, and cannot play.
pub struct StandIn(pub String);

struct Silent;

impl<G: Game> Program<G> for StandIn {
    fn identity(&self) -> String {
        self.0.clone()
    }

    fn bot(&self) -> Box<dyn Bot<G>> {
        Box::new(Silent)
    }
}

impl<G: Game> Bot<G> for Silent {
    fn act(&mut self, _view: &G::View<'_>) -> Result<G::Action, Failure> {
        Err(Failure::new(Reason::Crash, "nobody plays here"))
    }
}
