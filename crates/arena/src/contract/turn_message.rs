//! The requests for an action, as external bots get them and reports show them.

mod liars_dice;
mod yahtzee;

use serde::Serialize;

pub use liars_dice::{BidTexts, LiarsDiceTurn, Pips};
pub use yahtzee::YahtzeeTurn;

/// The message as reports show it.
pub(crate) fn request_text(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("messages have only string keys")
}
