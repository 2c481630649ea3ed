//! The games of two entrants at the same table.

use std::cmp::Ordering;

use dicehill_rules::SeatResult;

/// The games of complete samples in which two entrants sat at the same table, from the first one's perspective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Encounter {
    pub(crate) ahead: u64,
    pub(crate) level: u64,
    pub(crate) behind: u64,
    /// Sum of squares of twice the wins in a sample, where a level game is half a win.
    pub(crate) squares: u64,
    /// Games ahead, level and behind in the open sample.
    open: [u16; 3],
}

impl Encounter {
    pub(super) const fn add(&mut self, order: Ordering) {
        match order {
            Ordering::Greater => self.open[0] += 1,
            Ordering::Equal => self.open[1] += 1,
            Ordering::Less => self.open[2] += 1,
        }
    }

    pub(super) fn complete_sample(&mut self) {
        let [ahead, level, behind] = self.open.map(u64::from);
        self.ahead += ahead;
        self.level += level;
        self.behind += behind;
        self.squares += (2 * ahead + level) * (2 * ahead + level);
        self.open = [0; 3];
    }

    /// Games at the same table.
    pub(crate) const fn games(&self) -> u64 {
        self.ahead + self.level + self.behind
    }
}

/// Compares two results by points; equal points by the first figure, if that is a score.
pub(super) fn compare_results(a: &SeatResult, b: &SeatResult, scored: bool) -> Ordering {
    let score = |result: &SeatResult| if scored { result.figures[0] } else { 0 };
    a.points.cmp(&b.points).then_with(|| score(a).cmp(&score(b)))
}
