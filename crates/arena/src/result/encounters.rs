//! Head to head: how often each of two entrants was ahead of the other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::optional_six_digits;
use crate::EntrantId;
use crate::ledger::{Encounter, Ledger, MOST_APART};
use crate::statistics::{Interval, effective_games, wilson};

/// The games that two entrants sat in together.
///
/// Ahead is who has more points, or among equal points the higher score, in games that have one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeadToHead {
    /// The one that stands higher on the board.
    pub bot: String,
    /// The other.
    pub other: String,
    /// Games that both sat in.
    pub games: u64,
    /// Games in which the first was ahead.
    pub ahead: u64,
    /// Games in which neither was.
    pub level: u64,
    /// Games in which the other was ahead.
    pub behind: u64,
    /// Share of the games in which the first was ahead, with half of those in which neither was.
    #[serde(serialize_with = "optional_six_digits")]
    pub rate: Option<f64>,
    /// Its 95 % interval.
    pub rate_ci95: Option<Interval>,
}

/// All encounters of two.
#[derive(Clone, Copy, Default)]
struct Total {
    ahead: u64,
    level: u64,
    behind: u64,
    blocks: u64,
    /// The variance of the number of games won; `None` if a pairing has a single block.
    variance: Option<f64>,
}

/// Each pair of `ranked`, best first, that has met; nobody if they are too many to be kept apart.
pub(super) fn head_to_head(
    ledger: &Ledger,
    ranked: &[EntrantId],
    games_per_block: u64,
    name_of: impl Fn(EntrantId) -> String,
) -> Vec<HeadToHead> {
    if ranked.len() > MOST_APART {
        return Vec::new();
    }
    let totals = totals(ledger);
    let mut all = Vec::new();
    for (index, bot) in ranked.iter().enumerate() {
        for other in &ranked[index + 1..] {
            let Some(total) = totals.get(&(*bot.min(other), *bot.max(other))) else { continue };
            let total = if bot < other { *total } else { total.turned() };
            all.push(total.document(name_of(*bot), name_of(*other), games_per_block));
        }
    }
    all
}

/// The sums over all pairings, by pairs in ascending order.
fn totals(ledger: &Ledger) -> BTreeMap<(EntrantId, EntrantId), Total> {
    let mut totals: BTreeMap<_, Total> = BTreeMap::new();
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

impl Total {
    fn add(&mut self, encounter: &Encounter, blocks: u64) {
        let before = if self.blocks == 0 { Some(0.0) } else { self.variance };
        self.variance = before.zip(variance(encounter, blocks)).map(|(a, b)| a + b);
        self.ahead += encounter.ahead;
        self.level += encounter.level;
        self.behind += encounter.behind;
        self.blocks += blocks;
    }

    const fn turned(self) -> Self {
        Self { ahead: self.behind, behind: self.ahead, ..self }
    }

    fn document(self, bot: String, other: String, games_per_block: u64) -> HeadToHead {
        let Self { ahead, level, behind, blocks, variance } = self;
        let games = ahead + level + behind;
        let wins = ahead as f64 + level as f64 / 2.0;
        let effective = if games_per_block == 1 {
            // A game in which both are level varies less than one that somebody wins.
            let mean = wins / games as f64;
            let squares = ahead as f64 + level as f64 / 4.0;
            let observed = squares - games as f64 * mean * mean;
            effective_games(wins, games, Some(observed), (games as f64, 2.0 * games as f64))
        } else {
            let most = (games * games_per_block) as f64;
            effective_games(wins, games, variance, (blocks as f64, most))
        };
        HeadToHead {
            bot,
            other,
            games,
            ahead,
            level,
            behind,
            rate: (games > 0).then(|| wins / games as f64),
            rate_ci95: wilson(wins, games, effective),
        }
    }
}

/// The variance of the number of games won over so many blocks; `None` of a single one.
fn variance(encounter: &Encounter, blocks: u64) -> Option<f64> {
    let n = blocks as f64;
    let sum = (2 * encounter.ahead + encounter.level) as f64;
    let scatter = encounter.squares as f64 - sum * sum / n;
    (blocks > 1).then(|| scatter / 4.0 * n / (n - 1.0))
}
