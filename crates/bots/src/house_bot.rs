//! A house bot and its description.

use std::sync::Arc;

use dicehill_arena::{Bot, BotName, Entrant, Program};
use dicehill_rules::Game;

use crate::HouseIdentity;

/// A house bot: its name, its version, a line about it, and its constructor.
pub struct HouseBot<G: Game> {
    name: &'static str,
    version: u32,
    about: &'static str,
    make: fn() -> Box<dyn Bot<G>>,
}

impl<G: Game> HouseBot<G> {
    /// A house bot. `version` has to go up whenever a decision changes.
    pub(crate) const fn new(
        name: &'static str,
        version: u32,
        about: &'static str,
        make: fn() -> Box<dyn Bot<G>>,
    ) -> Self {
        Self { name, version, about, make }
    }

    /// The name in hill files.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The bot as an entrant, under its own name.
    #[must_use]
    pub fn entrant(self) -> Entrant<G> {
        let name = BotName::new(self.name).expect("house bots have printable names");
        Entrant::new(name, Arc::new(self))
    }

    /// A line about how it plays.
    #[must_use]
    pub const fn about(&self) -> &'static str {
        self.about
    }
}

impl<G: Game> Program<G> for HouseBot<G> {
    fn identity(&self) -> String {
        HouseIdentity { name: self.name.to_owned(), version: self.version }.to_string()
    }

    fn is_house(&self) -> bool {
        true
    }

    fn bot(&self) -> Box<dyn Bot<G>> {
        (self.make)()
    }
}
