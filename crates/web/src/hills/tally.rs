//! What the games of a run say beside its result: who failed why, who came to which score and place, and how long
//! answers took.

use std::collections::BTreeMap;

use dicehill_arena::{AnswerSum, Following, Recalled};
use dicehill_rules::{Game, SeatResult};
use dicehill_store::LogHeader;

use crate::model::board::FailureCount;

/// What the games of a run say beside its result, by place in the run's header.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) bots: Vec<BotTally>,
}

/// Of one entrant.
#[derive(Clone, Debug, Default)]
pub(crate) struct BotTally {
    /// Games at each place, from the first on: one more than there are seats with more points.
    pub(crate) places: Vec<u64>,
    /// How often each score occurred.
    pub(crate) scores: BTreeMap<u64, u64>,
    /// How often it failed, by reason.
    pub(crate) failures: BTreeMap<&'static str, u64>,
    /// How long its answers took, of programs outside.
    pub(crate) answers: Answers,
}

/// How long answers took.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    pub(crate) sum: AnswerSum,
    /// Games whose longest answer took fewer microseconds than 2 to the power of the index, and not fewer than the power
    /// before.
    pub(crate) longest: BTreeMap<u32, u64>,
}

impl Tally {
    pub(crate) fn new(bots: usize) -> Self {
        Self { bots: vec![BotTally::default(); bots] }
    }

    /// Adds a game. The ids of entrants are their places in the header.
    pub(crate) fn add(&mut self, game: &Recalled, times: &[Option<AnswerSum>]) {
        for (seat, id) in game.fixture.seats.iter().enumerate() {
            let Some(bot) = self.bots.get_mut(id.index()) else { continue };
            bot.add_place(place_of(&game.results, seat));
            if let Some(Some(sum)) = times.get(seat) {
                bot.answers.add(*sum);
            }
        }
        for (seat, reason) in &game.failures {
            let id = game.fixture.seats[seat.index()];
            if let Some(bot) = self.bots.get_mut(id.index()) {
                *bot.failures.entry(reason.name()).or_default() += 1;
            }
        }
    }

    /// Takes the scores as the ledger has them.
    pub(crate) fn take_scores<G: Game>(
        &mut self,
        following: &Following<'_, G>,
        ids: impl Iterator<Item = dicehill_arena::EntrantId>,
    ) {
        for id in ids {
            if let Some(bot) = self.bots.get_mut(id.index()) {
                bot.scores = following.ledger().first_figure(id).collect();
            }
        }
    }

    /// Who failed how often and why.
    pub(crate) fn failure_counts(&self, header: &LogHeader) -> Vec<FailureCount> {
        let of = |(bot, tally): (&dicehill_store::LogBot, &BotTally)| -> Vec<FailureCount> {
            let count = |(reason, count): (&&str, &u64)| FailureCount {
                bot: bot.name.to_string(),
                reason: (*reason).to_owned(),
                count: *count,
            };
            tally.failures.iter().map(count).collect()
        };
        header.bots.iter().zip(&self.bots).flat_map(of).collect()
    }
}

/// How many seats have more points, and one.
fn place_of(results: &[SeatResult], seat: usize) -> usize {
    let standing = |result: &SeatResult| (result.won, result.points);
    let own = standing(&results[seat]);
    1 + results.iter().filter(|other| standing(other) > own).count()
}

impl BotTally {
    fn add_place(&mut self, place: usize) {
        if self.places.len() < place {
            self.places.resize(place, 0);
        }
        self.places[place - 1] += 1;
    }
}

impl Answers {
    fn add(&mut self, sum: AnswerSum) {
        self.sum.answers += sum.answers;
        self.sum.total_us = self.sum.total_us.saturating_add(sum.total_us);
        self.sum.longest_us = self.sum.longest_us.max(sum.longest_us);
        *self.longest.entry(u64::BITS - sum.longest_us.leading_zeros()).or_default() += 1;
    }

    /// Microseconds below which the longest answer of this share of the games was.
    pub(crate) fn longest_below(&self, share: f64) -> Option<u64> {
        let games: u64 = self.longest.values().sum();
        let wanted = share * games as f64;
        let mut seen = 0;
        let enough = |(_, count): &(&u32, &u64)| {
            seen += **count;
            seen as f64 >= wanted
        };
        let (power, _) = self.longest.iter().find(enough)?;
        Some(1u64.checked_shl(*power).unwrap_or(u64::MAX))
    }
}
