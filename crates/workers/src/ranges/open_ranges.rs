//! The ranges that were handed out and have not arrived as a whole.

use std::collections::BTreeMap;

use dicehill_arena::GameRange;

use super::open_range::OpenRange;

/// The ranges that were handed out and have not arrived as a whole, and how many of them wait for a worker.
#[derive(Default, Debug)]
pub(super) struct OpenRanges {
    /// By first game.
    ranges: BTreeMap<u64, OpenRange>,
    waiting: usize,
}

impl OpenRanges {
    pub(super) fn insert(&mut self, range: OpenRange) {
        self.waiting += usize::from(range.is_waiting);
        let replaced = self.ranges.insert(range.games.first(), range);
        self.waiting -= replaced.map_or(0, |range| usize::from(range.is_waiting));
    }

    /// Removes the range that begins with this game; returns its games.
    pub(super) fn remove(&mut self, first: u64) -> Option<GameRange> {
        let range = self.ranges.remove(&first)?;
        self.waiting -= usize::from(range.is_waiting);
        Some(range.games)
    }

    /// The first game of the range with this game.
    pub(super) fn with(&self, game: u64) -> Option<u64> {
        let (first, range) = self.ranges.range(..=game).next_back()?;
        (game <= range.games.last()).then_some(*first)
    }

    /// Looks at the range that begins with this game.
    pub(super) fn get(&self, first: u64) -> Option<&OpenRange> {
        self.ranges.get(&first)
    }

    /// Changes the range that begins with this game.
    pub(super) fn change<R>(
        &mut self,
        first: u64,
        change: impl FnOnce(&mut OpenRange) -> R,
    ) -> Option<R> {
        let range = self.ranges.get_mut(&first)?;
        let before = usize::from(range.is_waiting);
        let done = change(range);
        self.waiting = self.waiting - before + usize::from(range.is_waiting);
        Some(done)
    }

    /// Changes all ranges.
    pub(super) fn change_all(&mut self, mut change: impl FnMut(&mut OpenRange)) {
        self.ranges.values_mut().for_each(&mut change);
        self.waiting = self.ranges.values().filter(|range| range.is_waiting).count();
    }

    /// All of them, by first game.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &OpenRange)> {
        self.ranges.iter().map(|(first, range)| (*first, range))
    }

    /// How many of them no worker has taken since they were handed out last.
    pub(super) const fn waiting(&self) -> usize {
        self.waiting
    }
}
