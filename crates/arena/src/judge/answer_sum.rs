//! The answer times of one seat in one game.

use std::time::{Duration, Instant};

use dicehill_rules::Game;

use crate::{Bot, Failure, Finished, Start};

/// The number of a seat's answers in a game and their times, as the arena measured them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerSum {
    /// The number of answers.
    pub answers: u64,
    /// The total time in microseconds.
    pub total_us: u64,
    /// The longest time in microseconds.
    pub longest_us: u64,
}

impl AnswerSum {
    /// Adds an answer.
    pub(crate) fn add(&mut self, time: Duration) {
        let us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.answers += 1;
        self.total_us = self.total_us.saturating_add(us);
        self.longest_us = self.longest_us.max(us);
    }
}

/// Times the answers of a bot.
pub(crate) struct TimedBot<'a, G: Game> {
    bot: &'a mut dyn Bot<G>,
    pub(crate) sum: AnswerSum,
}

impl<'a, G: Game> TimedBot<'a, G> {
    pub(crate) fn new(bot: &'a mut dyn Bot<G>) -> Self {
        Self { bot, sum: AnswerSum::default() }
    }
}

impl<G: Game> Bot<G> for TimedBot<'_, G> {
    fn start(&mut self, start: &Start) {
        self.bot.start(start);
    }

    fn reveal(&mut self, game: &G, action: &G::Action) {
        self.bot.reveal(game, action);
    }

    fn refused(&mut self, why: &str) -> Vec<String> {
        self.bot.refused(why)
    }

    fn end(&mut self, finished: &Finished<'_, G>) {
        self.bot.end(finished);
    }

    fn act(&mut self, view: &G::View<'_>) -> Result<G::Action, Failure> {
        let asked = Instant::now();
        let answer = self.bot.act(view);
        self.sum.add(asked.elapsed());
        answer
    }
}
