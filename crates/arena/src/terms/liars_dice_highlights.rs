//! Remarkable games of Liar's Dice: comebacks, and long bluffs.

use std::cmp::Reverse;

use dicehill_rules::Game;
use dicehill_rules::liars_dice::{Action, LiarsDice};

use super::highlight::{CompletedGame, Highlight, HighlightKind, sole_winner};
use crate::Move;

/// The comeback and the longest bluff of a game.
pub(super) fn highlights_of_liars_dice(game: &CompletedGame<'_, LiarsDice>) -> Vec<Highlight> {
    let mut state = LiarsDice::new(game.rules, game.results.len(), game.dice);
    let mut comeback = Comeback::new(sole_winner(game.results));
    let mut bluffs = Bluffs::default();
    let mut round = 0;
    for one in game.moves {
        let Some(seat) = state.to_act() else { break };
        if state.round() != round {
            round = state.round();
            comeback.see(&state);
        }
        match one {
            Move::Acted(action) => {
                if state.apply(action, game.dice).is_err() {
                    return Vec::new();
                }
                bluffs.see(seat.index(), action, state.last_bid_holds());
            }
            Move::Failed(_) => {
                state.forfeit(game.dice);
                bluffs.end(None);
            }
        }
    }
    comeback.found().into_iter().chain(bluffs.found()).collect()
}

/// The largest number of dice that the winner was behind another seat when a round began.
struct Comeback {
    winner: Option<usize>,
    /// How many, and the seat that had the most dice.
    largest: Option<(u64, Reverse<usize>)>,
}

impl Comeback {
    const fn new(winner: Option<usize>) -> Self {
        Self { winner, largest: None }
    }

    /// A round has begun.
    fn see(&mut self, state: &LiarsDice) {
        let hands = || state.seats().iter().zip(state.hands());
        let dice = |seat: usize| {
            hands().find(|(of, _)| of.index() == seat).map(|(_, hand)| hand.faces().len() as u64)
        };
        let Some(own) = self.winner.and_then(dice) else { return };
        let leader = hands().map(|(seat, hand)| (hand.faces().len() as u64, Reverse(seat.index())));
        let ahead = leader.max().filter(|(most, _)| *most > own);
        self.largest = self.largest.max(ahead.map(|(most, seat)| (most - own, seat)));
    }

    fn found(self) -> Option<Highlight> {
        let (value, Reverse(leader)) = self.largest?;
        let seat = self.winner?;
        Some(Highlight { kind: HighlightKind::Comeback, seat, other: Some(leader), value })
    }
}

/// Bids in a row, in one round, that do not hold.
#[derive(Default)]
struct Bluffs {
    /// The seat of the first of them.
    seat: usize,
    bids: u64,
    longest: Option<Highlight>,
}

/// Fewer bids are no bluff that lasted.
const SHORTEST: u64 = 2;

impl Bluffs {
    /// A seat has acted; `holds` says whether the last bid of the round holds, if there is one.
    fn see(&mut self, seat: usize, action: &Action, holds: Option<bool>) {
        match (action, holds) {
            (Action::Bid(_), Some(false)) => {
                self.seat = if self.bids == 0 { seat } else { self.seat };
                self.bids += 1;
            }
            (Action::Bid(_), _) => self.end(None),
            (Action::Call, _) => self.end(Some(seat)),
        }
    }

    /// The bluff is over, and was called by this seat, if by one.
    fn end(&mut self, other: Option<usize>) {
        let Self { seat, bids, longest } = self;
        if *bids >= SHORTEST && longest.is_none_or(|longest| *bids > longest.value) {
            let kind = HighlightKind::LongestBluff;
            *longest = Some(Highlight { kind, seat: *seat, other, value: *bids });
        }
        *bids = 0;
    }

    fn found(mut self) -> Option<Highlight> {
        self.end(None);
        self.longest
    }
}
