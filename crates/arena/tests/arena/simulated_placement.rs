//! Simulated placements of new entrants whose true strengths are known. Also used by the proofs.

use dicehill_arena::{Placement, PlacementEstimate};

/// Games per block.
const GAMES_PER_BLOCK: u32 = 2;
/// Standard deviation of strengths: an entrant that is one deviation stronger wins 82 % of the games.
const SPREAD: f64 = 1.5;

/// The outcome of a simulated placement.
pub(crate) struct SimulatedPlacement {
    /// Games played.
    pub(crate) games: u64,
    /// The true rank.
    pub(crate) rank: usize,
    /// The estimate.
    pub(crate) found: PlacementEstimate,
}

impl SimulatedPlacement {
    pub(crate) fn error(&self) -> usize {
        self.rank.abs_diff(self.found.rank)
    }

    pub(crate) fn is_covered(&self) -> bool {
        (self.found.best..=self.found.worst).contains(&self.rank)
    }
}

/// A field of entrants, a new entrant, and the chance of their games.
pub(crate) struct SimulatedField {
    /// The strengths that the hill assumes.
    assumed_strengths: Vec<f64>,
    /// The true strengths.
    strengths: Vec<f64>,
    new_entrant: f64,
    random: Random,
}

impl SimulatedField {
    /// `error` is the standard deviation of the assumed strengths about the true ones.
    pub(crate) fn new(entrants: usize, error: f64, seed: u64) -> Self {
        let mut random = Random(seed);
        let strengths: Vec<f64> = (0..entrants).map(|_| SPREAD * random.normal()).collect();
        let assumed_strengths =
            strengths.iter().map(|strength| strength + error * random.normal()).collect();
        let new_entrant = SPREAD * random.normal();
        Self { assumed_strengths, strengths, new_entrant, random }
    }

    /// Places the new entrant with blocks against the rivals that the placement chooses.
    pub(crate) fn place(mut self) -> SimulatedPlacement {
        let mut placement = Placement::new(&self.assumed_strengths);
        let mut games = 0;
        while let Some(rival) = placement.next_rival() {
            placement.add_block(rival, GAMES_PER_BLOCK, self.block(rival));
            games += u64::from(GAMES_PER_BLOCK);
        }
        self.placed(games, &placement)
    }

    /// Places the new entrant with one block against each entrant.
    pub(crate) fn round_robin(mut self) -> SimulatedPlacement {
        let mut placement = Placement::new(&self.assumed_strengths);
        for rival in 0..self.assumed_strengths.len() {
            placement.add_block(rival, GAMES_PER_BLOCK, self.block(rival));
        }
        let games = u64::from(GAMES_PER_BLOCK) * self.assumed_strengths.len() as u64;
        self.placed(games, &placement)
    }

    fn placed(&self, games: u64, placement: &Placement) -> SimulatedPlacement {
        let stronger = self.strengths.iter().filter(|other| **other > self.new_entrant).count();
        SimulatedPlacement { games, rank: 1 + stronger, found: placement.estimate() }
    }

    /// Simulates a block and returns the new entrant's share of its points; every game has one winner.
    fn block(&mut self, rival: usize) -> f64 {
        let chance = 1.0 / (1.0 + f64::exp(self.strengths[rival] - self.new_entrant));
        let won = (0..GAMES_PER_BLOCK).filter(|_| self.random.uniform() < chance).count();
        won as f64 / f64::from(GAMES_PER_BLOCK)
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) const fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A uniform draw from [0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An approximately normal draw: the sum of twelve uniform ones.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}
