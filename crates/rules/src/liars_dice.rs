//! Liar's Dice by the rules of the challenge of 2015.
//!
//! All players roll in secret. They bid in turn, each bid higher than the last, until a player calls the last bidder a liar; then one die
//! moves from the loser to the winner. Ones are wild. The last player with dice wins. Source: the text of the challenge;
//! [`LiarsDiceRules`] lists where its controller deviates.
//!
//! ```
//! use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};
//! use dicehill_rules::{Dice, Face, Game, PublicInfo, Seat};
//!
//! /// Every die shows a six.
//! struct Sixes;
//!
//! impl Dice for Sixes {
//!     fn roll(&self, _seat: Seat, _round: u32, _roll: u8, faces: &mut [Face]) {
//!         faces.fill(Face::SIX);
//!     }
//! }
//!
//! let mut game = LiarsDice::new(LiarsDiceRules::Official, 2, &Sixes);
//! // Seat 0 bids eleven sixes, but there are ten dice: seat 1 is right to call and wins a die.
//! for action in ["11 6", "Liar!"] {
//!     game.apply(&action.parse().expect("an action"), &Sixes)?;
//! }
//! let public = PublicInfo::default();
//! let view = game.view(&public).expect("the game continues");
//! assert_eq!((game.round(), view.counts), (2, [4, 6].as_slice()));
//! # Ok::<(), dicehill_rules::liars_dice::Refusal>(())
//! ```

mod action;
mod bid;
mod game;
mod notation;
mod odds;
mod table;

pub use action::{Action, ParseActionError};
pub use bid::{Bid, BidError};
pub use game::{LiarsDice, LiarsDiceRules, Refusal, TURN_LIMIT, View};
pub use notation::dice_in_words;
pub use odds::Odds;
pub use table::{Hand, Position, dice_that_count};
