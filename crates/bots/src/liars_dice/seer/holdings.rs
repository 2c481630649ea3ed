//! Who has how many dice at the start of a round, as one player sees it.

use dicehill_rules::liars_dice::Position;

/// The most players of a game.
pub(super) const MOST_PLAYERS: usize = 5;

/// What the chance to win is made to depend on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Holdings {
    /// Those that still have dice, at most 5.
    pub(super) players: u8,
    /// Dice on the table.
    pub(super) all: u8,
    /// Dice of the player.
    pub(super) own: u8,
    /// How many act before it.
    pub(super) before: u8,
}

impl Holdings {
    /// Of the player at `you`, in a round that `starter` begins; who has no dice is skipped.
    pub(super) fn new(counts: &[u8], you: Position, starter: Position) -> Self {
        let mut holdings = Self { players: 0, all: 0, own: counts[you], before: 0 };
        let mut is_before = true;
        for step in 0..counts.len() {
            let position = (starter + step) % counts.len();
            let count = counts[position];
            is_before &= position != you;
            holdings.players += u8::from(count > 0);
            holdings.all += count;
            holdings.before += u8::from(is_before && count > 0);
        }
        holdings
    }

    /// After `loser` has given `winner` a die, who starts.
    pub(super) fn after(counts: &[u8], you: Position, winner: Position, loser: Position) -> Self {
        let mut moved = [0; MOST_PLAYERS];
        let moved = &mut moved[..counts.len()];
        moved.copy_from_slice(counts);
        moved[loser] -= 1;
        moved[winner] += 1;
        Self::new(moved, you, winner)
    }
}

#[cfg(test)]
mod tests {
    use super::Holdings;

    #[test]
    fn who_is_out_neither_counts_nor_acts() {
        let before = |counts: &[u8], you, starter| Holdings::new(counts, you, starter).before;
        assert_eq!([0, 1, 2].map(|starter| before(&[5, 5, 5], 1, starter)), [1, 0, 2]);
        assert_eq!(before(&[7, 0, 8], 2, 0), 1);
        // The third player gives its last die away.
        let after = Holdings::after(&[9, 5, 1], 1, 0, 2);
        assert_eq!(after, Holdings { players: 2, all: 15, own: 5, before: 1 });
        assert_eq!(Holdings::after(&[9, 5, 1], 2, 0, 2).own, 0);
    }
}
