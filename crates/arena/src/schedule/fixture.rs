//! The place of one game in a schedule.

use crate::EntrantId;

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The game's number, from 1.
    pub game: u64,
    /// The table whose dice are used, from 1.
    pub table: u64,
    /// The pairing that plays, by its index in [`crate::Schedule::pairings`]; 0 in a challenge.
    pub pairing: usize,
    /// The entrants by seat.
    pub seats: Vec<EntrantId>,
}

/// Tables beyond those of other games: each attempt at the games with remote bots has so many.
const ATTEMPT: u64 = 1 << 26;
/// The attempts that a run may need.
const ATTEMPTS: u64 = (1 << 25) - 1;

/// The table of a game with a remote bot, which no other attempt at the game has. It is below 2^53.
pub(super) const fn table_of_attempt(attempt: u64, game: u64) -> u64 {
    (1 + attempt % ATTEMPTS) * ATTEMPT + game % ATTEMPT
}

impl Fixture {
    /// Whether the game may have been played at this table: at its own, or with a remote bot in any other attempt.
    #[must_use]
    pub const fn may_have(&self, table: u64) -> bool {
        let is_attempt =
            self.has_remote_bot() && table >= ATTEMPT && table % ATTEMPT == self.table % ATTEMPT;
        table == self.table || is_attempt
    }

    const fn has_remote_bot(&self) -> bool {
        self.table >= ATTEMPT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_share_no_table_with_each_other_or_with_other_games() {
        let fixture = |table| Fixture { game: 7, table, pairing: 0, seats: Vec::new() };
        let tables = [0, 1, 64, 1 << 24].map(|attempt| table_of_attempt(attempt, 7));
        assert!(tables.iter().all(|table| fixture(tables[0]).may_have(*table)));
        assert!(tables.iter().all(|table| *table < 1 << 53));
        assert!(!fixture(tables[0]).may_have(table_of_attempt(0, 8)));
        assert!(!fixture(tables[0]).may_have(7));
        assert!(tables.is_sorted_by(|one, next| one < next), "{tables:?}");
        // Without a remote bot there is one table.
        assert!(fixture(7).may_have(7) && !fixture(7).may_have(tables[0]));
    }
}
