//! Which hands a player may hold.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::Bid;
use dicehill_solver::liars_dice::Hands;

/// No hand is ruled out: what is never done by the solution may still have been drawn.
const LEAST: f32 = 1e-3;
/// What a bid tells if the other does not play by the solution, beside a certain action by it: a share, and by how much each die that
/// counts for the bid makes the hand likelier.
const DOUBT: f64 = 0.05;
const HELD: f64 = 1.5;

/// A weight for each hand; they sum to 1.
#[derive(Clone)]
pub(super) struct Range {
    dice: u8,
    weights: Vec<f64>,
}

impl Range {
    /// Nothing is known but the number of dice, 1 to 9.
    pub(super) fn new(dice: u8) -> Self {
        Self { dice, weights: Hands::of(dice).chances().to_vec() }
    }

    pub(super) const fn dice(&self) -> u8 {
        self.dice
    }

    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Something was done that each hand does with these chances.
    pub(super) fn follow(&mut self, chances: &[f32]) {
        let weights = self.weights.iter_mut().zip(chances);
        weights.for_each(|(weight, chance)| *weight *= f64::from(chance.max(LEAST)));
        self.normalise();
    }

    /// Somebody bid who may play by the solution, in which the hands do that with these chances, or otherwise.
    pub(super) fn learn(&mut self, hands: &Hands, chances: Option<&[f32]>, bid: Bid) {
        let held = |hand: usize| {
            let faces = hands.faces(hand);
            let wild = if bid.face() == Face::ONE { 0 } else { faces[0] };
            (0..faces[bid.face().index()] + wild).fold(1.0, |held, _| held * HELD)
        };
        let fair: f64 =
            self.weights.iter().enumerate().map(|(hand, weight)| weight * held(hand)).sum();
        for (hand, weight) in self.weights.iter_mut().enumerate() {
            let by_solution = chances.map_or(0.0, |chances| f64::from(chances[hand]));
            *weight *= by_solution + DOUBT * held(hand) / fair;
        }
        self.normalise();
    }

    fn normalise(&mut self) {
        let sum: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight /= sum);
    }
}
