//! All that can be done in a position, by what it is worth.

use std::collections::BTreeSet;

use dicehill_solver::yahtzee::{Hand, Position, Solution};

use super::Choice;

/// Something that can be done, and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advised {
    /// What.
    pub choice: Choice,
    /// The points still to be expected.
    pub value: f64,
    /// How much less that is than the best is worth.
    pub loss: f64,
}

/// Everything that can be done with five dice at a stage, 0 to 2, best first: boxes in the order of the card, then
/// keeps, among those that are worth the same.
///
/// Nothing can be done with fewer than five dice, or with a full card.
#[must_use]
pub fn advise(solution: &Solution, position: Position, stage: u8, dice: Hand) -> Vec<Advised> {
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
        choices.extend(parts(dice).into_iter().map(keep));
    }
    choices.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let best = choices.first().map_or(0.0, |(_, value)| *value);
    let advised = |(choice, value)| Advised { choice, value, loss: best - value };
    choices.into_iter().map(advised).collect()
}

/// All parts of a hand, itself and nothing among them.
fn parts(hand: Hand) -> BTreeSet<Hand> {
    let mut parts = BTreeSet::from([hand]);
    let mut waiting = vec![hand];
    while let Some(part) = waiting.pop() {
        waiting.extend(part.smaller().filter(|smaller| parts.insert(*smaller)));
    }
    parts
}
