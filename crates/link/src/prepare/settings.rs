//! The conditions under which a bot plays.

use dicehill_arena::{Limits, Memory};

use crate::isolation::sandbox::{Isolation, NetworkAccess};
use crate::process::secret::Secret;

/// The conditions under which a bot plays.
#[derive(Clone, Debug)]
pub struct ExternalBotSettings {
    /// The name of the game.
    pub game: &'static str,
    /// The variant of the rules.
    pub rules: String,
    /// How long a process keeps its state.
    pub memory: Memory,
    /// What it may use.
    pub limits: Limits,
    /// Whether it is sandboxed.
    pub isolation: Isolation,
    /// Whether its sandbox has a network.
    pub network: NetworkAccess,
    /// Environment variables that it gets and no other bot.
    pub secrets: Vec<Secret>,
}
