//! How often each outcome of a sample occurred.

use std::collections::{BTreeMap, HashMap};

use dicehill_rules::SeatResult;

use crate::EntrantId;
use crate::statistics::{MAX_TIE_SIZE, SampleOutcome};

/// The most distinct outcomes that a stratum counts. Beyond that it counts none.
const MAX_OUTCOMES: usize = 1 << 20;

/// The outcomes of the samples of one stratum.
///
/// An outcome is encoded as the number of entrants at the table, their member indices, and for each game the number of
/// winners and their member indices. The number of entrants is 0 if all members play.
pub(super) struct OutcomeCounts {
    open: Vec<u16>,
    counts: Option<HashMap<Box<[u16]>, u64>>,
}

impl OutcomeCounts {
    pub(super) fn new() -> Self {
        Self { open: Vec::new(), counts: Some(HashMap::new()) }
    }

    /// Adds a game to the open sample. `places` are the member indices at the table, of `members` members.
    pub(super) fn add_game(&mut self, places: &[usize], members: usize, results: &[SeatResult]) {
        if self.open.is_empty() {
            self.begin(places, members);
        }
        let count = self.open.len();
        self.open.push(0);
        let winners = places.iter().zip(results).filter(|(_, result)| result.won);
        self.open.extend(winners.map(|(place, _)| *place as u16));
        self.open[count] = (self.open.len() - count - 1) as u16;
    }

    fn begin(&mut self, places: &[usize], members: usize) {
        if places.len() == members {
            self.open.push(0);
        } else {
            self.open.push(places.len() as u16);
            self.open.extend(places.iter().map(|place| *place as u16));
            self.open[1..].sort_unstable();
        }
    }

    pub(super) fn complete_sample(&mut self) {
        self.count_open();
        self.open.clear();
    }

    fn count_open(&mut self) {
        let Some(counts) = &mut self.counts else { return };
        if let Some(count) = counts.get_mut(self.open.as_slice()) {
            *count += 1;
        } else if counts.len() < MAX_OUTCOMES {
            counts.insert(self.open.as_slice().into(), 1);
        } else {
            self.counts = None;
        }
    }

    /// Each outcome once, in an order that depends only on the outcomes; `None` if there were too many.
    pub(super) fn sample_outcomes(&self, members: &[EntrantId]) -> Option<Vec<SampleOutcome>> {
        let mut merged: BTreeMap<_, u64> = BTreeMap::new();
        for (encoded, count) in self.counts.as_ref()? {
            *merged.entry(decode(encoded, members)).or_default() += count;
        }
        let outcome = |((seats, winners), count)| SampleOutcome { count, seats, winners };
        Some(merged.into_iter().map(outcome).collect())
    }
}

/// Decodes seats and winners.
fn decode(encoded: &[u16], members: &[EntrantId]) -> (Vec<usize>, Vec<(usize, usize)>) {
    let member = |place: &u16| members[usize::from(*place)].index();
    let (seated, mut rest) = split_prefixed(encoded);
    let seats = match seated {
        [] => members.iter().map(|id| id.index()).collect(),
        some => some.iter().map(member).collect(),
    };
    let mut winners = Vec::new();
    while !rest.is_empty() {
        let (of_game, after) = split_prefixed(rest);
        // A larger tie counts as a game without a winner.
        if of_game.len() <= MAX_TIE_SIZE {
            winners.extend(of_game.iter().map(|winner| (of_game.len(), member(winner))));
        }
        rest = after;
    }
    winners.sort_unstable();
    (seats, winners)
}

/// Splits a length-prefixed list from the rest.
fn split_prefixed(encoded: &[u16]) -> (&[u16], &[u16]) {
    encoded[1..].split_at(usize::from(encoded[0]))
}
