//! Which part of a round is searched.

use crate::liars_dice::game::round::Side;

/// Which part of a round is looked at.
///
/// Whoever is certified calls after `most_bids` bids, and calls every bid of `call_from` dice or more; the
/// other may do anything. With nobody certified the limits bind both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// Whose strategy is to be certified; `None` if both are, which is exact without limits alone.
    pub certified: Option<Side>,
    /// The certified player calls after so many bids.
    pub most_bids: usize,
    /// The certified player calls a bid of so many dice.
    pub call_from: u8,
    /// The bids that the certified player may make: bit `n` for the n-th lowest.
    pub own_bids: u64,
}

impl Limits {
    /// No limits: both players are certified.
    pub const NONE: Self =
        Self { certified: None, most_bids: usize::MAX, call_from: u8::MAX, own_bids: u64::MAX };

    /// `side` calls after `most_bids` bids.
    #[must_use]
    pub const fn bids(side: Side, most_bids: usize) -> Self {
        Self { certified: Some(side), most_bids, ..Self::NONE }
    }
}
