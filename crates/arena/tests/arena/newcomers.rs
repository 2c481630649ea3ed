//! Newcomers whose strengths are known, placed among entrants in simulated games.

use dicehill_arena::{PlacedAt, Placement};

/// Games of a block.
const GAMES: u32 = 2;
/// Standard deviation of strengths: one that is one deviation stronger wins 82 % of the games.
const SPREAD: f64 = 1.5;

/// What a placement came to.
pub(crate) struct Placed {
    /// Games played.
    pub(crate) games: u64,
    /// The true rank.
    pub(crate) rank: usize,
    /// What was found.
    pub(crate) found: PlacedAt,
}

impl Placed {
    pub(crate) fn error(&self) -> usize {
        self.rank.abs_diff(self.found.rank)
    }

    pub(crate) fn is_covered(&self) -> bool {
        (self.found.best..=self.found.worst).contains(&self.rank)
    }
}

/// A field of entrants, a newcomer to it, and chance.
pub(crate) struct Field {
    /// What the hill takes the entrants' strengths for.
    rated: Vec<f64>,
    /// What they are.
    strengths: Vec<f64>,
    newcomer: f64,
    random: Random,
}

impl Field {
    /// `error` is the standard deviation by which ratings miss the strengths.
    pub(crate) fn new(entrants: usize, error: f64, seed: u64) -> Self {
        let mut random = Random(seed);
        let strengths: Vec<f64> = (0..entrants).map(|_| SPREAD * random.normal()).collect();
        let rated = strengths.iter().map(|strength| strength + error * random.normal()).collect();
        let newcomer = SPREAD * random.normal();
        Self { rated, strengths, newcomer, random }
    }

    /// Places the newcomer by the rivals that the placement asks for.
    pub(crate) fn place(mut self) -> Placed {
        let mut placement = Placement::new(&self.rated);
        let mut games = 0;
        while let Some(rival) = placement.next_rival() {
            placement.add(rival, GAMES, self.block(rival));
            games += u64::from(GAMES);
        }
        self.placed(games, &placement)
    }

    /// Places the newcomer by a block against each.
    pub(crate) fn round_robin(mut self) -> Placed {
        let mut placement = Placement::new(&self.rated);
        for rival in 0..self.rated.len() {
            placement.add(rival, GAMES, self.block(rival));
        }
        let games = u64::from(GAMES) * self.rated.len() as u64;
        self.placed(games, &placement)
    }

    fn placed(&self, games: u64, placement: &Placement) -> Placed {
        let stronger = self.strengths.iter().filter(|other| **other > self.newcomer).count();
        Placed { games, rank: 1 + stronger, found: placement.standing() }
    }

    /// The newcomer's share of a block's points: each game is won by one of the two.
    fn block(&mut self, rival: usize) -> f64 {
        let chance = 1.0 / (1.0 + f64::exp(self.strengths[rival] - self.newcomer));
        let won = (0..GAMES).filter(|_| self.random.uniform() < chance).count();
        won as f64 / f64::from(GAMES)
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) const fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// In 0..1.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Near enough to a normal deviate: the sum of twelve uniform ones.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}
