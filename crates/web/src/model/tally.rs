//! What the games of a run say beyond its result: failures by reason, scores, places, and answer times.

use std::collections::BTreeMap;

use dicehill_arena::{AnswerSum, RecordedGame, RunFollower};
use dicehill_rules::{Game, SeatResult, Summary};

/// What the games of a run say beyond its result, by place in the run's header.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) bots: Vec<BotTally>,
}

/// The counts of one entrant.
#[derive(Clone, Debug, Default)]
pub(crate) struct BotTally {
    /// Games at each place, from the first on. The place is one more than the number of seats with a higher score, or more points
    /// in a game without scores.
    pub(crate) places: Vec<u64>,
    /// How often each score occurred.
    pub(crate) scores: BTreeMap<u64, u64>,
    /// How often it failed, by reason.
    pub(crate) failures: BTreeMap<&'static str, u64>,
    /// How long its answers took; empty for house bots.
    pub(crate) answers: AnswerTally,
}

/// How long answers took.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnswerTally {
    pub(crate) sum: AnswerSum,
    /// Games by the longest answer: those at key `k` took less than 2^k microseconds, and 2^(k-1) or more.
    pub(crate) longest: BTreeMap<u32, u64>,
}

impl Tally {
    pub(crate) fn new(bots: usize) -> Self {
        Self { bots: vec![BotTally::default(); bots] }
    }

    /// Adds a game. The ids of entrants are their places in the header.
    pub(crate) fn add<G: Game>(&mut self, game: &RecordedGame, times: &[Option<AnswerSum>]) {
        for (seat, id) in game.fixture.seats.iter().enumerate() {
            let Some(bot) = self.bots.get_mut(id.index()) else { continue };
            bot.add_place(place_of::<G>(&game.results, seat));
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

    /// Copies the distributions of scores from the ledger.
    pub(crate) fn take_scores<G: Game>(
        &mut self,
        following: &RunFollower<'_, G>,
        ids: impl Iterator<Item = dicehill_arena::EntrantId>,
    ) {
        for id in ids {
            if let Some(bot) = self.bots.get_mut(id.index()) {
                bot.scores = following.ledger().first_figure_counts(id).collect();
            }
        }
    }
}

/// One more than the number of seats with a higher score, or more points in a game without scores.
fn place_of<G: Game>(results: &[SeatResult], seat: usize) -> usize {
    let score = |result: &SeatResult| match G::FIGURES.first().map(|figure| figure.summary) {
        Some(Summary::Distribution) => result.figures[0],
        Some(Summary::Total) | None => 0,
    };
    let standing = |result: &SeatResult| (result.won, result.points, score(result));
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

impl AnswerTally {
    fn add(&mut self, sum: AnswerSum) {
        self.sum.answers += sum.answers;
        self.sum.total_us = self.sum.total_us.saturating_add(sum.total_us);
        self.sum.longest_us = self.sum.longest_us.max(sum.longest_us);
        *self.longest.entry(u64::BITS - sum.longest_us.leading_zeros()).or_default() += 1;
    }

    /// An upper bound in microseconds on the longest answer of this share of the games, 0 to 1.
    pub(crate) fn longest_below(&self, share: f64) -> Option<u64> {
        let games: u64 = self.longest.values().sum();
        let wanted = share * games as f64;
        let mut seen = 0;
        let is_enough = |(_, count): &(&u32, &u64)| {
            seen += **count;
            seen as f64 >= wanted
        };
        let (power, _) = self.longest.iter().find(is_enough)?;
        Some(1u64.checked_shl(*power).unwrap_or(u64::MAX))
    }
}
