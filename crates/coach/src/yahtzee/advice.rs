//! All choices in a position, ranked by value.

use std::collections::BTreeSet;

use dicehill_solver::yahtzee::{Hand, Position, Solution};

use super::Choice;

/// A choice and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedChoice {
    /// The choice.
    pub choice: Choice,
    /// The expected further points.
    pub value: f64,
    /// Points by which the best choice is worth more.
    pub loss: f64,
}

/// All choices with five dice at a stage, 0 to 2, the best first. Among equals, boxes in the order
/// of the scorecard come first, then keeps.
///
/// The result is empty with fewer than five dice or a full scorecard.
#[must_use]
pub fn advise(solution: &Solution, position: Position, stage: u8, dice: Hand) -> Vec<RankedChoice> {
    if dice.roll_index().is_none() || position.free().is_empty() {
        return Vec::new();
    }
    let legal = position.legal(solution.variant(), dice);
    let fill = |category| {
        let value = solution.fill(position, category, dice)?;
        Some((Choice::Fill(category), value))
    };
    let mut choices: Vec<_> = legal.iter().filter_map(fill).collect();
    if stage < 2 {
        let turn = solution.turn(position);
        let keep = |kept| (Choice::Keep(kept), turn.keep(stage, kept));
        choices.extend(sub_hands(dice).into_iter().map(keep));
    }
    choices.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let best = choices.first().map_or(0.0, |(_, value)| *value);
    let advised = |(choice, value)| RankedChoice { choice, value, loss: best - value };
    choices.into_iter().map(advised).collect()
}

/// All sub-hands of a hand, including itself and the empty hand.
fn sub_hands(hand: Hand) -> BTreeSet<Hand> {
    let mut sub_hands = BTreeSet::from([hand]);
    let mut pending = vec![hand];
    while let Some(sub_hand) = pending.pop() {
        pending.extend(sub_hand.without_one_die().filter(|smaller| sub_hands.insert(*smaller)));
    }
    sub_hands
}
