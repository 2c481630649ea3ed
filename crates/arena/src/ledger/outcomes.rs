//! How often each course of a sample has come about.

use std::collections::{BTreeMap, HashMap};

use dicehill_rules::SeatResult;

use crate::EntrantId;

/// Different courses that a stratum keeps. Where there are more it keeps none.
const MOST_COURSES: usize = 1 << 20;
/// A game with more winners is one without a winner: no model of ties covers it.
const MOST_WINNERS: usize = crate::statistics::MOST_WINNERS;

/// What came of a sample, whatever the order of its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Course {
    /// How many samples went so.
    pub(crate) count: u64,
    /// Who sat at the table, ascending.
    pub(crate) seats: Vec<usize>,
    /// For each winner of each game how many won it, and who; ascending. Nobody, if nobody won.
    pub(crate) winners: Vec<(usize, usize)>,
}

/// The courses of the samples of one stratum.
///
/// A course is written as the number who sit, who they are, and for each game the number of winners
/// and who they are, all by place among the members. The number who sit is 0 if all of them do.
pub(super) struct Outcomes {
    open: Vec<u16>,
    counts: Option<HashMap<Box<[u16]>, u64>>,
}

impl Outcomes {
    pub(super) fn new() -> Self {
        Self { open: Vec::new(), counts: Some(HashMap::new()) }
    }

    /// Adds a game of the sample that is not complete yet: who sat there, by place among so many
    /// members.
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
        } else if counts.len() < MOST_COURSES {
            counts.insert(self.open.as_slice().into(), 1);
        } else {
            self.counts = None;
        }
    }

    /// Each course once, in an order that depends on nothing but the courses; `None` if there were too
    /// many.
    pub(super) fn courses(&self, members: &[EntrantId]) -> Option<Vec<Course>> {
        let mut merged: BTreeMap<_, u64> = BTreeMap::new();
        for (written, count) in self.counts.as_ref()? {
            *merged.entry(read(written, members)).or_default() += count;
        }
        let course = |((seats, winners), count)| Course { count, seats, winners };
        Some(merged.into_iter().map(course).collect())
    }
}

/// Seats and winners of a course as it is written.
fn read(written: &[u16], members: &[EntrantId]) -> (Vec<usize>, Vec<(usize, usize)>) {
    let member = |place: &u16| members[usize::from(*place)].index();
    let (seated, mut rest) = part(written);
    let seats = match seated {
        [] => members.iter().map(|id| id.index()).collect(),
        some => some.iter().map(member).collect(),
    };
    let mut winners = Vec::new();
    while !rest.is_empty() {
        let (of_game, after) = part(rest);
        if of_game.len() <= MOST_WINNERS {
            winners.extend(of_game.iter().map(|winner| (of_game.len(), member(winner))));
        }
        rest = after;
    }
    winners.sort_unstable();
    (seats, winners)
}

/// What stands behind a number: so many places, and the rest.
fn part(written: &[u16]) -> (&[u16], &[u16]) {
    written[1..].split_at(usize::from(written[0]))
}
