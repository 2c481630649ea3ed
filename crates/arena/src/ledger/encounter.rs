//! Who was ahead of whom.

use std::cmp::Ordering;

use dicehill_rules::SeatResult;

/// The games of the complete samples that two entrants sat in together, as the first of them sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Encounter {
    pub(crate) ahead: u64,
    pub(crate) level: u64,
    pub(crate) behind: u64,
    /// The squares of twice the games won in a sample, a game in which both are level being half won.
    pub(crate) squares: u64,
    /// The games ahead, level and behind of the sample that is not complete yet.
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

    /// Games together.
    pub(crate) const fn games(&self) -> u64 {
        self.ahead + self.level + self.behind
    }
}

/// Who of two had more of a game: points, or, if the first figure is a score, the higher score among
/// equal points.
pub(super) fn compare(a: &SeatResult, b: &SeatResult, scored: bool) -> Ordering {
    let score = |result: &SeatResult| if scored { result.figures[0] } else { 0 };
    a.points.cmp(&b.points).then_with(|| score(a).cmp(&score(b)))
}
