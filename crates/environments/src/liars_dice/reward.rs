//! Rewards.

use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::{Game, Seat};

use crate::environment_game::Due;

/// What is paid for, at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiarsDiceReward {
    /// The points of the challenge: 1 for each turn, 10 for each die gained, 1000 for winning. The default.
    Points,
    /// 1 for the winner, 0 for the others. If the turn limit ends the game, no player wins.
    Win,
}

/// Pays what is due by seat.
#[inline]
pub(super) fn pay(
    game: &LiarsDice,
    Due { reward, players, is_over }: Due<LiarsDiceReward>,
    mut pay: impl FnMut(Seat, f32),
) {
    if !is_over {
        return;
    }
    for seat in Seat::all(players) {
        let result = game.result(seat);
        pay(
            seat,
            match reward {
                LiarsDiceReward::Points => result.points as f32,
                LiarsDiceReward::Win => f32::from(u8::from(result.won)),
            },
        );
    }
}
