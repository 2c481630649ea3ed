//! What makes a game remarkable. [Methods](../../../docs/methods.md#remarkable-games) has the definitions.

use dicehill_rules::chance::TableDice;
use dicehill_rules::{Game, SeatResult};
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

/// A game that is over, with what its highlights follow from.
pub struct CompletedGame<'a, G: Game> {
    /// The variant of the rules.
    pub rules: G::Rules,
    /// The dice of its table.
    pub dice: &'a TableDice,
    /// All answers in order.
    pub moves: &'a [Move<G>],
    /// The result of each seat.
    pub results: &'a [SeatResult],
    /// The luck of each seat in millionths of a point; empty if the game was not appraised.
    pub luck: Vec<i64>,
}

/// Finds what is remarkable in a game.
pub type Highlighter<G> = fn(&CompletedGame<'_, G>) -> Vec<Highlight>;

/// The only winner of a game of two seats or more.
pub(super) fn sole_winner(results: &[SeatResult]) -> Option<usize> {
    let mut winners = (0..results.len()).filter(|seat| results[*seat].won);
    let winner = winners.next().filter(|_| results.len() > 1)?;
    winners.next().is_none().then_some(winner)
}
