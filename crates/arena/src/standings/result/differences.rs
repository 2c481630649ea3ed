//! Differences between neighbours on the board.

use serde::{Deserialize, Serialize};

use crate::standings::result::rounded::six_digits_of;
use crate::{EntrantId, Interval, Ledger};

/// The difference between two neighbours on the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreDifference {
    /// The higher entrant.
    pub bot: String,
    /// The entrant below it.
    pub next: String,
    /// By how many points per game the first is ahead, without play-offs and votes.
    #[serde(serialize_with = "six_digits_of")]
    pub points_per_game: f64,
    /// Its 95 % interval.
    pub ci95: Interval,
}

/// The differences of all neighbours of `ranked` that have played and have a variance; `interval` is that of the difference
/// of the points at a place and the next.
pub(super) fn differences(
    ledger: &Ledger,
    ranked: &[EntrantId],
    has_variance: &[bool],
    interval: impl Fn(usize) -> Interval,
    name_of: impl Fn(EntrantId) -> String,
) -> Vec<ScoreDifference> {
    let played = |id: &EntrantId| ledger.entrant_sums(*id).is_some_and(|row| row.games > 0);
    let neighbours = ranked.windows(2).enumerate();
    let compared = neighbours.filter(|(place, pair)| {
        has_variance[*place] && has_variance[place + 1] && pair.iter().all(played)
    });
    let difference_of = |(place, pair): (usize, &[EntrantId])| {
        let [bot, next] = [pair[0], pair[1]];
        let [points, next_points] = [bot, next].map(|id| ledger.sampled_points(id) as f64);
        // In a challenge with drawn tables, entrants play different numbers of games.
        let games = [bot, next].map(|id| ledger.entrant_sums(id).map_or(0, |row| row.games) as f64);
        let games = f64::midpoint(games[0], games[1]);
        let difference = (points - next_points) / games;
        let Interval { low, high } = interval(place);
        ScoreDifference {
            bot: name_of(bot),
            next: name_of(next),
            points_per_game: difference,
            ci95: Interval { low: low / games, high: high / games },
        }
    };
    compared.map(difference_of).collect()
}
