//! The numbers of actions.

use std::array;
use std::sync::LazyLock;

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid, View};

/// The most dice on a table.
pub(super) const MAX_DICE: usize = 25;
/// The number of bids.
pub(super) const BIDS: usize = 6 * MAX_DICE;
/// The number of the call.
const CALL: usize = BIDS;
/// The number of actions.
pub(super) const ACTIONS: usize = BIDS + 1;

/// The legal actions: the bids from `first` up to and without `end`, and the call if there is a bid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalActions {
    first: u8,
    end: u8,
    call: bool,
}

/// A mask of the bids from `n` on begins at `BIDS - n`.
static FROM: [u8; 2 * BIDS] = {
    let mut bytes = [0; 2 * BIDS];
    let mut index = BIDS;
    while index < bytes.len() {
        bytes[index] = 1;
        index += 1;
    }
    bytes
};

impl LegalActions {
    /// The legal actions of the seat to act.
    #[must_use]
    #[inline]
    pub fn of(view: &View<'_>) -> Self {
        let last = view.last_bid();
        let first = last.map_or(0, |bid| number_of(bid) + 1).min(BIDS as u32);
        let end = 6 * view.dice_in_play();
        Self { first: first as u8, end: end as u8, call: last.is_some() }
    }

    /// Whether the action with this number is legal.
    #[must_use]
    #[inline]
    pub const fn contains(self, number: usize) -> bool {
        if number == CALL {
            self.call
        } else {
            self.first as usize <= number && number < self.end as usize
        }
    }

    /// Writes 1 for each legal action and 0 for the others.
    #[inline]
    pub(super) fn write(self, mask: &mut [u8]) {
        let mask: &mut [u8; ACTIONS] = mask.try_into().expect("a mask has 151 bytes");
        let (first, end) = (usize::from(self.first), usize::from(self.end));
        mask[..BIDS].copy_from_slice(&FROM[BIDS - first..][..BIDS]);
        if end < BIDS {
            mask[end..BIDS].fill(0);
        }
        mask[CALL] = u8::from(self.call);
    }
}

/// The number of a bid, also if it is above the largest that is an action.
#[inline]
pub(super) const fn number_of(bid: Bid) -> u32 {
    bid.value() - 7
}

/// Every action by its number.
static BY_NUMBER: LazyLock<[Action; ACTIONS]> = LazyLock::new(|| {
    array::from_fn(|number| {
        let (count, face) = (number as u32 / 6 + 1, Face::ALL[number % 6]);
        if number == CALL {
            return Action::Call;
        }
        Action::Bid(Bid::new(count, face).expect("a count of 1 to 25"))
    })
});

/// The action with this number.
#[inline]
pub(super) fn decode(number: usize) -> Option<&'static Action> {
    BY_NUMBER.get(number)
}

/// The number of an action; `None` for a bid of more than 25 dice.
pub(super) fn encode(action: &Action) -> Option<usize> {
    match action {
        Action::Call => Some(CALL),
        Action::Bid(bid) => Some(number_of(*bid) as usize).filter(|number| *number < BIDS),
    }
}
