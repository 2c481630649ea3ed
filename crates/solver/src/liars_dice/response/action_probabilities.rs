//! What all hands of a player do at one history.

use crate::liars_dice::game::round::Step;

/// With which chances each hand calls or makes each bid.
#[derive(Clone, Debug)]
pub struct Decision {
    width: usize,
    /// A row for the call, and one for each bid, ascending.
    rows: Vec<f64>,
    is_used: Vec<bool>,
}

impl Decision {
    pub(crate) fn new(bids: usize, width: usize) -> Self {
        Self { width, rows: vec![0.0; (bids + 1) * width], is_used: vec![false; bids + 1] }
    }

    pub(crate) fn clear(&mut self) {
        let rows = self.rows.chunks_exact_mut(self.width).zip(&mut self.is_used);
        for (row, is_used) in rows.filter(|(_, is_used)| **is_used) {
            row.fill(0.0);
            *is_used = false;
        }
    }

    /// `hand` makes the bid of this number, ascending from 0 for one one, or calls, with this chance.
    ///
    /// # Panics
    /// If there is no such hand or bid.
    pub fn set(&mut self, hand: usize, step: Option<u8>, chance: f64) {
        let row = step.map_or(0, |step| usize::from(step) + 1);
        self.rows[row * self.width + hand] = chance;
        self.is_used[row] = true;
    }

    /// Everybody calls.
    pub(crate) fn call(&mut self) {
        self.rows[..self.width].fill(1.0);
        self.is_used[0] = true;
    }

    /// With which chance each hand makes a bid.
    pub(crate) fn row(&self, step: Step) -> &[f64] {
        &self.rows[(usize::from(step) + 1) * self.width..][..self.width]
    }

    /// What anybody does, and with which chance each hand.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (Option<Step>, &[f64])> {
        let rows = self.rows.chunks_exact(self.width).zip(&self.is_used).enumerate();
        let used = rows.filter(|(_, (_, is_used))| **is_used);
        used.map(|(number, (row, _))| (number.checked_sub(1).map(|step| step as Step), row))
    }
}
