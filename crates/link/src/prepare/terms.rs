//! The conditions under which a bot plays.

use dicehill_arena::{Limits, Memory};

use crate::isolation::sandbox::Isolation;

/// On what terms a bot plays.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The game.
    pub game: &'static str,
    /// The variant of the rules.
    pub rules: String,
    /// How long a process lives.
    pub memory: Memory,
    /// What it may use.
    pub limits: Limits,
    /// Whether it is kept apart.
    pub isolation: Isolation,
}
