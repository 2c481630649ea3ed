//! The terms on which a hill's bots play.

use dicehill_arena::{Limits, Memory};

/// The terms on which a hill's bots play: what is needed to prepare one of them.
#[derive(Clone, Copy, Debug)]
pub struct BotTerms<R> {
    /// The variant of the rules.
    pub rules: R,
    /// How long a bot keeps its memory.
    pub memory: Memory,
    /// The time and memory that a bot may use.
    pub limits: Limits,
}
