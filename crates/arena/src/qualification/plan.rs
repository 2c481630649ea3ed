//! The plan of a qualification.

use std::sync::Arc;
use std::time::Duration;

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
    /// For how long games begin, and then positions; `None` if all of them do. A slow bot plays fewer games, but at least two,
    /// so that others do not wait for it. Measured in wall time.
    pub time: Option<Duration>,
    /// The qualification stops after more failures of the bot's process than this.
    pub patience: usize,
    /// Called after each game and position with the number done; returns whether to continue.
    pub progress: &'a dyn Fn(u64) -> bool,
}

impl<G: Game> QualificationPlan<'_, G> {
    /// The number of games and positions; games that are played again count twice.
    #[must_use]
    pub fn steps(&self) -> u64 {
        let times = if self.plays_again() { 2 } else { 1 };
        times * self.games + self.positions.len() as u64
    }

    /// Whether the games are played again: the bot is to give the same answers.
    #[must_use]
    pub fn plays_again(&self) -> bool {
        self.hill.entrant(self.entrant).own_terms.deterministic
    }
}
