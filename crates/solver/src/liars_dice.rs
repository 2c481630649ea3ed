//! Two-player rounds of Liar's Dice: strategies with exact guarantees.
//!
//! # Method
//!
//! A round is a two-player zero-sum game: the winner's payoff is 1, the loser's -1. The hands are
//! independent and every action is public, so one traversal of the public tree handles all hands of
//! a player at once (vector-form CFR over public states: Johanson, Waugh, Bowling and Zinkevich
//! 2011).
//!
//! Strategies are found by predictive counterfactual regret minimisation plus (Farina, Kroer and
//! Sandholm 2021) with alternating updates; iteration t has weight t³ in the average strategy. It
//! deviates from that method in four ways. None affects the certificates, which are computed from
//! the strategy that results:
//!
//! - A hand without positive regret calls instead of playing uniformly, if there is a bid to call
//!   (`match_regrets` in `kernels/rows.rs`).
//! - Play with a tiny reach probability is pruned (`MIN_REACH` in `tree.rs`).
//! - An action that no hand plays is evaluated in one of up to eight iterations only
//!   (`MAX_SKIP_PERIOD` in `cfr/traversal.rs`).
//! - With many dice, a player that the tree does not certify best-responds at final decisions
//!   instead of keeping regrets there (`MAX_DICE_WITH_REGRETS` in `tree.rs`).
//!
//! A [`Tree`] may be smaller than the game. It then certifies the strategy of one player, who
//! always calls after some number of bids or above some bid, while the opponent may do whatever the
//! rules allow. The opponent's actions that are left out are dominated: a higher bid on the same
//! face that is called with the same certainty, and bids on more dice than are on the table. The
//! best response to the certified player's strategy is therefore exact in the whole game
//! ([`CertifiedStrategy`]), and two trees, one for each player, bracket the value of the round
//! ([`Bracket`]).
//!
//! This is feasible for few dice. For rounds with up to ten dice, a [`Blueprint`] is a strategy for
//! both players in an abstraction that keeps only the last bid and the face of the bid before it;
//! [`BlueprintTrainer`] trains it. It has no certificate. An [`Exploiter`] learns a best response to it in
//! the same abstraction; its gain is a lower bound of the blueprint's exploitability.
//!
//! # Examples
//!
//! The best response to a policy, here a responder who calls every bid: the starter wins every
//! round by bidding one die of the face that it holds.
//!
//! ```
//! use dicehill_solver::liars_dice::{
//!     ActionProbabilities, Hands, History, TreeLimits, Policy, Round, Side, Tree, best_response,
//! };
//!
//! struct AlwaysCall;
//!
//! impl Policy for AlwaysCall {
//!     fn decide(&self, _: History, probabilities: &mut ActionProbabilities) {
//!         for hand in 0..Hands::new(1).count() {
//!             probabilities.set(hand, None, 1.0);
//!         }
//!     }
//! }
//!
//! let tree = Tree::new(Round::new(1, 1)?, TreeLimits::NONE);
//! let value = best_response(&tree, Side::Responder, &AlwaysCall);
//! assert!((value - 1.0).abs() < 1e-12);
//! # Ok::<(), dicehill_solver::liars_dice::RoundError>(())
//! ```

mod blueprint;
mod cfr;
mod game;
mod kernels;
mod response;
mod round_solver;
mod strategy;
mod tree;
mod value;

pub use blueprint::{Blueprint, BlueprintTrainer, Exploiter, ReadBlueprintError};
pub use cfr::learner::Learner;
pub use game::hands::Hands;
pub use game::history::{History, HistoryError};
pub use game::round::{Round, RoundError, Side};
pub use response::action_probabilities::ActionProbabilities;
pub use response::best_response::best_response;
pub use response::policy::Policy;
pub use round_solver::{CertifiedStrategy, RoundSolver, SolveRoundError};
pub use strategy::{ReadStrategyError, Strategy};
pub use tree::Tree;
pub use tree::limits::TreeLimits;
pub use value::bracket::Bracket;
pub use value::match_value::MatchValue;
