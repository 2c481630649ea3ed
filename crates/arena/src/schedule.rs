//! Which entrants sit where at which table, as a pure function of the game's number.

mod fixture;
mod game_range;
mod pairings;

use dicehill_rules::{Chance, Game};

pub use self::fixture::Fixture;
use self::fixture::table_of_attempt;
pub use self::game_range::{GameRange, ParseShardError, Shard};
use self::pairings::{gauntlet, pairings};
use crate::{EntrantId, Format, Hill, Placement, Seating};

/// All games of a hill between some of its entrants.
///
/// A challenge's game has the table of its own number. In the other formats the pairings play all their blocks one
/// pairing after the other, those of an entrant with the entrants before it in the hill first: a new entrant at the
/// end changes no game of the others. In a run that may end early all pairings advance together, block by block,
/// instead. A block has one table, and its entrants sit in the order of their keys in the block's first game, moving
/// up one seat with each game.
///
/// A remote bot can remember what it sees. Where one plays, every game has a table of its own, and another one whenever it is
/// played again, so that no bot meets dice that it may know.
///
/// In a gauntlet that places its challenger, the results decide which pairing plays a block, and
/// [`Schedule::placement_fixture`] takes it as an argument.
///
/// ```
/// use std::sync::Arc;
///
/// use dicehill_arena::{BotName, Entrant, FormatName, Hill, HillDraft, InertBot, Schedule};
/// use dicehill_rules::Chance;
/// use dicehill_rules::yahtzee::Yahtzee;
///
/// let entrant = |name| {
///     Entrant::new(BotName::new(name).unwrap(), Arc::new(InertBot("house:inert@1".to_owned())))
/// };
/// let entrants = vec![entrant("ada"), entrant("bob"), entrant("cyd")];
/// let draft = HillDraft::<Yahtzee>::challenge(entrants, "a seed");
/// let hill = Hill::new(HillDraft { format: FormatName::Duel, games: 10, ..draft }).unwrap();
/// let chance = Chance::new(hill.seed());
/// let schedule = Schedule::new(&hill, &chance, hill.ids().collect());
/// assert_eq!((schedule.pairings().len(), schedule.games()), (3, 30));
///
/// // A block of two games: the same dice, the seats exchanged.
/// let [first, second] = [1, 2].map(|game| schedule.fixture(game));
/// assert_eq!(first.table, second.table);
/// assert_eq!(first.seats[0], second.seats[1]);
/// ```
pub struct Schedule<'a, G: Game> {
    hill: &'a Hill<G>,
    chance: &'a Chance,
    /// The entrants that take part, ascending.
    active: Vec<EntrantId>,
    /// The pairings of a duel or gauntlet, in the order in which they play; all entrants in a challenge.
    pairings: Vec<Vec<EntrantId>>,
    /// The games that were recorded before the run was resumed.
    recorded: u64,
}

impl<'a, G: Game> Schedule<'a, G> {
    /// The schedule of `hill` for the entrants `active`, ascending.
    #[must_use]
    pub fn new(hill: &'a Hill<G>, chance: &'a Chance, active: Vec<EntrantId>) -> Self {
        let pairings = match hill.format() {
            Format::Challenge => vec![active.clone()],
            Format::Duel { seats } => pairings(&active, seats),
            Format::Gauntlet { .. } => gauntlet(&active, hill.challenger(&active)),
        };
        Self { hill, chance, active, pairings, recorded: 0 }
    }

    /// The same schedule of a run that was interrupted after so many recorded games. Games with remote bots that were in progress
    /// then have other tables.
    #[must_use]
    pub fn resumed_after(self, recorded: u64) -> Self {
        Self { recorded, ..self }
    }

    /// The hill that is played.
    pub(crate) const fn hill(&self) -> &'a Hill<G> {
        self.hill
    }

    /// The entrants that take part, ascending.
    #[must_use]
    pub fn active(&self) -> &[EntrantId] {
        &self.active
    }

    /// The pairings of a duel or gauntlet; one of all entrants in a challenge.
    #[must_use]
    pub fn pairings(&self) -> &[Vec<EntrantId>] {
        &self.pairings
    }

    /// The number of games without play-offs; the most games, where a challenger is placed.
    #[must_use]
    pub fn games(&self) -> u64 {
        if self.is_placement() {
            return 2 * Placement::max_blocks_among(self.pairings.len());
        }
        self.hill.games() * self.pairings.len() as u64
    }

    /// The games of a shard, in whole blocks.
    #[must_use]
    pub fn shard(&self, shard: Shard) -> GameRange {
        shard.of(self.games(), self.hill.format().games_per_block())
    }

    /// The game with this number, from 1 to [`Schedule::games`].
    ///
    /// # Panics
    /// If there is no such game, or the run places its challenger.
    #[must_use]
    pub fn fixture(&self, game: u64) -> Fixture {
        match self.hill.format() {
            Format::Challenge => self.challenge_fixture(game, self.challenge_seats(game)),
            Format::Duel { .. } | Format::Gauntlet { .. } => {
                self.block_fixture(game, self.pairing_of(game))
            }
        }
    }

    /// The game with this number, of a run that places its challenger, where this pairing plays the block.
    ///
    /// # Panics
    /// If there is no such pairing.
    #[must_use]
    pub fn placement_fixture(&self, game: u64, pairing: usize) -> Fixture {
        self.block_fixture(game, pairing)
    }

    /// The game with this number between the entrants that are tied after the last game.
    #[must_use]
    pub fn play_off(&self, game: u64, tied: &[EntrantId]) -> Fixture {
        self.challenge_fixture(game, self.in_key_order(game, tied))
    }

    fn pairing_of(&self, game: u64) -> usize {
        assert!(!self.is_placement(), "the results decide which bots play game {game}");
        let pairings = self.pairings.len() as u64;
        let pairing = if self.plays_by_rounds() {
            self.block_of(game) % pairings
        } else {
            (game - 1) / self.hill.games()
        };
        assert!(pairing < pairings, "game {game} is one of the schedule");
        pairing as usize
    }

    /// Whether the game completes a block, the sample of every statistic. A challenge's sample is the game.
    #[must_use]
    pub fn completes_sample(&self, game: u64) -> bool {
        game.is_multiple_of(self.hill.format().games_per_block())
    }

    /// Whether the game completes a round: every pairing has then played the same number of blocks. A challenge's
    /// round is the game.
    #[must_use]
    pub fn completes_round(&self, game: u64) -> bool {
        let blocks = self.pairings.len() as u64;
        game.is_multiple_of(self.hill.format().games_per_block() * blocks)
    }

    /// The number of games, play-offs aside, that an entrant is scheduled for; the most games, where a challenger is
    /// placed.
    #[must_use]
    pub fn games_of(&self, entrant: EntrantId) -> u64 {
        if self.is_placement() {
            return self.games();
        }
        let sits = |game: &u64| self.fixture(*game).seats.contains(&entrant);
        (1..=self.games()).filter(sits).count() as u64
    }

    fn is_placement(&self) -> bool {
        self.hill.strengths().is_some()
    }

    /// Whether all pairings advance together: a run that may end early compares them at the same number of blocks.
    const fn plays_by_rounds(&self) -> bool {
        self.hill.until().is_some()
    }

    fn block_of(&self, game: u64) -> u64 {
        (game - 1) / self.hill.format().games_per_block()
    }

    fn block_fixture(&self, game: u64, pairing: usize) -> Fixture {
        let length = self.hill.format().games_per_block();
        let block = self.block_of(game);
        let first_game = block * length + 1;
        let mut seats = self.in_key_order(first_game, &self.pairings[pairing]);
        seats.rotate_left((game - first_game) as usize);
        let table = self.unknown_table(game, &seats).unwrap_or(block + 1);
        Fixture { game, table, pairing, seats }
    }

    fn challenge_fixture(&self, game: u64, seats: Vec<EntrantId>) -> Fixture {
        let table = self.unknown_table(game, &seats).unwrap_or(game);
        Fixture { game, table, pairing: 0, seats }
    }

    /// The table of a game with a remote bot: one that no other game has, nor the game of this number before a bar or an
    /// interruption.
    fn unknown_table(&self, game: u64, seats: &[EntrantId]) -> Option<u64> {
        let is_remote = |id: &EntrantId| self.hill.entrant(*id).own_terms.remote;
        let barred = (self.hill.entrants().len() - self.active.len()) as u64;
        let attempt = self.recorded.saturating_mul(64).saturating_add(barred);
        seats.iter().any(is_remote).then(|| table_of_attempt(attempt, game))
    }

    fn challenge_seats(&self, game: u64) -> Vec<EntrantId> {
        let mut seats = self.in_key_order(game, &self.active);
        if let Some(size) = challenge_size(self.hill, self.chance, game) {
            seats.truncate(size);
        }
        seats
    }

    fn in_key_order(&self, game: u64, entrants: &[EntrantId]) -> Vec<EntrantId> {
        in_key_order(self.hill, self.chance, game, entrants)
    }
}

/// The entrants at a table where `entrant` sits, by seat, drawn for `game` as the schedule draws its tables: with the
/// same sizes, the same opponents and in key order.
///
/// # Panics
/// If the hill has no other entrant.
pub(crate) fn seats_with<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    entrant: EntrantId,
    game: u64,
) -> Vec<EntrantId> {
    let all: Vec<_> = hill.ids().collect();
    let mut others: Vec<_> = all.iter().copied().filter(|id| *id != entrant).collect();
    assert!(!others.is_empty(), "a table has at least two seats");
    let size = match hill.format() {
        Format::Challenge => challenge_size(hill, chance, game).unwrap_or(all.len()),
        Format::Duel { seats } => seats,
        Format::Gauntlet { .. } => {
            others.retain(|id| [entrant, *id].map(Some).contains(&hill.challenger(&all)));
            2
        }
    };
    let mut seats = in_key_order(hill, chance, game, &others);
    seats.truncate(size - 1);
    seats.push(entrant);
    in_key_order(hill, chance, game, &seats)
}

/// The size of the table of a challenge's game; `None` if all entrants sit there.
fn challenge_size<G: Game>(hill: &Hill<G>, chance: &Chance, game: u64) -> Option<usize> {
    match hill.challenge().seating {
        Seating::Everyone => None,
        Seating::Drawn { least, most } => {
            let sizes = (most - least + 1) as u64;
            Some(least + chance.table_size(game, sizes) as usize)
        }
    }
}

/// Equal keys, of which no case is known, go by the hill's order.
fn in_key_order<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    game: u64,
    entrants: &[EntrantId],
) -> Vec<EntrantId> {
    let mut seats = entrants.to_vec();
    let key = |id: &EntrantId| (chance.seat_key(game, hill.name_of(*id)), *id);
    match seats.as_mut_slice() {
        [first, second] if key(first) > key(second) => std::mem::swap(first, second),
        [_, _] => {}
        many => many.sort_by_cached_key(key),
    }
    seats
}
