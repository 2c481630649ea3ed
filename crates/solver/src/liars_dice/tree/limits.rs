//! Limits that make a public tree smaller.

use crate::liars_dice::game::round::Side;

/// Limits of a public tree.
///
/// The certified player always calls after `max_bids` bids, and calls every bid of `call_from`
/// dice or more; the other player may do anything. If `certified` is `None`, the limits bind both
/// players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TreeLimits {
    /// The player whose strategy is certified. `None` certifies both, which is exact only without
    /// limits.
    pub certified: Option<Side>,
    /// The certified player calls after this many bids.
    pub max_bids: usize,
    /// The certified player calls bids of this many dice or more.
    pub call_from: u8,
    /// The bids that the certified player may make: bit `n` for the bid with index `n`.
    pub own_bids: u64,
}

impl TreeLimits {
    /// No limits: both players are certified.
    pub const NONE: Self =
        Self { certified: None, max_bids: usize::MAX, call_from: u8::MAX, own_bids: u64::MAX };

    /// `side` always calls after `max_bids` bids.
    #[must_use]
    pub const fn with_max_bids(side: Side, max_bids: usize) -> Self {
        Self { certified: Some(side), max_bids, ..Self::NONE }
    }
}
