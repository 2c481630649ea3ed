//! The action probabilities of all hands at one history.

use crate::liars_dice::game::round::BidIndex;

/// The probabilities with which each hand of a player calls or makes each bid.
#[derive(Clone, Debug)]
pub struct ActionProbabilities {
    width: usize,
    /// The row of the call, then one for each bid in ascending order.
    rows: Vec<f64>,
    is_used: Vec<bool>,
}

impl ActionProbabilities {
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

    /// Sets the probability of an action for `hand`: the bid with the index `bid`, from 0 for a bid
    /// of one one, or the call.
    ///
    /// # Panics
    /// If there is no such hand or bid.
    pub fn set(&mut self, hand: usize, bid: Option<u8>, chance: f64) {
        let row = bid.map_or(0, |bid| usize::from(bid) + 1);
        self.rows[row * self.width + hand] = chance;
        self.is_used[row] = true;
    }

    /// Sets every hand to call.
    pub(crate) fn call(&mut self) {
        self.rows[..self.width].fill(1.0);
        self.is_used[0] = true;
    }

    /// By hand: the probability of a bid.
    pub(crate) fn row(&self, bid: BidIndex) -> &[f64] {
        &self.rows[(usize::from(bid) + 1) * self.width..][..self.width]
    }

    /// The actions with a positive probability, `None` for the call, each with the probability by
    /// hand.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (Option<BidIndex>, &[f64])> {
        let rows = self.rows.chunks_exact(self.width).zip(&self.is_used).enumerate();
        let used = rows.filter(|(_, (_, is_used))| **is_used);
        used.map(|(number, (row, _))| (number.checked_sub(1).map(|bid| bid as BidIndex), row))
    }
}
