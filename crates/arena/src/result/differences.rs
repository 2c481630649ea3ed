//! How far entrants are ahead of those who stand next on the board.

use serde::{Deserialize, Serialize};

use super::six_digits_of;
use crate::EntrantId;
use crate::ledger::Ledger;
use crate::statistics::{Covariance, Interval};

/// What lies between two neighbours on the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The one that stands higher.
    pub bot: String,
    /// The one that stands next.
    pub next: String,
    /// Points of the games that the first has more, for each game; play-offs and votes aside.
    #[serde(serialize_with = "six_digits_of")]
    pub points_per_game: f64,
    /// Its 95 % interval.
    pub ci95: Interval,
}

/// The differences of all neighbours of `ranked` of whom enough is `known`; `covariance` is that of
/// their sums of points.
pub(super) fn differences(
    ledger: &Ledger,
    ranked: &[EntrantId],
    covariance: &Covariance,
    known: &[bool],
    name_of: impl Fn(EntrantId) -> String,
) -> Vec<Difference> {
    let played = |id: &EntrantId| ledger.row(*id).is_some_and(|row| row.games > 0);
    let neighbours = ranked.windows(2).enumerate();
    let compared = neighbours
        .filter(|(place, pair)| known[*place] && known[place + 1] && pair.iter().all(played));
    let one = |(place, pair): (usize, &[EntrantId])| {
        let [bot, next] = [pair[0], pair[1]];
        let [points, next_points] = [bot, next].map(|id| ledger.sampled_points(id) as f64);
        // In a drawn challenge one may have played more than the other.
        let games = [bot, next].map(|id| ledger.row(id).map_or(0, |row| row.games) as f64);
        let games = f64::midpoint(games[0], games[1]);
        let difference = (points - next_points) / games;
        let variance = covariance.of_difference(place, place + 1) / (games * games);
        Difference {
            bot: name_of(bot),
            next: name_of(next),
            points_per_game: difference,
            ci95: Interval::normal(difference, variance),
        }
    };
    compared.map(one).collect()
}
