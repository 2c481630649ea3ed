//! How long the answers of one seat took in one game.

use std::time::{Duration, Instant};

use dicehill_rules::Game;

use crate::{Bot, Failure, Finished, Start};

/// How many answers a seat gave in a game, and how long they took, as the arena waited for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerSum {
    /// How many.
    pub answers: u64,
    /// Microseconds together.
    pub total_us: u64,
    /// Microseconds of the longest.
    pub longest_us: u64,
}

impl AnswerSum {
    /// Adds an answer.
    pub(crate) fn add(&mut self, took: Duration) {
        let us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.answers += 1;
        self.total_us = self.total_us.saturating_add(us);
        self.longest_us = self.longest_us.max(us);
    }
}

/// A bot whose answers are timed.
pub(crate) struct Timed<'a, G: Game> {
    bot: &'a mut dyn Bot<G>,
    pub(crate) sum: AnswerSum,
}

impl<'a, G: Game> Timed<'a, G> {
    pub(crate) fn new(bot: &'a mut dyn Bot<G>) -> Self {
        Self { bot, sum: AnswerSum::default() }
    }
}

impl<G: Game> Bot<G> for Timed<'_, G> {
    fn start(&mut self, start: &Start) {
        self.bot.start(start);
    }

    fn reveal(&mut self, game: &G, action: &G::Action) {
        self.bot.reveal(game, action);
    }

    fn refused(&mut self, why: &str) {
        self.bot.refused(why);
    }

    fn end(&mut self, finished: &Finished<'_, G>) {
        self.bot.end(finished);
    }

    fn act(&mut self, view: &G::View<'_>) -> Result<G::Action, Failure> {
        let begun = Instant::now();
        let answer = self.bot.act(view);
        self.sum.add(begun.elapsed());
        answer
    }
}
