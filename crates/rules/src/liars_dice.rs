//! Liar's Dice, as the challenge of 2015 was held.
//!
//! Everybody rolls in secret, bids rise until somebody calls the bidder a liar, and one die changes
//! hands. Ones are wild. The last player with dice wins. Source: the challenge's text; where its
//! reference controller slips, [`LiarsDiceRules`] says so.

mod action;
mod bid;
mod game;
mod odds;
mod table;

pub use action::{Action, ParseActionError};
pub use bid::{Bid, BidError};
pub use game::{LiarsDice, LiarsDiceRules, Refusal, TURN_LIMIT, View};
pub use odds::Odds;
pub use table::{Hand, Position, dice_that_count};
