//! Rounds of Liar's Dice between two players: strategies with exact certificates.
//!
//! # Method
//!
//! A round is a zero-sum game of two: the payoff is 1 for who wins the round and -1 for the other. Both hands are
//! independent, and all that is done is public, so that one walk over the histories of bids treats all hands of a player at
//! once (public chance and vector form: Johanson, Waugh, Bowling and Zinkevich 2011).
//!
//! Strategies are found by predictive counterfactual regret minimisation plus (Farina, Kroer and Sandholm
//! 2021) with alternating updates and cubic weights of the average. Deviations: who has no regrets
//! calls, and play that happens with a chance below 1e-9 is left out; neither touches the certificates.
//!
//! A [`Tree`] may be smaller than the game. It then certifies one player, who binds itself to call after
//! some number of bids, or once a bid is high, while the other may do whatever the rules allow. What is left out for the other is
//! no better than what is left: a higher bid on the same face that is called just as surely, and bids of more dice than there are. So the
//! best answer to the certified player's strategy is exact in the whole game ([`Certified`]), and two trees,
//! one for each player, bracket the value of the round ([`Bracket`]).
//!
//! That reaches few dice. For the rounds of ten a [`Blueprint`] is a strategy for both players, who remember only the last bid and the face of the bid
//! before it; a [`Rehearsal`] learns it. It has no certificate. An [`Exploiter`] knows it and learns to beat it: what it gains is a lower bound of
//! the blueprint's exploitability.

mod blueprint;
mod cfr;
mod game;
mod kernels;
mod response;
mod round_solver;
mod strategy;
mod tree;
mod value;

pub use blueprint::{Blueprint, Exploiter, ReadBlueprintError, Rehearsal};
pub use cfr::learner::Learner;
pub use game::hands::Hands;
pub use game::history::{History, HistoryError};
pub use game::round::{Round, RoundError, Side};
pub use response::action_probabilities::Decision;
pub use response::best_response::best_response;
pub use response::policy::Policy;
pub use round_solver::{Certified, RoundSolver, SolveRoundError};
pub use strategy::{ReadStrategyError, Strategy};
pub use tree::Tree;
pub use tree::limits::Limits;
pub use value::bracket::Bracket;
pub use value::match_value::MatchValue;
