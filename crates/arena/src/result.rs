//! The result document: who came where, with how much certainty.

mod board;
mod differences;
mod encounters;
mod league;
mod luck;
mod seats;
mod stored;

pub use differences::Difference;
pub use encounters::HeadToHead;
pub use luck::{AdjustedPoints, Luck};
pub use seats::SeatStanding;

use board::Board;
use dicehill_rules::{Game, Summary};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::ledger::{FigureTally, Ledger, Row, Stratum};
use crate::statistics::{self, Interval, six_digits};
use crate::{
    Bar, Commitment, EntrantId, Format, Header, Hill, Memory, Placing, StartValue, Verdict,
};

/// The result of a run: a pure function of hill, seed and program version.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultDocument {
    /// `dicehill.result/1`.
    pub schema: &'static str,
    /// The program's name and version.
    pub program: String,
    /// The hill's name.
    pub name: String,
    /// The game.
    pub game: String,
    /// The variant of the rules.
    pub rules: String,
    /// The format.
    pub format: &'static str,
    /// How many sit at a table of a duel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<usize>,
    /// Who runs a gauntlet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenger: Option<String>,
    /// How long a bot lives.
    pub memory: &'static str,
    /// The master seed.
    pub seed: String,
    /// The secret from which it follows.
    #[serde(flatten)]
    pub commitment: Option<RevealedCommitment>,
    /// Games, or games for each pairing.
    pub games: u64,
    /// Games that played off a tie.
    pub extra_games: u64,
    /// The score that optimal play gets on average, if games are appraised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_value: Option<StartValue>,
    /// Whether its question was decided, if it was to end as soon as it is.
    #[serde(flatten)]
    pub verdict: Option<Verdict>,
    /// Where the challenger stands, if it was placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placing: Option<Placing>,
    /// Who leads alone. Nobody in a gauntlet, where one plays more games than the others.
    pub champion: Option<String>,
    /// The chance that the champion is the best: its [`Standing::best`].
    #[serde(serialize_with = "optional_six_digits")]
    pub champion_sure: Option<f64>,
    /// Those who share the lead.
    pub tied: Vec<String>,
    /// Whether games may depend on earlier ones, because bots remember them. Intervals and chances treat
    /// them as independent all the same.
    pub dependent: bool,
    /// BLAKE3 over the lines of all games that count, each with its newline, in order.
    pub records: String,
    /// Best first; those who are barred last.
    pub standings: Vec<Standing>,
    /// What each pairing of a duel or gauntlet came to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairings: Vec<Group>,
    /// What lies between neighbours on the board. Empty in a gauntlet, where one plays more games than
    /// the others.
    pub differences: Vec<Difference>,
    /// Each pair that has met, the better ones first. Empty of more than 64 entrants.
    pub head_to_head: Vec<HeadToHead>,
}

/// What a committed run reveals when it is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevealedCommitment {
    /// What was published before.
    pub commitment: String,
    /// The secret, in hexadecimal digits.
    pub secret: String,
    /// The nonce, in hexadecimal digits.
    pub nonce: String,
    /// What came to it from outside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_text: Option<String>,
}

impl From<&Commitment> for RevealedCommitment {
    fn from(Commitment { secret, public_text }: &Commitment) -> Self {
        Self {
            commitment: secret.commitment(),
            secret: secret.secret_hex(),
            nonce: secret.nonce_hex(),
            public_text: public_text.clone(),
        }
    }
}

/// One entrant's line.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// From 1, the same for equal points; `None` for an entrant that is barred.
    pub rank: Option<usize>,
    /// Letters: two entrants that the data cannot tell apart share one.
    pub mark: String,
    /// The entrant's name.
    pub bot: String,
    /// What it plays with, down to its content.
    pub hash: String,
    /// Who wrote it.
    pub author: Option<String>,
    /// Where to read about it.
    pub url: Option<String>,
    /// Points of the games.
    pub points: u64,
    /// Votes, and points with ten for each vote, where the board counts them.
    pub votes: Option<Votes>,
    /// Games, without play-offs.
    pub games: u64,
    /// Games won, without play-offs.
    pub wins: u64,
    /// Share of the games that were won, 0 to 1.
    pub win_rate: Option<f64>,
    /// Its 95 % interval.
    pub win_rate_ci95: Option<Interval>,
    /// The game's own figures, by name.
    pub figures: Vec<(&'static str, FigureSummary)>,
    /// How strong it is, on Elo's scale, by who won in all games at once; the mean of all who are rated,
    /// weighted by how much their games say, is 0. `None` if nothing says how the entrants compare.
    pub rating: Option<f64>,
    /// Its 95 % interval, from resamples of the blocks.
    pub rating_ci95: Option<Interval>,
    /// The chance that its expected points are the highest, 0 to 1; in a gauntlet, that its rating is.
    pub best: Option<f64>,
    /// What it came to at each seat where it has sat, at tables of up to 64.
    pub seats: Vec<SeatStanding>,
    /// What its decisions cost, and what it came to without luck; `None` where games are not appraised.
    pub luck: Option<Luck>,
    /// Why the entrant is barred.
    pub barred: Option<RowBar>,
    /// How the entrant was placed, on the board of a league whose last whole run was before it came.
    pub placed: Option<Placing>,
}

/// An entrant's votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Votes {
    /// As entered by the host.
    pub votes: i64,
    /// Points and ten times the votes that are not negative.
    pub total: u64,
}

/// A figure summed up.
#[derive(Clone, Debug, PartialEq)]
pub enum FigureSummary {
    /// By its distribution; `None` without games.
    Distribution(Option<Distribution>),
    /// By its sum.
    Total(u128),
}

/// How a figure is distributed over games.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Distribution {
    /// The arithmetic mean.
    pub mean: f64,
    /// The mean's standard error; `None` of fewer than two samples.
    pub se: Option<f64>,
    /// The standard deviation, with the divisor n - 1; `None` of fewer than two games.
    pub sd: Option<f64>,
    /// The least value.
    pub min: u64,
    /// The mean of the middle two where there is no middle one.
    pub median: f64,
    /// The greatest value.
    pub max: u64,
}

/// Why an entrant is barred, without the record of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowBar {
    /// For example `illegal-move`.
    pub reason: String,
    /// The game in which the bar fell, or 0 if it was the qualification.
    pub game: u64,
    /// What the entrant was shown there.
    pub request: String,
    /// What it answered, and what is wrong with that.
    pub detail: String,
}

/// What a pairing came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Games played.
    pub games: u64,
    /// Blocks played; a block is a sample.
    pub blocks: u64,
    /// Each of the pairing, in the order of the hill.
    pub results: Vec<GroupResult>,
}

/// What a pairing came to for one of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupResult {
    /// The entrant's name.
    pub bot: String,
    /// Points of these games.
    pub points: u128,
    /// Games won.
    pub wins: u128,
    /// Share of the games that were won, 0 to 1.
    #[serde(serialize_with = "optional_six_digits")]
    pub win_rate: Option<f64>,
    /// Its 95 % interval.
    pub win_rate_ci95: Option<Interval>,
}

impl ResultDocument {
    /// The result of a run of `hill` as it stands in `ledger`.
    ///
    /// `active` are those who are not barred, ascending; `records` is the hash over the lines of all
    /// games that count.
    #[must_use]
    pub fn new<G: Game>(
        hill: &Hill<G>,
        ledger: &Ledger,
        active: &[EntrantId],
        bars: &[Bar],
        records: String,
    ) -> Self {
        let header = Header::new(hill);
        let board = Board::new(hill, ledger, active);
        let mut standings: Vec<_> = (0..board.ranked.len()).map(|p| board.standing(p)).collect();
        let first: Vec<_> = standings.iter().filter(|row| row.rank == Some(1)).collect();
        let (champion, champion_sure, tied) = match first.as_slice() {
            _ if !is_crowned(hill, active) => (None, None, Vec::new()),
            [one] => (Some(one.bot.clone()), one.best, Vec::new()),
            many => (None, None, many.iter().map(|row| row.bot.clone()).collect()),
        };
        standings.extend(bars.iter().map(|bar| barred_standing(hill, ledger, bar)));
        Self {
            schema: "dicehill.result/1",
            program: header.program,
            name: header.name,
            game: header.game,
            rules: header.rules,
            format: header.format,
            seats: header.seats,
            challenger: hill.challenger(active).map(|id| hill.name_of(id).to_owned()),
            memory: header.memory,
            seed: header.seed,
            commitment: hill.commitment().map(RevealedCommitment::from),
            games: header.games,
            extra_games: ledger.play_offs(),
            start_value: hill.start_value(),
            verdict: ledger.decision().map(|decision| decision.verdict(hill, ledger.games())),
            placing: None,
            champion,
            champion_sure,
            tied,
            dependent: hill.memory() == Memory::Set,
            records,
            standings,
            pairings: pairings(hill, ledger),
            differences: board.differences(),
            head_to_head: board.head_to_head(),
        }
    }
}

/// Whether whoever is first alone is the champion. Of two who cannot fill a table of three nobody has
/// lost to anybody.
fn is_crowned<G: Game>(hill: &Hill<G>, active: &[EntrantId]) -> bool {
    match hill.format() {
        Format::Challenge => true,
        Format::Duel { seats } => active.len() >= seats || active.len() < 2,
        Format::Gauntlet { .. } => active.len() < 2,
    }
}

/// Points, and ten for each vote where votes count and are not negative.
fn board_total<G: Game>(hill: &Hill<G>, ledger: &Ledger, id: EntrantId) -> u64 {
    ledger.points(id) + hill.head_start(id)
}

/// An entrant's line without what depends on the others.
fn standing<G: Game>(hill: &Hill<G>, ledger: &Ledger, id: EntrantId) -> Standing {
    let entrant = hill.entrant(id);
    let nothing = Row::default();
    let row = ledger.row(id).unwrap_or(&nothing);
    let parts = parts(ledger, id);
    let blocks = (hill.format() != Format::Challenge).then_some(parts.as_slice());
    let win_rate_ci95 = match blocks {
        Some(parts) => win_interval(parts, hill.format().games_per_block()),
        None => statistics::wilson(row.wins as f64, row.games, row.games as f64),
    };
    let votes =
        || Votes { votes: entrant.votes.unwrap_or(0), total: board_total(hill, ledger, id) };
    Standing {
        rank: None,
        mark: String::new(),
        bot: entrant.name.to_string(),
        hash: entrant.program.identity(),
        author: entrant.author.clone(),
        url: entrant.url.clone(),
        points: row.points,
        votes: G::CHALLENGE.votes_count.then(votes),
        games: row.games,
        wins: row.wins,
        win_rate: (row.games > 0).then(|| row.wins as f64 / row.games as f64),
        win_rate_ci95,
        figures: figures::<G>(row, blocks),
        rating: None,
        rating_ci95: None,
        best: None,
        seats: seats::seats(row),
        luck: hill.start_value().map(|start| {
            let block = blocks.map(|_| hill.format().games_per_block());
            luck::luck(start, row, &parts, block)
        }),
        barred: None,
        placed: None,
    }
}

fn barred_standing<G: Game>(hill: &Hill<G>, ledger: &Ledger, bar: &Bar) -> Standing {
    let id = hill.ids().find(|id| hill.name_of(*id) == bar.bot).expect("a bar names an entrant");
    let Bar { reason, game, request, detail, .. } = bar.clone();
    Standing {
        barred: Some(RowBar { reason, game, request, detail }),
        ..standing(hill, ledger, id)
    }
}

/// The share of wins over whole blocks, with Wilson's interval for as many independent games as
/// would say as much as the blocks do: between the number of blocks and, should the seats of a
/// block cancel each other's luck, as many times the games as a block is long.
fn win_interval(parts: &[(&Stratum, usize)], games_per_block: u64) -> Option<Interval> {
    let blocks: u64 = parts.iter().map(|(stratum, _)| stratum.samples).sum();
    let games = blocks * games_per_block;
    let wins = parts.iter().map(|(stratum, place)| stratum.wins[*place].sum).sum::<u128>() as f64;
    let observed = variance_of_sum(parts, |stratum| &stratum.wins);
    let most = (games * games_per_block) as f64;
    let effective = statistics::effective_games(wins, games, observed, (blocks as f64, most));
    statistics::wilson(wins, games, effective)
}

/// Variance of a sum over all samples; `None` if some pairing has a single one.
fn variance_of_sum(
    parts: &[(&Stratum, usize)],
    of: impl Fn(&Stratum) -> &Vec<statistics::Sums>,
) -> Option<f64> {
    let each = |(stratum, place): &(&Stratum, usize)| {
        of(stratum)[*place].variance().map(|each| each * stratum.samples as f64)
    };
    parts.iter().map(each).sum()
}

/// The pairings that an entrant has played in, and its place in each.
fn parts(ledger: &Ledger, id: EntrantId) -> Vec<(&Stratum, usize)> {
    let played = ledger.strata().iter().filter(|stratum| stratum.samples > 0);
    played.filter_map(|stratum| Some((stratum, stratum.place(id)?))).collect()
}

fn figures<G: Game>(
    row: &Row,
    blocks: Option<&[(&Stratum, usize)]>,
) -> Vec<(&'static str, FigureSummary)> {
    let one = |(index, figure): (usize, &dicehill_rules::Figure)| {
        let tally = &row.figures[index];
        let summary = match (figure.summary, blocks) {
            (Summary::Total, _) => FigureSummary::Total(tally.sums.sum),
            (Summary::Distribution, Some(parts)) if index == 0 => {
                let variance = variance_of_sum(parts, |stratum| &stratum.figure);
                let se = variance.map(|variance| variance.sqrt() / row.games as f64);
                FigureSummary::Distribution(distribution(tally, se))
            }
            (Summary::Distribution, _) => {
                let variance = tally.sums.variance();
                let se = variance.map(|variance| (variance / row.games as f64).sqrt());
                FigureSummary::Distribution(distribution(tally, se))
            }
        };
        (figure.name, summary)
    };
    G::FIGURES.iter().enumerate().map(one).collect()
}

fn distribution(tally: &FigureTally, se: Option<f64>) -> Option<Distribution> {
    Some(Distribution {
        mean: tally.sums.mean()?,
        se,
        sd: tally.sums.variance().map(f64::sqrt),
        min: *tally.values.keys().next()?,
        median: median(tally),
        max: *tally.values.keys().next_back()?,
    })
}

fn median(tally: &FigureTally) -> f64 {
    let at = |place: u64| {
        let mut before = 0;
        let reaches = |(_, times): &(&u64, &u64)| {
            before += **times;
            before > place
        };
        *tally.values.iter().find(reaches).expect("the place is below the count").0 as f64
    };
    let count = tally.sums.count;
    f64::midpoint(at((count - 1) / 2), at(count / 2))
}

fn pairings<G: Game>(hill: &Hill<G>, ledger: &Ledger) -> Vec<Group> {
    let group = |stratum: &Stratum| {
        let games = stratum.samples * hill.format().games_per_block();
        let result = |(place, id): (usize, &EntrantId)| GroupResult {
            bot: hill.name_of(*id).to_owned(),
            points: stratum.points[place].sum,
            wins: stratum.wins[place].sum,
            win_rate: (games > 0).then(|| stratum.wins[place].sum as f64 / games as f64),
            win_rate_ci95: win_interval(&[(stratum, place)], hill.format().games_per_block()),
        };
        let results = stratum.members.iter().enumerate().map(result).collect();
        Group { games, blocks: stratum.samples, results }
    };
    match hill.format() {
        Format::Challenge => Vec::new(),
        Format::Duel { .. } | Format::Gauntlet { .. } => {
            ledger.strata().iter().map(group).collect()
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn six_digits_of<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    six_digits(*value).serialize(serializer)
}

#[expect(clippy::ref_option, reason = "the signature that serde asks for")]
fn optional_six_digits<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.map(six_digits).serialize(serializer)
}

impl Serialize for Standing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("rank", &self.rank)?;
        map.serialize_entry("bot", &self.bot)?;
        map.serialize_entry("hash", &self.hash)?;
        map.serialize_entry("points", &self.points)?;
        if let Some(Votes { votes, total }) = self.votes {
            map.serialize_entry("votes", &votes)?;
            map.serialize_entry("total", &total)?;
        }
        map.serialize_entry("games", &self.games)?;
        map.serialize_entry("wins", &self.wins)?;
        map.serialize_entry("win_rate", &self.win_rate.map(six_digits))?;
        map.serialize_entry("win_rate_ci95", &self.win_rate_ci95)?;
        for (name, summary) in &self.figures {
            map.serialize_entry(name, summary)?;
        }
        map.serialize_entry("mark", &self.mark)?;
        map.serialize_entry("rating", &self.rating.map(six_digits))?;
        map.serialize_entry("rating_ci95", &self.rating_ci95)?;
        map.serialize_entry("best", &self.best.map(six_digits))?;
        map.serialize_entry("seats", &self.seats)?;
        if let Some(luck) = &self.luck {
            map.serialize_entry("luck", luck)?;
        }
        map.serialize_entry("barred", &self.barred)?;
        if let Some(placed) = &self.placed {
            map.serialize_entry("placed", placed)?;
        }
        for (name, text) in [("author", &self.author), ("url", &self.url)] {
            if let Some(text) = text {
                map.serialize_entry(name, text)?;
            }
        }
        map.end()
    }
}

impl Serialize for FigureSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Total(total) => serializer.serialize_u128(*total),
            Self::Distribution(distribution) => distribution.serialize(serializer),
        }
    }
}

impl Serialize for Distribution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("mean", &six_digits(self.mean))?;
        map.serialize_entry("se", &self.se.map(six_digits))?;
        map.serialize_entry("sd", &self.sd.map(six_digits))?;
        map.serialize_entry("min", &self.min)?;
        map.serialize_entry("median", &self.median)?;
        map.serialize_entry("max", &self.max)?;
        map.end()
    }
}
