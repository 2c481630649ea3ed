//! Remarkable games of Yahtzee: comebacks, and wins with and without luck.

use dicehill_rules::Game;
use dicehill_rules::yahtzee::Yahtzee;

use super::highlight::{CompletedGame, Highlight, HighlightKind, sole_winner};
use crate::Move;

/// The comeback of a game, and what luck did in it.
pub(super) fn highlights_of_yahtzee(game: &CompletedGame<'_, Yahtzee>) -> Vec<Highlight> {
    let Some(winner) = sole_winner(game.results) else { return Vec::new() };
    comeback(game, winner).into_iter().chain(luck(&game.luck, winner)).collect()
}

/// The largest number of points that the winner was behind another seat after a complete round. `None` if it never was, or
/// the game is void.
fn comeback(game: &CompletedGame<'_, Yahtzee>, winner: usize) -> Option<Highlight> {
    let mut state = Yahtzee::new(game.rules, game.results.len(), game.dice);
    let (mut round, mut largest) = (state.round(), None);
    for one in game.moves {
        let Move::Acted(action) = one else { return None };
        state.apply(action, game.dice).ok()?;
        if state.round() > round {
            round = state.round();
            largest = largest.max(deficit(&state, winner));
        }
    }
    let (value, std::cmp::Reverse(leader)) = largest.filter(|_| state.has_ended())?;
    Some(Highlight { kind: HighlightKind::Comeback, seat: winner, other: Some(leader), value })
}

/// How many points the winner is behind the leader, and the leader: of several the first.
fn deficit(state: &Yahtzee, winner: usize) -> Option<(u64, std::cmp::Reverse<usize>)> {
    let own = state.cards()[winner].score();
    let most = *state.scores().last()?;
    if most <= own {
        return None;
    }
    let leader = state.cards().iter().position(|card| card.score() == most)?;
    Some((u64::from(most - own), std::cmp::Reverse(leader)))
}

/// By how much the winner's luck exceeds that of the luckiest other seat, or falls short of it.
fn luck(luck: &[i64], winner: usize) -> Option<Highlight> {
    let others = luck.iter().enumerate().filter(|(seat, _)| *seat != winner);
    let (other, most) = others.max_by_key(|(seat, luck)| (**luck, std::cmp::Reverse(*seat)))?;
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
            luck(seats, winner).map(|found| (found.kind, found.other, found.value))
        };
        let (lucky, unlucky) = (HighlightKind::LuckiestWin, HighlightKind::UnluckiestWin);
        assert_eq!(of(&[30, -10, 5], 0), Some((lucky, Some(2), 25)));
        assert_eq!(of(&[-30, 7, 7], 0), Some((unlucky, Some(1), 37)), "of equal ones the first");
        assert_eq!(of(&[4, 4], 1), None);
        assert_eq!(of(&[], 0), None, "a game that was not appraised");
    }
}
