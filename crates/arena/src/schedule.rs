//! Who sits where at which table, as a pure function of the game's number.

use dicehill_rules::{Chance, Game, Seating};

use crate::{EntrantId, Format, Hill};

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The game's number, from 1.
    pub game: u64,
    /// The table whose dice are used, from 1.
    pub table: u64,
    /// The entrants by seat.
    pub seats: Vec<EntrantId>,
}

/// All games of a hill between some of its entrants.
///
/// A challenge's game has the table of its own number. In the other formats one pairing plays all its
/// blocks after the other, those of an entrant with all before it in the hill first: who comes last
/// changes no game of the others. Only in a run that may end early all pairings advance together, block
/// by block. A block has one table, and its entrants sit in the order of their
/// keys in the block's first game, moving up one seat a game.
pub struct Schedule<'a, G: Game> {
    hill: &'a Hill<G>,
    chance: &'a Chance,
    /// Who takes part, ascending.
    active: Vec<EntrantId>,
    /// The pairings of a duel or gauntlet, in the order in which they play; everybody in a challenge.
    pairings: Vec<Vec<EntrantId>>,
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
        Self { hill, chance, active, pairings }
    }

    /// What is played.
    pub(crate) const fn hill(&self) -> &'a Hill<G> {
        self.hill
    }

    /// Who takes part, ascending.
    #[must_use]
    pub fn active(&self) -> &[EntrantId] {
        &self.active
    }

    /// The pairings of a duel or gauntlet; one of everybody in a challenge.
    #[must_use]
    pub fn pairings(&self) -> &[Vec<EntrantId>] {
        &self.pairings
    }

    /// How many games there are, without games that play off a tie.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.hill.games() * self.pairings.len() as u64
    }

    /// The game with this number, from 1 to [`Schedule::games`].
    ///
    /// # Panics
    /// If there is no such game.
    #[must_use]
    pub fn fixture(&self, game: u64) -> Fixture {
        match self.hill.format() {
            Format::Challenge => Fixture { game, table: game, seats: self.challenge_seats(game) },
            Format::Duel { .. } | Format::Gauntlet { .. } => self.block_fixture(game),
        }
    }

    /// The game with this number between those who are tied after the last game.
    #[must_use]
    pub fn play_off(&self, game: u64, tied: &[EntrantId]) -> Fixture {
        Fixture { game, table: game, seats: self.in_key_order(game, tied) }
    }

    /// Index of the pairing that plays the game.
    ///
    /// # Panics
    /// If there is no such game.
    #[must_use]
    pub fn pairing_of(&self, game: u64) -> usize {
        let pairings = self.pairings.len() as u64;
        let pairing = if self.goes_by_rounds() {
            self.block_of(game) % pairings
        } else {
            (game - 1) / self.hill.games()
        };
        assert!(pairing < pairings, "game {game} is one of the schedule");
        pairing as usize
    }

    /// Whether the game completes a block: the sample of every statistic. A challenge's sample is
    /// the game.
    #[must_use]
    pub fn completes_sample(&self, game: u64) -> bool {
        game.is_multiple_of(self.hill.format().games_per_block())
    }

    /// Whether the game completes a round: every pairing has then played the same number of blocks. A
    /// challenge's round is the game.
    #[must_use]
    pub fn completes_round(&self, game: u64) -> bool {
        let blocks = self.pairings.len() as u64;
        game.is_multiple_of(self.hill.format().games_per_block() * blocks)
    }

    /// How many games, play-offs aside, an entrant is scheduled for.
    #[must_use]
    pub fn games_of(&self, entrant: EntrantId) -> u64 {
        let sits = |game: &u64| self.fixture(*game).seats.contains(&entrant);
        (1..=self.games()).filter(sits).count() as u64
    }

    /// Whether all pairings advance together: a run that may end early compares them as they stand.
    const fn goes_by_rounds(&self) -> bool {
        self.hill.until().is_some()
    }

    fn block_of(&self, game: u64) -> u64 {
        (game - 1) / self.hill.format().games_per_block()
    }

    fn block_fixture(&self, game: u64) -> Fixture {
        let length = self.hill.format().games_per_block();
        let block = self.block_of(game);
        let first_game = block * length + 1;
        let mut seats = self.in_key_order(first_game, &self.pairings[self.pairing_of(game)]);
        seats.rotate_left((game - first_game) as usize);
        Fixture { game, table: block + 1, seats }
    }

    fn challenge_seats(&self, game: u64) -> Vec<EntrantId> {
        let mut seats = self.in_key_order(game, &self.active);
        match G::CHALLENGE.seating {
            Seating::Everyone => {}
            Seating::Drawn { least, most } => {
                let sizes = (most - least + 1) as u64;
                seats.truncate(least + self.chance.table_size(game, sizes) as usize);
            }
        }
        seats
    }

    /// Equal keys, which nobody will ever see, go by the hill's order.
    fn in_key_order(&self, game: u64, entrants: &[EntrantId]) -> Vec<EntrantId> {
        let mut seats = entrants.to_vec();
        let key = |id: &EntrantId| (self.chance.seat_key(game, self.hill.name_of(*id)), *id);
        match seats.as_mut_slice() {
            [first, second] if key(first) > key(second) => std::mem::swap(first, second),
            [_, _] => {}
            many => many.sort_by_cached_key(key),
        }
        seats
    }
}

/// All subsets of `size` elements, each ascending, by their last elements first.
fn pairings(of: &[EntrantId], size: usize) -> Vec<Vec<EntrantId>> {
    let mut subsets = subsets(of, size);
    subsets.sort_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
    subsets
}

/// All subsets of `size` elements, in lexicographic order.
fn subsets(of: &[EntrantId], size: usize) -> Vec<Vec<EntrantId>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    if of.len() < size {
        return Vec::new();
    }
    let with_first = |(index, first): (usize, &EntrantId)| {
        let rest = subsets(&of[index + 1..], size - 1);
        rest.into_iter().map(|tail| [vec![*first], tail].concat()).collect::<Vec<_>>()
    };
    of.iter().enumerate().flat_map(with_first).collect()
}

/// The challenger against each other; nobody if the challenger is not among them.
fn gauntlet(active: &[EntrantId], challenger: Option<EntrantId>) -> Vec<Vec<EntrantId>> {
    let Some(challenger) = challenger.filter(|id| active.contains(id)) else { return Vec::new() };
    let others = active.iter().filter(|id| **id != challenger);
    others.map(|other| vec![challenger.min(*other), challenger.max(*other)]).collect()
}
