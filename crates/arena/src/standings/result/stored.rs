//! Reads result documents back from JSON, for display.

use dicehill_rules::{Figure, Game, Summary};
use serde::Deserialize;
use serde::de::Error as _;
use serde_json::{Map, Value};

use crate::standings::result::standing::Votes;
use crate::{
    Bounds, Confidence, Distribution, EloRating, FigureSummary, HeadToHead, Interval, Lead, Luck,
    MarginReport, OwnTerms, Pairing, PlacementResult, ResultDocument, RevealedCommitment,
    ScoreDifference, SeatStanding, Standing, StandingBar, StartValue, StatisticsVersion,
    StoppingReport, Terms,
};

/// The only supported version of the format.
const SCHEMA: &str = "dicehill.result/1";

impl ResultDocument {
    /// Reads a JSON document of the game `G`. Its real numbers have the six significant digits of the text.
    ///
    /// # Errors
    /// If the text is not such a document, or one of another version or game.
    pub fn read<G: Game>(text: &str) -> serde_json::Result<Self> {
        let raw: RawDocument = serde_json::from_str(text)?;
        if raw.schema != SCHEMA || raw.terms.game != G::NAME {
            return Err(serde_json::Error::custom("unknown schema or game"));
        }
        if raw.terms.seed.is_none() {
            return Err(serde_json::Error::missing_field("seed"));
        }
        let verdict = raw.stopping_report();
        let standings = raw.standings.into_iter().map(RawStanding::check::<G>);
        Ok(Self {
            schema: SCHEMA,
            program: raw.program,
            terms: raw.terms,
            commitment: raw.commitment,
            games: raw.games,
            extra_games: raw.extra_games,
            start_value: raw.start_value,
            verdict,
            placing: raw.placing,
            champion: raw.champion,
            champion_sure: raw.champion_sure,
            tied: raw.tied,
            dependent: raw.dependent,
            statistics: raw.statistics.unwrap_or(StatisticsVersion::First),
            records: raw.records,
            standings: standings.collect::<serde_json::Result<_>>()?,
            left_out: raw.left_out,
            pairings: raw.pairings,
            differences: raw.differences,
            head_to_head: raw.head_to_head,
        })
    }
}

impl ResultDocument {
    /// The document with the real numbers of its JSON, so that a board of it is that of the stored document. One that cannot be
    /// read back keeps its own.
    #[must_use]
    pub fn as_written<G: Game>(&self) -> Self {
        let written = serde_json::to_string(self).and_then(|text| Self::read::<G>(&text));
        written.unwrap_or_else(|_| self.clone())
    }
}

#[derive(Deserialize)]
struct RawDocument {
    schema: String,
    program: String,
    #[serde(flatten)]
    terms: Terms,
    #[serde(flatten)]
    commitment: Option<RevealedCommitment>,
    games: u64,
    extra_games: u64,
    start_value: Option<StartValue>,
    until: Option<f64>,
    decided: Option<bool>,
    played: Option<u64>,
    lead: Option<Lead>,
    margin: Option<MarginReport>,
    placing: Option<PlacementResult>,
    champion: Option<String>,
    champion_sure: Option<f64>,
    tied: Vec<String>,
    dependent: bool,
    statistics: Option<StatisticsVersion>,
    records: String,
    standings: Vec<RawStanding>,
    #[serde(default)]
    pairings: Vec<Pairing>,
    differences: Vec<ScoreDifference>,
    head_to_head: Vec<HeadToHead>,
    #[serde(default)]
    left_out: Vec<String>,
}

impl RawDocument {
    fn stopping_report(&self) -> Option<StoppingReport> {
        let until = Confidence::new(self.until?).ok()?;
        let (decided, played, lead) = (self.decided?, self.played?, self.lead.clone());
        Some(StoppingReport { until, decided, played, lead, margin: self.margin.clone() })
    }
}

#[derive(Deserialize)]
struct RawStanding {
    rank: Option<usize>,
    bot: String,
    hash: String,
    author: Option<String>,
    url: Option<String>,
    points: u64,
    votes: Option<i64>,
    total: Option<u64>,
    games: u64,
    wins: u64,
    win_rate: Option<f64>,
    win_rate_ci95: Option<Interval>,
    rating: Option<f64>,
    rating_ci95: Option<Interval>,
    elo: Option<f64>,
    elo_ci95: Option<Bounds>,
    best: Option<f64>,
    seats: Vec<SeatStanding>,
    mark: String,
    luck: Option<Luck>,
    barred: Option<StandingBar>,
    #[serde(flatten)]
    own_terms: OwnTerms,
    /// The game's own figures.
    #[serde(flatten)]
    figures: Map<String, Value>,
}

impl RawStanding {
    fn check<G: Game>(self) -> serde_json::Result<Standing> {
        let figure = |figure: &Figure| {
            let value = self.figures.get(figure.name).unwrap_or(&Value::Null);
            Ok((figure.name, summary(figure, value)?))
        };
        let elo = (self.elo.is_some() || self.elo_ci95.is_some())
            .then_some(EloRating { value: self.elo, ci95: self.elo_ci95 });
        Ok(Standing {
            rank: self.rank,
            mark: self.mark,
            bot: self.bot,
            hash: self.hash,
            author: self.author,
            url: self.url,
            own_terms: self.own_terms,
            points: self.points,
            votes: self.votes.zip(self.total).map(|(votes, total)| Votes { votes, total }),
            games: self.games,
            wins: self.wins,
            win_rate: self.win_rate,
            win_rate_ci95: self.win_rate_ci95,
            figures: G::FIGURES.iter().map(figure).collect::<serde_json::Result<_>>()?,
            rating: self.rating,
            rating_ci95: self.rating_ci95,
            elo,
            best: self.best,
            seats: self.seats,
            luck: self.luck,
            barred: self.barred,
            placed: None,
        })
    }
}

fn summary(figure: &Figure, value: &Value) -> serde_json::Result<FigureSummary> {
    match figure.summary {
        Summary::Total => Ok(FigureSummary::Total(u64::deserialize(value)?.into())),
        Summary::Distribution => {
            Ok(FigureSummary::Distribution(Option::<Distribution>::deserialize(value)?))
        }
    }
}
