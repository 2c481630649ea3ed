//! Head-to-head results: how often each of two entrants was ahead of the other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::standings::ledger::{Encounter, MAX_DETAILED_ENTRANTS};
use crate::standings::result::rounded::optional_six_digits;
use crate::statistics::{BlockWins, wilson};
use crate::{EntrantId, Interval, Ledger, StatisticsVersion};

/// The games in which two entrants sat at the same table.
///
/// The entrant with more points is ahead, or among equal points, in games that have a score, the one with the higher
/// score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeadToHead {
    /// The entrant that is higher on the board.
    pub bot: String,
    /// The other entrant.
    pub other: String,
    /// Games with both at the table.
    pub games: u64,
    /// Games in which the first was ahead.
    pub ahead: u64,
    /// Games in which neither was ahead.
    pub level: u64,
    /// Games in which the other was ahead.
    pub behind: u64,
    /// Share of the games in which the first was ahead, counting half of the level games.
    #[serde(serialize_with = "optional_six_digits")]
    pub rate: Option<f64>,
    /// Its 95 % interval.
    pub rate_ci95: Option<Interval>,
}

/// The encounters of two entrants over all pairings.
#[derive(Clone, Copy, Default)]
struct PairTotal {
    ahead: u64,
    level: u64,
    behind: u64,
    blocks: u64,
    pairings: u64,
    /// The variance of the number of wins; `None` if a pairing has a single block.
    variance: Option<f64>,
}

/// Each pair of `ranked` that has met, best first; empty for more than [`MAX_DETAILED_ENTRANTS`] entrants.
pub(super) fn head_to_head(
    ledger: &Ledger,
    ranked: &[EntrantId],
    blocks: (u64, StatisticsVersion),
    name_of: impl Fn(EntrantId) -> String,
) -> Vec<HeadToHead> {
    if ranked.len() > MAX_DETAILED_ENTRANTS {
        return Vec::new();
    }
    let totals = totals(ledger);
    let mut all = Vec::new();
    for (index, bot) in ranked.iter().enumerate() {
        for other in &ranked[index + 1..] {
            let Some(total) = totals.get(&(*bot.min(other), *bot.max(other))) else { continue };
            let total = if bot < other { *total } else { total.swapped() };
            all.push(total.document(name_of(*bot), name_of(*other), blocks));
        }
    }
    all
}

/// The sums over all pairings, by pairs in ascending order.
fn totals(ledger: &Ledger) -> BTreeMap<(EntrantId, EntrantId), PairTotal> {
    let mut totals: BTreeMap<_, PairTotal> = BTreeMap::new();
    for stratum in ledger.strata() {
        for (first, a) in stratum.members.iter().enumerate() {
            for (second, b) in stratum.members.iter().enumerate().skip(first + 1) {
                let met = stratum.encounter(first, second).filter(|pair| pair.games() > 0);
                if let Some(encounter) = met {
                    totals.entry((*a, *b)).or_default().add(encounter, stratum.samples);
                }
            }
        }
    }
    totals
}

impl PairTotal {
    fn add(&mut self, encounter: &Encounter, blocks: u64) {
        let before = if self.blocks == 0 { Some(0.0) } else { self.variance };
        self.variance = before.zip(variance(encounter, blocks)).map(|(a, b)| a + b);
        self.ahead += encounter.ahead;
        self.level += encounter.level;
        self.behind += encounter.behind;
        self.blocks += blocks;
        self.pairings += 1;
    }

    const fn swapped(self) -> Self {
        Self { ahead: self.behind, behind: self.ahead, ..self }
    }

    fn document(
        self,
        bot: String,
        other: String,
        (games_per_block, version): (u64, StatisticsVersion),
    ) -> HeadToHead {
        let Self { ahead, level, behind, blocks, pairings, variance } = self;
        let games = ahead + level + behind;
        let wins = ahead as f64 + level as f64 / 2.0;
        let rate_ci95 = if games_per_block == 1 {
            wilson(wins, games, effective_games(ahead, level, games))
        } else {
            let freedom = blocks.saturating_sub(pairings);
            BlockWins { wins, games_per_block, blocks, freedom, variance, version }.interval()
        };
        HeadToHead {
            bot,
            other,
            games,
            ahead,
            level,
            behind,
            rate: (games > 0).then(|| wins / games as f64),
            rate_ci95,
        }
    }
}

/// The number of games without a level one whose share would have the same variance: one to two times the games, for
/// level games vary less.
fn effective_games(ahead: u64, level: u64, games: u64) -> f64 {
    let games = games as f64;
    let wins = ahead as f64 + level as f64 / 2.0;
    let mean = wins / games;
    let observed = ahead as f64 + level as f64 / 4.0 - games * mean * mean;
    if observed > 0.0 {
        (games * games * mean * (1.0 - mean) / observed).clamp(games, 2.0 * games)
    } else {
        games
    }
}

/// The variance of the number of wins over `blocks` blocks; `None` for a single one.
fn variance(encounter: &Encounter, blocks: u64) -> Option<f64> {
    let n = blocks as f64;
    let sum = (2 * encounter.ahead + encounter.level) as f64;
    let scatter = encounter.squares as f64 - sum * sum / n;
    (blocks > 1).then(|| scatter / 4.0 * n / (n - 1.0))
}
