//! Actions from choices that ignore the order of the dice.

use dicehill_rules::yahtzee::{Action, Category, View};
use dicehill_solver::yahtzee::Hand;

/// The action of a player that would keep `keep(stage, hand)` and, if that is the whole hand, fill `fill(hand)`.
pub(super) fn action(
    view: &View<'_>,
    keep: impl FnOnce(u8, Hand) -> Hand,
    fill: impl FnOnce(Hand) -> Option<Category>,
) -> Action {
    let shown = Hand::from_roll(&view.dice);
    let kept = if view.may_keep() { keep(view.stage, shown) } else { shown };
    if kept == shown {
        Action::Fill(fill(shown).expect("a player to act has a free box"))
    } else {
        Action::Keep(kept.keep_from(&view.dice).expect("a part of the dice is kept"))
    }
}
