//! A run and its board.

use std::collections::BTreeSet;

use dicehill_arena::{
    Bar, FigureSummary, Highlights, Luck, PlacementResult, ResultDocument, SeatStanding, Standing,
    printable, six_digits,
};
use dicehill_store::{RecordedBot, RunHeader};
use serde::Serialize;
use utoipa::ToSchema;

use super::highlights::{HighlightDocument, documents};
use super::host_paths::without_host_paths;
use super::placed_line::PlacedLine;
use super::tally::{BotTally, Tally};
use super::{EloEstimate, Estimate};

/// Where a bot stands on a board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// Its rank; `None` if it was barred.
    pub(crate) rank: Option<usize>,
    /// The entrants with a rank.
    pub(crate) among: usize,
    /// Its rating.
    pub(crate) elo: Option<EloEstimate>,
    /// The points per game that it gives up against optimal play, where that is known.
    pub(crate) loss: Option<Estimate>,
}

impl BoardDocument {
    /// Where the bot stands; `None` if it has played no game.
    pub(crate) fn place_of(&self, bot: &str) -> Option<Place> {
        let row = self.rows.iter().find(|row| row.bot == bot && row.games > 0)?;
        Some(Place {
            rank: row.rank,
            among: self.rows.iter().filter(|row| row.rank.is_some()).count(),
            elo: row.elo,
            loss: row.luck.as_ref().and_then(|luck| luck.loss),
        })
    }
}

/// A run and how it stands.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BoardDocument {
    /// The hill's name in addresses.
    #[schema(example = "spring")]
    pub(crate) hill: String,
    /// The run's number, from 1.
    pub(crate) run: i64,
    /// The hill's name.
    #[schema(example = "Spring hill")]
    pub(crate) name: String,
    /// `yahtzee` or `liars-dice`.
    #[schema(example = "yahtzee")]
    pub(crate) game: String,
    /// The variant of the rules.
    #[schema(example = "official")]
    pub(crate) rules: String,
    /// `challenge`, `duel` or `gauntlet`.
    #[schema(example = "challenge")]
    pub(crate) format: String,
    /// Players per table of a duel.
    pub(crate) seats: Option<i64>,
    /// Whether a process serves one `game`, or the whole `set`.
    #[schema(example = "game")]
    pub(crate) memory: String,
    /// The program that plays.
    #[schema(example = "dicehill 0.1.0")]
    pub(crate) program: String,
    /// When it began.
    #[schema(example = "2026-03-01T12:00:00Z")]
    pub(crate) begun: String,
    /// When it ended.
    pub(crate) ended: Option<String>,
    /// Its progress.
    pub(crate) progress: Progress,
    /// The master seed; only of a run that has ended.
    pub(crate) seed: Option<String>,
    /// BLAKE3 over the lines of all games; only of a run that has ended.
    pub(crate) records: Option<String>,
    /// What was published before the run, if its seed follows from a secret.
    pub(crate) commitment: Option<String>,
    /// The score that optimal play gets on average, where games are appraised.
    #[schema(example = 254.588)]
    pub(crate) start_value: Option<f64>,
    /// The sole leader when the run has ended.
    #[schema(example = "greedy")]
    pub(crate) champion: Option<String>,
    /// The probability that the champion is the best, 0 to 1.
    pub(crate) champion_sure: Option<f64>,
    /// The entrants that share the lead.
    pub(crate) tied: Vec<String>,
    /// Whether games may depend on earlier ones, because bots remember them.
    pub(crate) dependent: bool,
    /// The entrant that the run placed; null if it was no placement.
    pub(crate) placed: Option<PlacedLine>,
    /// Remarks on the run.
    pub(crate) notes: Vec<String>,
    /// Best first; barred entrants last.
    pub(crate) rows: Vec<Row>,
    /// The number of failures by entrant and reason, in games that count.
    pub(crate) failures: Vec<FailureCount>,
    /// The barred entrants, in order.
    pub(crate) bars: Vec<BarDocument>,
    /// The most remarkable games, at most three of each kind, the most remarkable first; null if they were not looked for, as
    /// in runs that older versions recorded.
    pub(crate) highlights: Option<Vec<HighlightDocument>>,
}

/// The progress of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Progress {
    /// Whether the run is in progress.
    pub(crate) state: RunState,
    /// Games that are stored and count.
    #[schema(example = 640)]
    pub(crate) games: u64,
    /// Games of the whole run, at most.
    #[schema(example = 1000)]
    pub(crate) of: u64,
    /// Games per second, lately; only while the run is in progress.
    pub(crate) rate: Option<f64>,
    /// Seconds until the end at this rate.
    pub(crate) seconds_left: Option<u64>,
}

/// Whether a run is in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunState {
    /// Games are played now.
    Playing,
    /// The run has not ended, and is not in progress.
    Stopped,
    /// The run has ended.
    Ended,
    /// The run was altered since it ended: its seal is broken, and nothing of it is shown.
    Altered,
}

impl RunState {
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Playing => "playing",
            Self::Stopped => "interrupted",
            Self::Ended => "ended",
            Self::Altered => "altered",
        }
    }
}

/// An entrant's line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Row {
    /// From 1, the same for equal points; null for an entrant that is barred.
    pub(crate) rank: Option<usize>,
    /// Letters: two entrants that the games cannot tell apart share one.
    #[schema(example = "a")]
    pub(crate) mark: String,
    /// The entrant's name.
    #[schema(example = "greedy")]
    pub(crate) bot: String,
    /// Its place among the entrants of the run, from 0.
    pub(crate) place: usize,
    /// What it plays with, down to its content.
    pub(crate) hash: String,
    /// Who wrote it.
    pub(crate) author: Option<String>,
    /// Where to read about it.
    pub(crate) url: Option<String>,
    /// Whether it may use the network, so that its answers are not determined by its program alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) network: bool,
    /// Whether it runs on its author's machine, without a sandbox, so that its games cannot be played again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) remote: bool,
    /// Points of the games.
    #[schema(example = 412)]
    pub(crate) points: u64,
    /// As entered by the host, where the board counts them.
    pub(crate) votes: Option<i64>,
    /// Points and ten times the votes, where the board counts them.
    pub(crate) total: Option<u64>,
    /// Games, without play-offs.
    pub(crate) games: u64,
    /// Games won.
    pub(crate) wins: u64,
    /// Share of the games that were won, 0 to 1.
    pub(crate) win_rate: Option<Estimate>,
    /// Strength on Elo's scale; 0 is the mean of the entrants' ratings, weighted by information.
    pub(crate) rating: Option<Estimate>,
    /// Strength on Elo's scale; 0 is the rating of mean strength, with which an entrant would win its share of the games with
    /// all of them at one table.
    pub(crate) elo: Option<EloEstimate>,
    /// The chance that its expected points are the highest, 0 to 1.
    pub(crate) best: Option<f64>,
    /// The game's own figures.
    pub(crate) figures: Vec<Figure>,
    /// What it came to at each seat.
    pub(crate) seats: Vec<SeatRow>,
    /// What its decisions cost, and its luck-adjusted score.
    pub(crate) luck: Option<LuckRow>,
    /// Why it is barred, if it is.
    pub(crate) barred: Option<String>,
    /// How it was placed, on a hill's board whose last whole tournament was before it came. Its points, games and
    /// wins are those of its placement.
    pub(crate) placed: Option<PlacedRow>,
}

/// How an entrant was placed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PlacedRow {
    /// The run that placed it.
    pub(crate) run: i64,
    /// The best and the worst rank of the 95 % interval.
    #[schema(example = json!([2, 4]))]
    pub(crate) rank_ci95: [usize; 2],
    /// Entrants at the time, itself included.
    pub(crate) among: usize,
    /// Games of the placement.
    pub(crate) games: u64,
}

/// A figure of a game, summed up.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Figure {
    /// For example `score` or `dice_gained`.
    #[schema(example = "score")]
    pub(crate) name: String,
    /// Its sum, of a figure that is summed up.
    pub(crate) total: Option<u64>,
    /// Its mean, of a figure that has a distribution.
    pub(crate) mean: Option<Estimate>,
    /// Its standard deviation.
    pub(crate) sd: Option<f64>,
    /// The least value.
    pub(crate) min: Option<u64>,
    /// The mean of the middle two where there is no middle one.
    pub(crate) median: Option<f64>,
    /// The greatest value.
    pub(crate) max: Option<u64>,
}

/// What an entrant came to at one seat.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SeatRow {
    /// The seat's place in the turn order, from 0.
    pub(crate) seat: usize,
    /// Games at this seat.
    pub(crate) games: u64,
    /// Games won.
    pub(crate) wins: u64,
    /// Points of the games.
    pub(crate) points: u64,
    /// Share of the games that were won, 0 to 1.
    pub(crate) win_rate: Option<Estimate>,
}

/// Scores and points without the luck that is known.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LuckRow {
    /// Expected score that decisions cost a game.
    pub(crate) loss: Option<Estimate>,
    /// The mean luck-adjusted score.
    pub(crate) score: Option<Estimate>,
    /// The variance of the mean score divided by that of the luck-adjusted score.
    pub(crate) score_variance_ratio: Option<f64>,
    /// Points a game, as they are.
    pub(crate) points: Option<Estimate>,
    /// Luck-adjusted points per game.
    pub(crate) points_without_luck: Option<Estimate>,
    /// The variance of the former divided by that of the latter.
    pub(crate) points_variance_ratio: Option<f64>,
}

/// How often an entrant failed for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct FailureCount {
    /// The entrant.
    pub(crate) bot: String,
    /// For example `illegal-move`.
    #[schema(example = "timeout")]
    pub(crate) reason: String,
    /// How often.
    pub(crate) count: u64,
}

/// An entrant was barred.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BarDocument {
    /// The entrant.
    pub(crate) bot: String,
    /// For example `illegal-move`.
    pub(crate) reason: String,
    /// The game in which it happened, or 0 if it was the qualification.
    pub(crate) game: u64,
    /// Whether only its author and the hosts may read what follows, which is empty here then.
    pub(crate) is_private: bool,
    /// What it answered, and what is wrong with that.
    pub(crate) detail: String,
    /// What it was shown there.
    pub(crate) request: String,
    /// The last lines of its log.
    pub(crate) log: Vec<String>,
}

/// What is known of a run without its games.
pub(crate) struct RunFacts<'a> {
    pub(crate) hill: &'a str,
    pub(crate) run: i64,
    pub(crate) header: &'a RunHeader,
    pub(crate) begun: i64,
    pub(crate) ended: Option<i64>,
    pub(crate) progress: Progress,
    pub(crate) bars: &'a [Bar],
    /// The bots whose requests, answers and logs only their authors and hosts may read.
    pub(crate) private: BTreeSet<String>,
    /// Its most remarkable games; `None` if they were not looked for.
    pub(crate) highlights: Option<Highlights>,
}

impl BoardDocument {
    /// The board of a run; `tally` holds what its games say beyond the result.
    pub(crate) fn new(facts: &RunFacts<'_>, result: &ResultDocument, tally: &Tally) -> Self {
        let RunFacts { hill, run, header, begun, ended, progress, bars, private, highlights } =
            facts;
        let terms = &header.hill.terms;
        let is_over = progress.state == RunState::Ended;
        let place =
            |name: &str| header.bots.iter().position(|bot| bot.name.as_str() == name).unwrap_or(0);
        let champion = result.decided_champion().filter(|_| is_over).map(str::to_owned);
        let placed = result.placing.as_ref().map(|placing| {
            let row = result.standings.iter().find(|row| row.bot == placing.bot);
            let barred = row.and_then(|row| row.barred.as_ref());
            let barred = barred.map(|bar| bar.reason.as_str());
            PlacedLine::new(placing, barred, result.standings.len())
        });
        Self {
            hill: (*hill).to_owned(),
            run: *run,
            name: printable(&terms.name),
            game: terms.game.clone(),
            rules: terms.rules.clone(),
            format: terms.format.name().to_owned(),
            seats: terms.seats,
            memory: terms.memory.name().to_owned(),
            program: printable(&header.program),
            begun: super::time::date(*begun),
            ended: ended.map(super::time::date),
            progress: progress.clone(),
            seed: is_over.then(|| printable(&header.seed)),
            records: (is_over && !result.records.is_empty()).then(|| result.records.clone()),
            commitment: header.commitment.clone(),
            start_value: header.start_value.map(|start| six_digits(start.points())),
            champion_sure: champion.as_ref().and(result.champion_sure).map(six_digits),
            champion,
            tied: if is_over { result.tied.clone() } else { Vec::new() },
            dependent: result.dependent,
            placed: placed.filter(|_| is_over),
            notes: notes(result),
            rows: rows(result, place),
            failures: failure_counts(tally, header),
            bars: bars.iter().map(|bar| BarDocument::new(bar, private)).collect(),
            highlights: highlights.as_ref().map(documents),
        }
    }
}

/// An ended run that placed an entrant.
#[derive(Clone)]
pub(crate) struct PlacementRun {
    pub(crate) run: i64,
    pub(crate) header: RunHeader,
    pub(crate) result: ResultDocument,
}

impl BoardDocument {
    /// The board of a league: this board of its last whole run, whose result is `result`, with the entrants that were
    /// placed since.
    pub(crate) fn with_placements(
        mut self,
        result: ResultDocument,
        placements: &[PlacementRun],
    ) -> Self {
        let league = result.with_placements(placements.iter().map(|placement| &placement.result));
        let known = std::mem::take(&mut self.rows);
        let row = |standing: &Standing| {
            let Some(placing) = &standing.placed else {
                let mut row = known.iter().find(|row| row.bot == standing.bot)?.clone();
                row.rank = standing.rank;
                return Some(row);
            };
            let placement = placements.iter().rev().find(|placement| {
                placement.result.placing.as_ref().is_some_and(|of| of.bot == placing.bot)
            })?;
            let bots = &placement.header.bots;
            let place = bots.iter().position(|bot| bot.name.as_str() == placing.bot)?;
            Some(Row::of_placed(standing, placing, placement.run, place))
        };
        self.rows = league.standings.iter().filter_map(row).collect();
        self.champion_sure = league.champion_sure.map(six_digits);
        (self.champion, self.tied) = (league.champion, league.tied);
        self
    }
}

/// How often each entrant failed, by reason.
fn failure_counts(tally: &Tally, header: &RunHeader) -> Vec<FailureCount> {
    let counts = |(bot, tally): (&RecordedBot, &BotTally)| -> Vec<FailureCount> {
        let count = |(reason, count): (&&str, &u64)| FailureCount {
            bot: bot.name.to_string(),
            reason: (*reason).to_owned(),
            count: *count,
        };
        tally.failures.iter().map(count).collect()
    };
    header.bots.iter().zip(&tally.bots).flat_map(counts).collect()
}

/// The rows of a result; `place` is the place of a bot in the header. In a placement the new entrant is first, and alone has a rank:
/// ranks, letters and ratings of its few games, against rivals that were chosen, would contradict the rank that it found.
fn rows(result: &ResultDocument, place: impl Fn(&str) -> usize) -> Vec<Row> {
    let rows = result.standings.iter().map(|row| Row::new(row, place(&row.bot)));
    let Some(placing) = &result.placing else { return rows.collect() };
    let without_ranks = |row: Row| {
        let found = result.placement().filter(|found| found.bot == row.bot);
        let rank = found.map(|found| found.rank);
        Row { rank, mark: String::new(), rating: None, elo: None, best: None, ..row }
    };
    let mut rows: Vec<_> = rows.map(without_ranks).collect();
    rows.sort_by_key(|row| row.bot != placing.bot);
    rows
}

/// Remarks on the whole board.
fn notes(result: &ResultDocument) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(placing) = result.placement() {
        let [best, worst] = placing.rank_ci95;
        notes.push(format!(
            "{} is placed as number {} of {} (95 % CI {best} to {worst}), after {} games.",
            placing.bot, placing.rank, placing.among, placing.games
        ));
    }
    if let Some(verdict) = &result.verdict {
        let so = if verdict.decided { "Decided" } else { "Not decided" };
        notes.push(format!("{so} after {} games at {}.", verdict.played, verdict.until));
    }
    if result.extra_games > 0 {
        notes.push(match result.extra_games {
            1 => "One play-off game was played.".to_owned(),
            games => format!("{games} play-off games were played."),
        });
    }
    if result.dependent {
        notes.push(
            "Bots remember earlier games: intervals and probabilities are valid only if games are independent."
                .to_owned(),
        );
    }
    notes
}

impl Row {
    fn new(row: &Standing, place: usize) -> Self {
        let barred = |bar: &dicehill_arena::StandingBar| match bar.game {
            0 => format!("{} in the qualification", bar.reason),
            game => format!("{} in game {game}", bar.reason),
        };
        Self {
            rank: row.rank,
            mark: row.mark.clone(),
            bot: row.bot.clone(),
            place,
            hash: printable(&row.hash),
            author: row.author.as_deref().map(printable),
            url: row.url.clone().filter(|url| is_web_address(url)),
            network: row.own_terms.network,
            remote: row.own_terms.remote,
            points: row.points,
            votes: row.votes.map(|votes| votes.votes),
            total: row.votes.map(|votes| votes.total),
            games: row.games,
            wins: row.wins,
            win_rate: Estimate::of(row.win_rate, row.win_rate_ci95),
            rating: Estimate::of(row.rating, row.rating_ci95),
            elo: row.elo.map(EloEstimate::from),
            best: row.best.map(six_digits),
            figures: row.figures.iter().map(|(name, figure)| Figure::new(name, figure)).collect(),
            seats: row.seats.iter().map(SeatRow::from).collect(),
            luck: row.luck.as_ref().map(LuckRow::from),
            barred: row.barred.as_ref().map(barred),
            placed: None,
        }
    }

    /// The row of an entrant that was placed by `run`; `place` is its place in that run's header.
    fn of_placed(row: &Standing, placing: &PlacementResult, run: i64, place: usize) -> Self {
        let PlacementResult { rank_ci95, among, games, .. } = *placing;
        Self { placed: Some(PlacedRow { run, rank_ci95, among, games }), ..Self::new(row, place) }
    }
}

/// Whether an address given by a bot's author may become a link.
fn is_web_address(url: &str) -> bool {
    (url.starts_with("https://") || url.starts_with("http://"))
        && url.chars().all(|c| c.is_ascii_graphic())
}

impl Figure {
    fn new(name: &str, summary: &FigureSummary) -> Self {
        let name = name.to_owned();
        let nothing =
            Self { name, total: None, mean: None, sd: None, min: None, median: None, max: None };
        match summary {
            FigureSummary::Total(total) => {
                Self { total: Some(u64::try_from(*total).unwrap_or(u64::MAX)), ..nothing }
            }
            FigureSummary::Distribution(None) => nothing,
            FigureSummary::Distribution(Some(found)) => Self {
                mean: Some(Estimate::new(found.mean, found.interval())),
                sd: found.sd.map(six_digits),
                min: Some(found.min),
                median: Some(found.median),
                max: Some(found.max),
                ..nothing
            },
        }
    }
}

impl From<&SeatStanding> for SeatRow {
    fn from(seat: &SeatStanding) -> Self {
        Self {
            seat: seat.seat,
            games: seat.games,
            wins: seat.wins,
            points: seat.points,
            win_rate: Estimate::of(Some(seat.win_rate), seat.win_rate_ci95),
        }
    }
}

impl From<&Luck> for LuckRow {
    fn from(luck: &Luck) -> Self {
        let points = luck.points.as_ref();
        Self {
            loss: Estimate::of(luck.loss, luck.loss_interval()),
            score: Estimate::of(luck.score, luck.score_interval()),
            score_variance_ratio: luck.variance_ratio.map(six_digits),
            points: points.and_then(|of| Estimate::of(Some(of.plain), Some(of.plain_ci95))),
            points_without_luck: points
                .and_then(|of| Estimate::of(Some(of.adjusted), Some(of.adjusted_ci95))),
            points_variance_ratio: points.and_then(|of| of.variance_ratio).map(six_digits),
        }
    }
}

impl BarDocument {
    fn new(bar: &Bar, private: &BTreeSet<String>) -> Self {
        let is_private = private.contains(&bar.bot);
        let shown = |text: &str| if is_private { String::new() } else { printable(text) };
        let log = if is_private { &[][..] } else { &bar.log };
        Self {
            bot: bar.bot.clone(),
            reason: printable(&bar.reason),
            game: bar.game,
            is_private,
            detail: without_host_paths(&shown(&bar.detail)),
            request: shown(&bar.request),
            log: log.iter().map(|line| without_host_paths(&printable(line))).collect(),
        }
    }
}
