//! Head-to-head results of pairs.

use dicehill_arena::{HeadToHead, ResultDocument};
use serde::Serialize;
use utoipa::ToSchema;

use super::Estimate;

/// How often each of two entrants was ahead of the other.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct PairsDocument {
    /// The entrants, best first.
    pub(crate) bots: Vec<String>,
    /// Each pair that has met. Empty for more than 64 entrants.
    pub(crate) pairs: Vec<Pair>,
}

/// Two entrants.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Pair {
    /// The one that stands higher on the board.
    #[schema(example = "greedy")]
    pub(crate) bot: String,
    /// The other.
    #[schema(example = "dummy")]
    pub(crate) other: String,
    /// Games that both sat in.
    pub(crate) games: u64,
    /// Games in which the first was ahead.
    pub(crate) ahead: u64,
    /// Games in which neither was.
    pub(crate) level: u64,
    /// Games in which the other was ahead.
    pub(crate) behind: u64,
    /// Share of the games in which the first was ahead, with half of those in which neither was.
    pub(crate) rate: Option<Estimate>,
}

impl PairsDocument {
    /// Of a run.
    pub(crate) fn new(result: &ResultDocument) -> Self {
        let met = |name: &String| {
            result.head_to_head.iter().any(|pair| pair.bot == *name || pair.other == *name)
        };
        let bots = result.standings.iter().map(|row| row.bot.clone()).filter(met).collect();
        Self { bots, pairs: result.head_to_head.iter().map(Pair::from).collect() }
    }

    /// What the first came to against the second.
    pub(crate) fn rate(&self, bot: &str, other: &str) -> Option<(Estimate, u64)> {
        self.pairs.iter().find_map(|pair| {
            if pair.bot == bot && pair.other == other {
                Some((pair.rate?, pair.games))
            } else if pair.bot == other && pair.other == bot {
                let Estimate { value, ci95 } = pair.rate?;
                let ci95 = ci95.map(|[low, high]| [1.0 - high, 1.0 - low]);
                Some((Estimate { value: 1.0 - value, ci95 }, pair.games))
            } else {
                None
            }
        })
    }
}

impl From<&HeadToHead> for Pair {
    fn from(pair: &HeadToHead) -> Self {
        Self {
            bot: pair.bot.clone(),
            other: pair.other.clone(),
            games: pair.games,
            ahead: pair.ahead,
            level: pair.level,
            behind: pair.behind,
            rate: Estimate::of(pair.rate, pair.rate_ci95),
        }
    }
}
