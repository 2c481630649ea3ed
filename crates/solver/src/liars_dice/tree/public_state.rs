//! What all players know that matters for what follows.

use crate::liars_dice::game::round::{Side, Step};

/// What is done next: the last bid and how many were made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    pub(crate) bids: usize,
    pub(crate) last: Option<Step>,
}

impl Place {
    pub(crate) const ROOT: Self = Self { bids: 0, last: None };

    pub(crate) const fn after(self, step: Step) -> Self {
        Self { bids: self.bids + 1, last: Some(step) }
    }

    pub(crate) const fn actor(self) -> Side {
        Side::after(self.bids)
    }

    pub(crate) fn row(self) -> usize {
        self.last.map_or(0, |step| usize::from(step) + 1)
    }
}
