//! The numbers of actions.

use dicehill_rules::yahtzee::{Action, Category, Keep, View};

/// The number of ways to keep some of five dice.
pub(super) const KEEPS: usize = 32;
/// The number of actions.
pub(super) const ACTIONS: usize = KEEPS + Category::ALL.len();

/// Every action by its number.
static BY_NUMBER: [Action; ACTIONS] = {
    let mut actions = [Action::Keep(Keep::NONE); ACTIONS];
    let mut number = 0;
    while number < ACTIONS {
        actions[number] = if number < KEEPS {
            Action::Keep(Keep::from_mask(number as u8))
        } else {
            Action::Fill(Category::ALL[number - KEEPS])
        };
        number += 1;
    }
    actions
};

/// The legal actions: bit `n` is the action with the number `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalActions(u64);

impl LegalActions {
    /// The legal actions of the seat to act.
    #[must_use]
    #[inline]
    pub fn of(view: &View<'_>) -> Self {
        let keeps = if view.may_keep() { (1 << KEEPS) - 1 } else { 0 };
        Self(keeps | u64::from(view.legal().bits()) << KEEPS)
    }

    /// Whether the action with this number is legal.
    #[must_use]
    #[inline]
    pub const fn contains(self, number: usize) -> bool {
        number < ACTIONS && self.0 >> number & 1 == 1
    }

    /// Writes 1 for each legal action and 0 for the others.
    #[inline]
    pub(super) fn write(self, mask: &mut [u8]) {
        let mask: &mut [u8; ACTIONS] = mask.try_into().expect("a mask has 45 bytes");
        for (number, byte) in mask.iter_mut().enumerate() {
            *byte = (self.0 >> number & 1) as u8;
        }
    }
}

/// The action with this number.
#[inline]
pub(super) fn decode(number: usize) -> Option<&'static Action> {
    BY_NUMBER.get(number)
}

/// The number of an action. Keeps that list the same dice in another order have the same number only if the order is that shown: the
/// others have none, because the dice would be shown in another order.
pub(super) fn encode(action: &Action) -> Option<usize> {
    BY_NUMBER.iter().position(|numbered| numbered == action)
}
