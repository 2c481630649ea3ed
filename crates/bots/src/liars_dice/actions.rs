//! Actions as the bots return them, and the faces that they bid on.

use dicehill_arena::Failure;
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid};

/// The faces that are not wild, ascending.
pub(super) fn non_wild_faces() -> impl DoubleEndedIterator<Item = Face> + Clone {
    Face::ALL.into_iter().skip(1)
}

/// A bid of `count` dice of `face`.
///
/// # Panics
/// If `count` is not 1 to [`Bid::MAX_COUNT`]: bots bid little more than the dice on the table.
pub(super) fn bid(count: u32, face: Face) -> Result<Action, Failure> {
    Ok(Action::Bid(Bid::new(count, face).expect("a count that a table can hold")))
}

/// The call.
pub(super) const fn call() -> Result<Action, Failure> {
    Ok(Action::Call)
}
