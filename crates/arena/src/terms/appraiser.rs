//! Splits the scores of a game into the cost of decisions and luck.

use dicehill_rules::Game;
use dicehill_rules::chance::TableDice;

use crate::{Appraisal, Move};

/// Splits the scores of a game into the cost of decisions and luck. Many threads ask at once.
///
/// The score is the game's first figure. The result is a function of the arguments, with the same bits on every
/// machine.
pub trait Appraiser<G: Game>: Send + Sync {
    /// The expected score of optimal play, before the first roll.
    fn start(&self) -> f64;

    /// The appraisal of each of `seats` seats in a finished game with these moves and dice. No move is a failure that
    /// made the game void.
    fn appraise(
        &self,
        rules: G::Rules,
        dice: &TableDice,
        seats: usize,
        moves: &[Move<G>],
    ) -> Vec<Appraisal>;
}
