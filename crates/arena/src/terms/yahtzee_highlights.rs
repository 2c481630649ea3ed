//! Remarkable games of Yahtzee: comebacks, and wins with much or little luck.

use std::cmp::Reverse;

use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Game, Seat, SeatResult};

use super::highlight::{Highlight, HighlightKind, HighlightWatch, sole_winner};
use crate::Move;

/// Sees how far each seat is behind.
pub(super) struct YahtzeeWatch {
    /// The largest number of points that each seat was behind another one after a complete round, and the seat that led: of
    /// several the first.
    deficits: Vec<Option<(u32, Reverse<usize>)>>,
    round: u32,
    /// Whether the game was played to its end without a fault.
    is_complete: bool,
}

impl YahtzeeWatch {
    pub(super) fn new(seats: usize) -> Self {
        Self { deficits: vec![None; seats], round: 1, is_complete: false }
    }
}

impl HighlightWatch<Yahtzee> for YahtzeeWatch {
    fn begin(&mut self, game: &Yahtzee) {
        self.round = game.round();
    }

    fn see(&mut self, game: &Yahtzee, _seat: Seat, answer: &Move<Yahtzee>) {
        if matches!(answer, Move::Failed(_)) {
            self.deficits.fill(None);
            return;
        }
        if game.round() <= self.round {
            return;
        }
        self.round = game.round();
        self.is_complete = game.has_ended();
        let most = game.scores().last().copied().unwrap_or_default();
        let leader = game.cards().iter().position(|card| card.score() == most);
        let Some(leader) = leader.map(Reverse) else { return };
        for (card, deficit) in game.cards().iter().zip(&mut self.deficits) {
            let behind = most - card.score();
            if behind > 0 {
                *deficit = (*deficit).max(Some((behind, leader)));
            }
        }
    }

    /// The comeback of the game, and what luck did in it.
    fn found(&mut self, results: &[SeatResult], luck: &[i64]) -> Vec<Highlight> {
        let Some(winner) = sole_winner(results) else { return Vec::new() };
        let deficit = self.deficits[winner].filter(|_| self.is_complete);
        let comeback = deficit.map(|(points, Reverse(leader))| {
            let (kind, value) = (HighlightKind::Comeback, points.into());
            Highlight { kind, seat: winner, other: Some(leader), value }
        });
        comeback.into_iter().chain(compared_luck(luck, winner)).collect()
    }
}

/// By how much the winner's luck exceeds that of the luckiest other seat, or falls short of it.
fn compared_luck(luck: &[i64], winner: usize) -> Option<Highlight> {
    let others = luck.iter().enumerate().filter(|(seat, _)| *seat != winner);
    let (other, most) = others.max_by_key(|(seat, luck)| (**luck, Reverse(*seat)))?;
    let lead = luck[winner].saturating_sub(*most);
    let kind = match lead {
        0 => return None,
        1.. => HighlightKind::LuckiestWin,
        ..0 => HighlightKind::UnluckiestWin,
    };
    Some(Highlight { kind, seat: winner, other: Some(other), value: lead.unsigned_abs() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luck_is_compared_with_that_of_the_luckiest_other_seat() {
        let of = |seats: &[i64], winner| {
            compared_luck(seats, winner).map(|found| (found.kind, found.other, found.value))
        };
        let (lucky, unlucky) = (HighlightKind::LuckiestWin, HighlightKind::UnluckiestWin);
        assert_eq!(of(&[30, -10, 5], 0), Some((lucky, Some(2), 25)));
        assert_eq!(of(&[-30, 7, 7], 0), Some((unlucky, Some(1), 37)), "of equal ones the first");
        assert_eq!(of(&[4, 4], 1), None);
        assert_eq!(of(&[], 0), None, "a game that was not appraised");
    }
}
