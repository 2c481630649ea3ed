//! The plan of a qualification.

use std::sync::Arc;

use dicehill_rules::Game;

use crate::{EntrantId, Hill, Program, RarePosition};

/// The processes that play the games of a qualification first, before one process plays them all again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstGames {
    /// Each game has a fresh process.
    Isolated,
    /// One process plays all of them in order and is asked in the rare positions too, so that only two are started. What
    /// goes wrong there counts only if it does in a fresh process too.
    Together,
}

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
    /// The processes that play them first. Code of this process has a fresh bot for each game anyway.
    pub first_games: FirstGames,
    /// Rare positions in which it is asked for an action.
    pub positions: &'a [RarePosition<G>],
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
