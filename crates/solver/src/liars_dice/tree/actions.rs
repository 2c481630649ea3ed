//! The legal actions of a public state.

use crate::liars_dice::game::round::Step;

/// A bid that may be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Choice {
    pub(crate) step: Step,
    /// Whether it is surely called.
    pub(crate) is_called: bool,
}

/// What may be done at a place: a call, unless nothing has been bid, and then these bids.
#[derive(Clone, Default, Debug)]
pub(crate) struct Choices {
    pub(crate) may_call: bool,
    pub(crate) bids: Vec<Choice>,
    /// Whether the round is over with what is done here, by somebody who is not certified: it does what is best, and regrets nothing.
    pub(crate) is_closing: bool,
}

impl Choices {
    pub(crate) fn count(&self) -> usize {
        usize::from(self.may_call) + self.bids.len()
    }
}
