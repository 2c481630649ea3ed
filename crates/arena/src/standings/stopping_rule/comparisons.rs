//! The pairs of entrants that are compared, and the evidence on each.

use dicehill_rules::Game;

use crate::statistics::TwoSidedTest;
use crate::{Format, Schedule, Seating};

/// The pairs of active entrants that are compared.
#[derive(Debug)]
pub(super) struct Comparisons {
    pub(super) pairs: Vec<Pair>,
    /// For each active entrant, the indices of its pairs.
    of_entrant: Vec<Vec<usize>>,
}

/// Two entrants that are compared, as indices of the active ones, by the leads of the first over the second.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) test: TwoSidedTest,
}

impl Comparisons {
    pub(super) fn new<G: Game>(schedule: &Schedule<'_, G>) -> Self {
        let pairs = pairs(schedule);
        let mut of_entrant = vec![Vec::new(); schedule.active().len()];
        for (index, pair) in pairs.iter().enumerate() {
            of_entrant[pair.first].push(index);
            of_entrant[pair.second].push(index);
        }
        Self { pairs, of_entrant }
    }

    /// The pairs of an entrant.
    pub(super) fn of(&self, entrant: usize) -> impl Iterator<Item = &Pair> {
        self.of_entrant[entrant].iter().map(|index| &self.pairs[*index])
    }

    /// The indices of the pairs of which an entrant plays. In a large field that is a small part of all pairs.
    pub(super) fn in_play(&self, plays: &[bool]) -> Vec<usize> {
        let mut in_play = Vec::new();
        for entrant in (0..plays.len()).filter(|entrant| plays[*entrant]) {
            // If both play, the pair is listed only once, for its first entrant.
            in_play.extend(self.of_entrant[entrant].iter().filter(|index| {
                let first = self.pairs[**index].first;
                entrant == first || !plays[first]
            }));
        }
        in_play
    }
}

impl Pair {
    /// The e-value of `entrant`, one of the two, being better than the other.
    pub(super) fn e_value_for(&self, entrant: usize) -> f64 {
        let side = if entrant == self.first { &self.test.above } else { &self.test.below };
        side.e_value()
    }

    /// The e-value of the two being different, in the direction that the points suggest.
    pub(super) fn e_value(&self) -> f64 {
        self.test.above.e_value().max(self.test.below.e_value())
    }
}

/// The pairs that are compared: all pairs, or the challenger and each other entrant.
fn pairs<G: Game>(schedule: &Schedule<'_, G>) -> Vec<Pair> {
    let active = schedule.active();
    let test = TwoSidedTest::new(bound(schedule));
    let pair = |first, second| Pair { first, second, test: test.clone() };
    match schedule.hill().format() {
        Format::Challenge | Format::Duel { .. } => {
            let every_two = |first| (first + 1..active.len()).map(move |second| (first, second));
            (0..active.len()).flat_map(every_two).map(|(a, b)| pair(a, b)).collect()
        }
        Format::Gauntlet { .. } => {
            let challenger = schedule.hill().challenger(active);
            let challenger = challenger.and_then(|id| active.binary_search(&id).ok());
            let others =
                |challenger: usize| (0..active.len()).filter(move |other| *other != challenger);
            let pairs_of = |challenger| others(challenger).map(move |other| (challenger, other));
            challenger.into_iter().flat_map(pairs_of).map(|(a, b)| pair(a, b)).collect()
        }
    }
}

/// The largest possible lead of one entrant over another in a block. With fewer than two entrants nothing is compared.
fn bound<G: Game>(schedule: &Schedule<'_, G>) -> u64 {
    let (active, hill) = (schedule.active().len().max(2), schedule.hill());
    let format = hill.format();
    let (seats, all_play) = match (format, hill.challenge().seating) {
        (Format::Challenge, Seating::Everyone) => (active, true),
        (Format::Challenge, Seating::Drawn { least, most }) => (most.min(active), active <= least),
        (Format::Duel { seats }, _) => (seats, active <= seats),
        // Only the blocks between the two count.
        (Format::Gauntlet { .. }, _) => (2, true),
    };
    let alone = if all_play { 0 } else { G::max_points(seats) };
    G::max_lead(seats).max(alone) * format.games_per_block()
}
