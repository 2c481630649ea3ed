//! Yahtzee by the rules of the challenge of 2016.
//!
//! In each of thirteen rounds a player rolls five dice up to three times and fills one box of its scorecard. The forced joker rule applies.
//! Source: the text of the challenge; [`YahtzeeRules`] lists where its controller deviates.
//!
//! ```
//! use dicehill_rules::yahtzee::{Action, Category, Keep, Yahtzee, YahtzeeRules};
//! use dicehill_rules::{Chance, Game};
//!
//! let dice = Chance::new("my seed").table(1);
//! let mut game = Yahtzee::new(YahtzeeRules::Official, 1, &dice);
//! // Keep the sixes and roll the others, twice; then fill the box.
//! for _ in 0..2 {
//!     let sixes = Keep::filter(game.dice(), |face| face.pips() == 6);
//!     game.apply(&Action::Keep(sixes), &dice)?;
//! }
//! let score = Category::Sixes.score(game.dice());
//! game.apply(&Action::Fill(Category::Sixes), &dice)?;
//! assert_eq!(game.cards()[0].filled(Category::Sixes), Some(score));
//! # Ok::<(), dicehill_rules::yahtzee::Refusal>(())
//! ```

mod action;
mod category;
mod game;
mod scorecard;

pub use action::{Action, Keep, KeepError, ParseActionError};
pub use category::{Category, CategorySet, ParseCategoryError};
pub use game::{Refusal, View, Yahtzee};
pub use scorecard::{Scorecard, YahtzeeRules};

/// Five dice, in the order shown.
pub type Roll = [crate::Face; 5];
