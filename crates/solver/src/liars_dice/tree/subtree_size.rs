//! How much of the tree is below a public state.

/// What there is below a place, the place included.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Extent {
    /// Decisions of each side times their choices.
    pub(crate) rows: [usize; 2],
    /// Closing decisions of each side.
    pub(crate) answers: [usize; 2],
    /// Histories at which somebody has a choice.
    pub(crate) places: [usize; 2],
    /// Parts of the tree that are kept by themselves.
    pub(crate) blocks: usize,
}

impl Extent {
    pub(crate) fn add(&mut self, other: Self) {
        for side in 0..2 {
            self.rows[side] = self.rows[side].saturating_add(other.rows[side]);
            self.answers[side] = self.answers[side].saturating_add(other.answers[side]);
            self.places[side] = self.places[side].saturating_add(other.places[side]);
        }
        self.blocks = self.blocks.saturating_add(other.blocks);
    }
}
