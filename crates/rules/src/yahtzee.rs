//! Yahtzee, as the challenge of 2016 was held.
//!
//! Thirteen rounds; in each a player rolls five dice up to three times and fills one box of its
//! scorecard, with the forced joker rule. Source: the challenge's text; where its reference
//! controller differs, [`YahtzeeRules`] says so.

mod action;
mod category;
mod game;
mod scorecard;

pub use action::{Action, Keep, KeepError, ParseActionError};
pub use category::{Category, CategorySet, ParseCategoryError};
pub use game::{Refusal, View, Yahtzee};
pub use scorecard::{Scorecard, YahtzeeRules};

/// Five dice in the order shown.
pub type Roll = [crate::Face; 5];
