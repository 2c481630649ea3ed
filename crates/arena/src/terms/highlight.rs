//! What makes a game remarkable. [Methods](../../../docs/methods.md#remarkable-games) has the definitions.

use dicehill_rules::chance::TableDice;
use dicehill_rules::{Forfeit, Game, Seat, SeatResult};
use serde::{Deserialize, Serialize};

use crate::Move;

/// Why a game is remarkable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HighlightKind {
    /// The winner was far behind.
    Comeback,
    /// The winner had much more luck than all others.
    LuckiestWin,
    /// The winner had much less luck than another.
    UnluckiestWin,
    /// Many bids in a row did not hold.
    LongestBluff,
}

impl HighlightKind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Self; 4] =
        [Self::Comeback, Self::LuckiestWin, Self::UnluckiestWin, Self::LongestBluff];
}

/// What is remarkable in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// Why.
    pub kind: HighlightKind,
    /// The seat that it is about.
    pub seat: usize,
    /// The seat that it is compared with: the one that led, the luckiest other one, or the one that called.
    pub other: Option<usize>,
    /// How remarkable it is: points or dice behind, millionths of a point of luck, or bids. Always positive.
    pub value: u64,
}

/// Watches a game for what is remarkable in it, while it is played or replayed.
pub trait HighlightWatch<G: Game>: Send {
    /// The game begins.
    fn begin(&mut self, game: &G);

    /// A seat has answered. `game` is the state after it.
    fn see(&mut self, game: &G, seat: Seat, answer: &Move<G>);

    /// What was remarkable in the game, which is over, with the result of each seat and its luck in millionths of a point; the
    /// latter is empty if the game was not appraised.
    fn found(&mut self, results: &[SeatResult], luck: &[i64]) -> Vec<Highlight>;
}

/// Finds nothing in any game.
pub(super) struct NothingRemarkable;

impl<G: Game> HighlightWatch<G> for NothingRemarkable {
    fn begin(&mut self, _game: &G) {}

    fn see(&mut self, _game: &G, _seat: Seat, _answer: &Move<G>) {}

    fn found(&mut self, _results: &[SeatResult], _luck: &[i64]) -> Vec<Highlight> {
        Vec::new()
    }
}

/// Begins to watch a game of so many seats.
pub type Highlighter<G> = fn(usize) -> Box<dyn HighlightWatch<G>>;

/// A game that is over, with what its highlights follow from.
pub(crate) struct CompletedGame<'a, G: Game> {
    /// The variant of the rules.
    pub(crate) rules: G::Rules,
    /// The dice of its table.
    pub(crate) dice: &'a TableDice,
    /// All answers in order.
    pub(crate) moves: &'a [Move<G>],
    /// The result of each seat.
    pub(crate) results: &'a [SeatResult],
    /// The luck of each seat in millionths of a point; empty if the game was not appraised.
    pub(crate) luck: Vec<i64>,
}

impl<G: Game> CompletedGame<'_, G> {
    /// What is remarkable in the game, which is replayed for it. Nothing, if one of its answers is illegal.
    pub(crate) fn highlights(&self, highlighter: Highlighter<G>) -> Vec<Highlight> {
        let mut game = G::new(self.rules, self.results.len(), self.dice);
        let mut watch = highlighter(self.results.len());
        watch.begin(&game);
        for answer in self.moves {
            let Some(seat) = game.to_act() else { break };
            match answer {
                Move::Acted(action) => {
                    if game.apply(action, self.dice).is_err() {
                        return Vec::new();
                    }
                    watch.see(&game, seat, answer);
                }
                Move::Failed(_) => {
                    let forfeit = game.forfeit(self.dice);
                    watch.see(&game, seat, answer);
                    if forfeit == Forfeit::Void {
                        break;
                    }
                }
            }
        }
        watch.found(self.results, &self.luck)
    }
}

/// The only winner of a game of two seats or more.
pub(super) fn sole_winner(results: &[SeatResult]) -> Option<usize> {
    let mut winners = (0..results.len()).filter(|seat| results[*seat].won);
    let winner = winners.next().filter(|_| results.len() > 1)?;
    winners.next().is_none().then_some(winner)
}
