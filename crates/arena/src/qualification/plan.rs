//! The plan of a qualification.

use std::sync::Arc;

use dicehill_rules::Game;

use crate::{EntrantId, Hill, Program, RarePosition};

/// A bot and the games and positions of its qualification.
pub struct QualificationPlan<'a, G: Game> {
    /// The hill for which the bot qualifies. Its rules, memory, table sizes and names are those of the games, and its
    /// master seed determines the seating, the dice and the seeds of the bots.
    pub hill: &'a Hill<G>,
    /// The bot.
    pub entrant: EntrantId,
    /// Programs that play in place of opponents that are not house bots; at least one.
    pub stand_ins: &'a [Arc<dyn Program<G>>],
    /// How many games it plays.
    pub games: u64,
    /// Rare positions in which it is asked for an action.
    pub positions: &'a [RarePosition<G>],
    /// Renders a view as the request text of a finding.
    pub show: &'a dyn Fn(&G::View<'_>) -> String,
    /// The qualification stops after more failures of the bot's process than this.
    pub patience: usize,
    /// Called after each game and position with the number done; returns whether to continue.
    pub progress: &'a dyn Fn(u64) -> bool,
}

impl<G: Game> QualificationPlan<'_, G> {
    /// The number of games and positions; games count twice because they are played again.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        2 * self.games + self.positions.len() as u64
    }
}
