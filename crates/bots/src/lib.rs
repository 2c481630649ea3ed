//! House bots: bots that ship with the program and run in its process.
//!
//! [`yahtzee_bots`], [`exact_yahtzee_bots`] and [`liars_dice_bots`] list them. A bot decides from its view alone, so that its decisions
//! are reproducible. Bots that randomise use the seed that the arena passes at the start of each game.
//!
//! ```
//! use dicehill_arena::{Program, Start};
//! use dicehill_bots::yahtzee_bots;
//! use dicehill_rules::yahtzee::Yahtzee;
//! use dicehill_rules::{Chance, Game, PublicInfo};
//!
//! let house = yahtzee_bots().into_iter().find(|bot| bot.name() == "aces-and-eights");
//! let mut bot = house.expect("a house bot").bot();
//! bot.start(&Start { game: 1, id: 1, players: 1, seed: 7 });
//!
//! let dice = Chance::new("a seed").table(1);
//! let mut game = Yahtzee::new(Default::default(), 1, &dice);
//! let public = PublicInfo::default();
//! while let Some(view) = game.view(&public) {
//!     let action = bot.act(&view).expect("a house bot answers");
//!     game.apply(&action, &dice).expect("a house bot plays by the rules");
//! }
//! assert!(game.scores()[0] > 50);
//! ```

mod house_bot;
mod house_identity;
mod liars_dice;
mod split_mix64;
mod yahtzee;

pub use house_bot::HouseBot;
pub use house_identity::{HouseIdentity, ParseHouseIdentityError};
pub use liars_dice::{
    DuelistTraining, EvaluatedAction, HiddenHandBelief, LastBidBelief, LiarsDiceAdvice,
    ObservedPosition, ObservedPositionError, SeerTraining, advise_liars_dice, duelist_blueprint,
    liars_dice_bots,
};
pub use yahtzee::{ContestCache, cache_contests, exact_yahtzee_bots, yahtzee_bots};
