//! Solitaire Yahtzee: the exact expected score of optimal play from every position.
//!
//! # Method
//!
//! A position between two turns is the set of free boxes, the upper total as far as it matters for the upper
//! bonus, and whether further Yahtzees earn a bonus ([`Position`]). Its value follows from those of the
//! positions with one box less (Verhoeff and Scheffers 1999; Woodward 2003; Glenn 2006):
//!
//! 1. five dice after the last roll are worth the best of what they score in a box and the value of the
//!    position that this leads to;
//! 2. a hand that is kept is worth the mean of the six hands that it becomes with one more die. So the values
//!    of all 462 hands ([`Hand`]) follow from those of the 252 rolls, by 1,260 additions;
//! 3. the best part of some dice to keep is all of them, or the best part of the dice without one of them:
//!    as many comparisons;
//! 4. the same for the roll before, and the mean over all first rolls.
//!
//! Upper totals from 63 on are one, and so are those from which 63 is out of reach; totals that no dice add up
//! to are left out. 359,616 positions remain by the official rules. The same operations are done for
//! eight positions at a time that differ in upper total and bonus alone, and positions with equally many
//! free boxes are shared among threads.
//!
//! Every sum has its order, and no operations are fused, so that every machine, whatever its vectors, and
//! any number of threads come to the same bits.

mod contest;
mod distribution;
mod game;
mod turns;
mod values;

pub use contest::{Contest, ReadContestError, Rivals};
pub use distribution::{BoxResult, Distribution};
pub use game::hand::Hand;
pub use game::position::{Position, PositionError};
pub use game::variant::Variant;
pub use turns::turn::{RollValues, Turn};
pub use values::appraisal::{PlayedTurn, TurnAppraisal};
pub use values::solution::Solution;
