//! The entrants of a hill.

use dicehill_rules::Game;
use std::sync::Arc;

use super::own_terms::OwnTerms;
use crate::{BotName, Program};

/// An entrant's place in the hill, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EntrantId(u16);

impl EntrantId {
    pub(super) const fn new(index: u16) -> Self {
        Self(index)
    }

    /// The entrant's index among [`Hill::entrants`](crate::Hill::entrants).
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A bot as it takes part in a hill.
#[derive(Clone)]
pub struct Entrant<G: Game> {
    /// The name on the board; unique in a hill.
    pub name: BotName,
    /// The program that it plays with.
    pub program: Arc<dyn Program<G>>,
    /// Its author.
    pub author: Option<String>,
    /// Where to read about it.
    pub url: Option<String>,
    /// Votes, where the board counts them.
    pub votes: Option<i64>,
    /// What differs from the terms of the hill.
    pub own_terms: OwnTerms,
}

impl<G: Game> Entrant<G> {
    /// An entrant with a name and a program, on the terms of its hill, and no more details.
    #[must_use]
    pub fn new(name: BotName, program: Arc<dyn Program<G>>) -> Self {
        Self { name, program, author: None, url: None, votes: None, own_terms: OwnTerms::default() }
    }
}
