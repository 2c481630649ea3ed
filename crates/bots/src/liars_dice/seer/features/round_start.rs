//! The state of the game at the start of a round, as one player sees it.

use dicehill_rules::liars_dice::Position;

/// The largest number of players.
pub(crate) const MAX_PLAYERS: usize = 5;

/// The state from which the win probability is estimated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RoundStart {
    /// Players that still have dice, at most 5.
    pub(crate) players: u8,
    /// Dice on the table.
    pub(crate) all: u8,
    /// Dice of the player.
    pub(crate) own: u8,
    /// Players that act before it in the round.
    pub(crate) before: u8,
}

impl RoundStart {
    /// As the player at `you` sees it, in a round that `starter` begins. Players without dice are skipped.
    pub(crate) fn new(counts: &[u8], you: Position, starter: Position) -> Self {
        let mut start = Self { players: 0, all: 0, own: counts[you], before: 0 };
        let mut is_before = true;
        for step in 0..counts.len() {
            let position = (starter + step) % counts.len();
            let count = counts[position];
            is_before &= position != you;
            start.players += u8::from(count > 0);
            start.all += count;
            start.before += u8::from(is_before && count > 0);
        }
        start
    }

    /// The start of the next round after `loser` has given a die to `winner`, who starts.
    pub(crate) fn after(counts: &[u8], you: Position, winner: Position, loser: Position) -> Self {
        let mut moved = [0; MAX_PLAYERS];
        let moved = &mut moved[..counts.len()];
        moved.copy_from_slice(counts);
        moved[loser] -= 1;
        moved[winner] += 1;
        Self::new(moved, you, winner)
    }
}

#[cfg(test)]
mod tests {
    use super::RoundStart;

    #[test]
    fn players_without_dice_neither_count_nor_act() {
        let before = |counts: &[u8], you, starter| RoundStart::new(counts, you, starter).before;
        assert_eq!([0, 1, 2].map(|starter| before(&[5, 5, 5], 1, starter)), [1, 0, 2]);
        assert_eq!(before(&[7, 0, 8], 2, 0), 1);
        // The third player loses its last die.
        let after = RoundStart::after(&[9, 5, 1], 1, 0, 2);
        assert_eq!(after, RoundStart { players: 2, all: 15, own: 5, before: 1 });
        assert_eq!(RoundStart::after(&[9, 5, 1], 2, 0, 2).own, 0);
    }
}
