//! The table at which a person plays.

use dicehill_arena::{Bot, BotName, Entrant, Play, Start};
use dicehill_rules::{Chance, PublicInfo};

use crate::failure::Failure;
use crate::games::TerminalGame;
use crate::text::YOU;

/// The bots by seat; `None` for the person.
pub(super) type SeatedBots<G> = Vec<Option<Box<dyn Bot<G>>>>;

/// The players by seat, with the dice of their table.
pub(super) struct PlayersTable<'a, G: TerminalGame> {
    pub(super) rules: G::Rules,
    pub(super) chance: &'a Chance,
    /// By seat; `None` for the person.
    seats: Vec<(BotName, Option<&'a Entrant<G>>)>,
}

impl<'a, G: TerminalGame> PlayersTable<'a, G> {
    pub(super) fn new(
        rules: G::Rules,
        chance: &'a Chance,
        opponents: &'a [Entrant<G>],
    ) -> Result<Self, Failure> {
        let you = BotName::new(YOU).map_err(|error| Failure::Usage(error.to_string()))?;
        let others = opponents.iter().map(|entrant| (entrant.name.clone(), Some(entrant)));
        let mut seats: Vec<_> = std::iter::once((you, None)).chain(others).collect();
        seats.sort_by_key(|(name, _)| chance.seat_key(1, name.as_str()));
        Ok(Self { rules, chance, seats })
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.seats.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The game at its first action, with new instances of the bots.
    pub(super) fn begin(&self) -> (Play<'_, G>, SeatedBots<G>) {
        let players = self.seats.len();
        let bot = |(name, entrant): &(BotName, Option<&Entrant<G>>)| {
            let mut bot = (*entrant)?.program.bot();
            let seed = self.chance.bot_seed(1, name.as_str());
            let id = self.chance.game_id(1, name.as_str());
            bot.start(&Start { game: 1, id, players, seed });
            Some(bot)
        };
        let bots = self.seats.iter().map(bot).collect();
        let public = PublicInfo { names: self.names(), points: Vec::new() };
        (Play::new(self.rules, self.chance.table(1), players, public), bots)
    }
}
