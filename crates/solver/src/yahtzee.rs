//! Solitaire Yahtzee: the exact expected further score of optimal play from every position.
//!
//! # Method
//!
//! A position between two turns consists of the free boxes, the upper total as far as it matters
//! for the upper bonus, and whether further Yahtzees earn a bonus ([`Position`]). Its value follows
//! from the values of the positions with one box less (Verhoeff and Scheffers 1999; Woodward 2003;
//! Glenn 2006):
//!
//! 1. The value of five dice after the last roll is the maximum over the legal boxes of their score
//!    plus the value of the next position.
//! 2. The value of keeping fewer dice is the mean over the six hands with one more die. The values
//!    of all 462 hands ([`Hand`]) thus follow from those of the 252 rolls by 1,260 additions.
//! 3. The value of the best keep from some dice is the maximum of keeping all of them and of the
//!    best keeps from the hands with one die less: as many comparisons.
//! 4. The same two steps give the values before the second roll, and their mean over all first
//!    rolls is the value of the position.
//!
//! Upper totals from 63 on are equivalent, and so are those from which 63 is out of reach; totals
//! that no dice add up to are left out. 359,616 positions remain by the official rules. Eight
//! positions that differ only in upper total and bonus are computed at a time, and threads share
//! the positions with equally many free boxes.
//!
//! Every sum has a fixed order and no operations are fused, so all machines, vector widths and
//! numbers of threads get the same bits.
//!
//! # Examples
//!
//! The cost of a decision, against the exact solution:
//!
//! ```no_run
//! use dicehill_rules::Face;
//! use dicehill_rules::yahtzee::Category;
//! use dicehill_solver::yahtzee::{Hand, Position, Solution, Variant};
//!
//! let solution = Solution::shared(Variant::Official);
//! let dice = Hand::from_dice([Face::SIX; 5]).expect("five dice");
//! let (best, value) = solution.best_fill(Position::START, dice).expect("a free box");
//! assert_eq!(best, Category::Yahtzee);
//! let sixes = solution.fill(Position::START, Category::Sixes, dice).expect("a legal box");
//! println!("filling sixes instead loses {:.2} points", value - sixes);
//! ```

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
pub use values::appraisal::{TurnAppraisal, TurnHistory};
pub use values::row_solver::SolverThreads;
pub use values::solution::Solution;
