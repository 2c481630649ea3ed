//! The ratings of a hill's bots over its runs, and what each version of a bot gained.

use dicehill_store::RunSummary;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::board::Row;
use super::time::date;
use super::{EloEstimate, Estimate};

/// The most bots whose ratings are shown over time.
const MAX_BOTS: usize = 6;
/// The most runs that are shown, the last ones.
const MAX_RUNS: usize = 40;

/// The ratings of a whole run, and who got them.
#[derive(Clone, Debug)]
pub(crate) struct RunRatings {
    pub(crate) run: i64,
    pub(crate) ended: String,
    pub(crate) champion: Option<String>,
    pub(crate) bots: Vec<RatedBot>,
}

/// A bot in a run.
#[derive(Clone, Debug)]
pub(crate) struct RatedBot {
    pub(crate) bot: String,
    /// The number of its version, if the hill has it.
    pub(crate) version: Option<i64>,
    /// `None` if it is barred.
    pub(crate) rank: Option<usize>,
    pub(crate) elo: Option<EloEstimate>,
}

/// What of a result document is read.
#[derive(Deserialize)]
struct RatedResult {
    champion: Option<String>,
    standings: Vec<RatedRow>,
}

#[derive(Deserialize)]
struct RatedRow {
    bot: String,
    rank: Option<usize>,
    elo: Option<f64>,
    elo_ci95: Option<[Option<f64>; 2]>,
}

impl RunRatings {
    /// The ratings in the result of a run; `versions` has the version numbers by place in its header. `None` if the run has no
    /// result.
    pub(crate) fn read(summary: &RunSummary, versions: &[Option<i64>]) -> Option<Self> {
        let result: RatedResult = serde_json::from_str(summary.result.as_deref()?).ok()?;
        let names = || summary.header.bots.iter().map(|bot| bot.name.as_str());
        let version_of = |name: &str| {
            let place = names().position(|bot| bot == name)?;
            versions.get(place).copied().flatten()
        };
        let bot = |row: RatedRow| {
            let [low, high] = row.elo_ci95.unwrap_or([None; 2]);
            let elo = EloEstimate { value: row.elo, low, high };
            let is_rated = elo.value.or(low).or(high).is_some();
            RatedBot {
                version: version_of(&row.bot),
                bot: row.bot,
                rank: row.rank,
                elo: is_rated.then_some(elo),
            }
        };
        Some(Self {
            run: summary.run,
            ended: date(summary.ended.unwrap_or(summary.begun)),
            champion: result.champion,
            bots: result.standings.into_iter().map(bot).collect(),
        })
    }

    /// The bot of this name, if it plays in the run.
    pub(crate) fn find(&self, bot: &str) -> Option<&RatedBot> {
        self.bots.iter().find(|rated| rated.bot == bot)
    }
}

/// The ratings of a bot over the runs of its hill.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RatingSeries {
    /// The bot.
    #[schema(example = "greedy")]
    pub(crate) bot: String,
    /// Its ratings, oldest first.
    pub(crate) ratings: Vec<RatingOfRun>,
}

/// The rating of a bot in a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct RatingOfRun {
    /// The number of the run.
    pub(crate) run: i64,
    /// When the run ended.
    pub(crate) ended: String,
    /// The version of the bot, from 1; null if the hill does not have it.
    pub(crate) version: Option<i64>,
    /// Its rank; null if it was barred.
    pub(crate) rank: Option<usize>,
    /// Whether it was the champion of the run.
    pub(crate) is_champion: bool,
    /// Its rating among the entrants of this run; null if the games did not connect them.
    pub(crate) elo: Option<EloEstimate>,
}

/// The ratings of the bots at the top of a board, in its order, over the last whole runs; `runs` are oldest first.
pub(crate) fn series(runs: &[RunRatings], board: &[Row]) -> Vec<RatingSeries> {
    series_of(runs, board.iter().map(|row| row.bot.as_str()))
}

/// The ratings of the first of these bots that have some, over the last whole runs; `runs` are oldest first.
pub(crate) fn series_of<'a>(
    runs: &[RunRatings],
    bots: impl Iterator<Item = &'a str>,
) -> Vec<RatingSeries> {
    let last = &runs[runs.len().saturating_sub(MAX_RUNS)..];
    let of_bot = |bot: &str| {
        let ratings: Vec<_> = last.iter().filter_map(|run| rating(run, bot)).collect();
        let is_rated = ratings.iter().any(|rating| rating.elo.is_some());
        is_rated.then(|| RatingSeries { bot: bot.to_owned(), ratings })
    };
    bots.filter_map(of_bot).take(MAX_BOTS).collect()
}

fn rating(run: &RunRatings, bot: &str) -> Option<RatingOfRun> {
    let rated = run.find(bot)?;
    Some(RatingOfRun {
        run: run.run,
        ended: run.ended.clone(),
        version: rated.version,
        rank: rated.rank,
        is_champion: run.champion.as_deref() == Some(bot),
        elo: rated.elo,
    })
}

/// What a version of a bot gained.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct VersionGain {
    /// The number of the version, from 1.
    pub(crate) version: i64,
    /// The first whole run that it played in.
    pub(crate) run: i64,
    /// Its rank in that run; null if it was barred.
    pub(crate) rank: Option<usize>,
    /// Its rating in that run.
    pub(crate) elo: Option<EloEstimate>,
    /// Its rating less that of the version before it in the last run of that; null if one of the two has no interval.
    pub(crate) gained: Option<Estimate>,
}

/// The versions of a bot that played in these runs, and what each gained over the one before; oldest first.
pub(crate) fn gains(runs: &[RunRatings], bot: &str) -> Vec<VersionGain> {
    let mut gains: Vec<VersionGain> = Vec::new();
    let mut before: Option<&RatedBot> = None;
    for run in runs {
        let Some(rated) = run.find(bot) else { continue };
        let Some(version) = rated.version else { continue };
        if before.is_none_or(|before| before.version != Some(version)) {
            let gained = before.and_then(|before| gain(before.elo?, rated.elo?));
            gains.push(VersionGain {
                version,
                run: run.run,
                rank: rated.rank,
                elo: rated.elo,
                gained,
            });
        }
        before = Some(rated);
    }
    gains
}

/// The difference of two ratings from different games, with the interval of a difference of independent estimates.
pub(crate) fn gain(before: EloEstimate, after: EloEstimate) -> Option<Estimate> {
    let half = |rating: EloEstimate| Some((rating.high? - rating.low?) / 2.0);
    let value = after.value? - before.value?;
    let half = half(before)?.hypot(half(after)?);
    let [value, low, high] = [value, value - half, value + half].map(dicehill_arena::six_digits);
    Some(Estimate { value, ci95: Some([low, high]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(run: i64, bots: &[(&str, i64, f64)]) -> RunRatings {
        let bot = |(bot, version, elo): &(&str, i64, f64)| RatedBot {
            bot: (*bot).to_owned(),
            version: Some(*version),
            rank: Some(1),
            elo: Some(EloEstimate {
                value: Some(*elo),
                low: Some(elo - 3.0),
                high: Some(elo + 3.0),
            }),
        };
        let bots = bots.iter().map(bot).collect();
        RunRatings { run, ended: String::new(), champion: None, bots }
    }

    #[test]
    fn a_version_gains_over_the_last_run_of_the_one_before() {
        let runs = [
            run(1, &[("ada", 1, 10.0)]),
            run(2, &[("ada", 1, 12.0), ("bob", 1, 0.0)]),
            run(3, &[("bob", 1, 0.0)]),
            run(4, &[("ada", 2, 32.0)]),
            run(5, &[("ada", 2, 99.0)]),
        ];
        let gains = gains(&runs, "ada");
        let found: Vec<_> = gains.iter().map(|gain| (gain.version, gain.run)).collect();
        assert_eq!(found, [(1, 1), (2, 4)]);
        assert_eq!(gains[0].gained, None, "the first has none before it");
        let gained = gains[1].gained.expect("both have intervals");
        assert_eq!(gained.value, 20.0);
        // Two halves of 3 add up as the sides of a right triangle.
        assert_eq!(gained.ci95, Some([15.7574, 24.2426]));
    }

    #[test]
    fn a_rating_with_one_bound_has_no_gain() {
        let bounded = EloEstimate { value: None, low: None, high: Some(-600.0) };
        let rated = EloEstimate { value: Some(1.0), low: Some(0.0), high: Some(2.0) };
        assert_eq!(gain(bounded, rated), None);
        assert_eq!(gain(rated, bounded), None);
    }
}
