//! The size of a subtree.

/// The size of the subtree at a public state, including the state.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct SubtreeSize {
    /// By side: the number of actions, over all its decisions.
    pub(crate) action_rows: [usize; 2],
    /// By side: the number of final decisions.
    pub(crate) final_decisions: [usize; 2],
    /// By side: the number of histories at which it acts.
    pub(crate) histories: [usize; 2],
    /// The number of subgames.
    pub(crate) subgames: usize,
}

impl SubtreeSize {
    pub(crate) fn add(&mut self, other: Self) {
        for side in 0..2 {
            self.action_rows[side] = self.action_rows[side].saturating_add(other.action_rows[side]);
            self.final_decisions[side] =
                self.final_decisions[side].saturating_add(other.final_decisions[side]);
            self.histories[side] = self.histories[side].saturating_add(other.histories[side]);
        }
        self.subgames = self.subgames.saturating_add(other.subgames);
    }
}
