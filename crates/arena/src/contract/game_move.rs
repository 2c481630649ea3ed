//! A move of a game: an answer as it was judged.

use dicehill_rules::Game;

use crate::Failure;

/// An answer as it was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move<G: Game> {
    /// A legal action.
    Acted(G::Action),
    /// No legal action. Boxed, because it is rare and would make every move as large as itself.
    Failed(Box<Failure>),
}

impl<G: Game> Move<G> {
    /// The answer that was judged, to judge it again.
    ///
    /// # Errors
    /// The recorded failure.
    pub fn answer(&self) -> Result<G::Action, Failure> {
        match self {
            Self::Acted(action) => Ok(action.clone()),
            Self::Failed(failure) => Err((**failure).clone()),
        }
    }
}
