//! How the caller prepares the bots of a hill file.

use std::sync::Arc;

use dicehill_arena::{BotName, Program};
use dicehill_rules::Game;

use crate::{BotKind, BotTerms};

/// Prepares a bot, given its name, what runs it, and the terms on which it plays.
pub type PrepareBot<'a, G> = dyn Fn(
        &BotName,
        &BotKind,
        BotTerms<<G as Game>::Rules>,
    ) -> Result<Arc<dyn Program<G>>, BotPreparationError>
    + 'a;

/// Why a bot cannot be prepared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotPreparationError {
    /// What is wrong, with the offending value.
    pub why: String,
    /// Whether the arena's machine is at fault rather than the bot.
    pub is_arena_error: bool,
    /// The key of the bot's table that is at fault, if it is not the one that names what runs the bot.
    pub key: Option<&'static str>,
}

impl BotPreparationError {
    /// The bot is at fault.
    #[must_use]
    pub const fn bot_error(why: String) -> Self {
        Self { why, is_arena_error: false, key: None }
    }

    /// A secret of the bot is at fault.
    #[must_use]
    pub const fn secret_error(why: String) -> Self {
        Self { why, is_arena_error: false, key: Some("secrets") }
    }

    /// The arena's machine is at fault.
    #[must_use]
    pub const fn arena_error(why: String) -> Self {
        Self { why, is_arena_error: true, key: None }
    }
}
