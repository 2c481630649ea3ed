//! A game at a table that is over.

use dicehill_arena::{Move, Replay};
use dicehill_rules::{Chance, Dice, Game, Seat};

/// A game that is over.
#[derive(Clone, Debug)]
pub(crate) struct FinishedGame<G: Game, D> {
    pub(crate) rules: G::Rules,
    pub(crate) dice: D,
    /// The players' names by seat.
    pub(crate) names: Vec<String>,
    pub(crate) moves: Vec<Move<G>>,
    /// By move, whether a bot made it for a person.
    pub(crate) substituted: Vec<bool>,
    /// The final state.
    pub(crate) end: G,
    /// Whether a player's fault ended the game, so that it has no winner.
    pub(crate) void: bool,
}

impl<G: Game, D: Dice> FinishedGame<G, D> {
    /// The number of seats.
    pub(crate) const fn seats(&self) -> usize {
        self.names.len()
    }

    /// The game at its first action.
    fn first(&self) -> G {
        G::new(self.rules, self.seats(), &self.dice)
    }

    /// The game as a record, under its seed.
    pub(crate) fn replay(&self, seed: &str) -> Replay<G> {
        Replay {
            game: 1,
            table: 1,
            chance: Chance::new(seed),
            seed: None,
            names: self.names.clone(),
            moves: self.moves.clone(),
            results: Seat::all(self.seats()).map(|seat| self.end.result(seat)).collect(),
            appraisals: Vec::new(),
        }
    }

    /// Replays the moves, and calls `visit` for each with the position before it and the seat that moves.
    pub(crate) fn walk(&self, mut visit: impl FnMut(&G, Seat, &Move<G>)) {
        let mut game = self.first();
        for one in &self.moves {
            let Some(seat) = game.to_act() else { return };
            visit(&game, seat, one);
            let is_applied = match one {
                Move::Acted(action) => game.apply(action, &self.dice).is_ok(),
                Move::Failed(_) => {
                    game.forfeit(&self.dice);
                    true
                }
            };
            if !is_applied {
                return;
            }
        }
    }
}
