//! The first line of a run log: all that the run depends on.

use std::path::Path;
use std::sync::Arc;

use dicehill_arena::{
    BotName, Confidence, Entrant, FormatName, Header, Hill, Limits, Memory, Program, StandIn,
    StartValue, printable_json,
};
use dicehill_rules::Game;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{FileError, HillRecord};

/// The version of the form.
const SCHEMA: &str = "dicehill.log/1";
/// The key of the hash over the header, which comes last.
const HASH: &str = "header_hash";

/// What a run's header says: all that is needed to replay its games, and to play it again.
#[derive(Clone, Debug, PartialEq)]
pub struct LogHeader {
    /// The program that played, with its version.
    pub program: String,
    /// The terms of the run.
    pub hill: HillRecord,
    /// The master seed.
    pub seed: String,
    /// What was published before it was known who plays, if the seed follows from a secret.
    pub commitment: Option<String>,
    /// The score that optimal play gets on average, if the games are appraised.
    pub start_value: Option<StartValue>,
    /// The entrants.
    pub bots: Vec<LogBot>,
    /// The line itself.
    pub line: String,
}

/// An entrant as a header names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogBot {
    /// Its name.
    pub name: BotName,
    /// What it plays with, down to its content.
    pub hash: String,
    /// Who wrote it.
    pub author: Option<String>,
    /// Where to read about it.
    pub url: Option<String>,
    /// Votes, where the board counts them.
    pub votes: Option<i64>,
}

impl LogHeader {
    /// In what a run of `now` would differ from this one, in words; `None` if in nothing.
    #[must_use]
    pub fn difference(&self, now: &Header) -> Option<String> {
        let line = header_line(now).ok()?;
        let parse = |line: &str| serde_json::from_str::<Value>(line).ok();
        let (then, now) = (parse(&self.line)?, parse(&line)?);
        let keys = now.as_object()?.keys().chain(then.as_object()?.keys());
        keys.filter(|key| *key != HASH && then.get(key) != now.get(key))
            .map(|key| {
                let shown =
                    |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
                let bots =
                    (key == "bots").then(|| bot_difference(&then["bots"], &now["bots"])).flatten();
                let whole =
                    || format!("{key} was {} and is {}", shown(then.get(key)), shown(now.get(key)));
                bots.unwrap_or_else(whole)
            })
            .next()
    }

    /// The hill of the run, whose entrants cannot play. Nobody appraises its games again.
    ///
    /// # Errors
    /// If its terms are none for this game; `path` is the file of the run.
    pub fn inert_hill<G: Game>(&self, path: &Path) -> Result<Hill<G>, FileError> {
        let terms = self.hill.terms::<G>(path)?;
        let entrants = self.bots.iter().map(LogBot::inert).collect();
        let draft = self.hill.draft::<G>(terms.rules, self.seed.clone(), entrants);
        let hill = Hill::new(draft).map_err(|error| FileError::new(path, error))?;
        Ok(match self.start_value {
            Some(start) => hill.appraised_before(start),
            None => hill,
        })
    }

    /// Whether its line is that of this header, byte for byte.
    #[must_use]
    pub fn is_line_of(&self, header: &Header) -> bool {
        header_text(header).is_ok_and(|text| {
            text == self.line || (self.hash_problem().is_none() && hashed(&text) == self.line)
        })
    }

    /// Whether the header has a hash over itself. Without one, what no game depends on may have been altered.
    #[must_use]
    pub fn has_hash(&self) -> bool {
        without_hash(&self.line).is_some()
    }

    /// What is wrong with the hash over the header; `None` if it holds. Headers of older versions have none.
    #[must_use]
    pub fn hash_problem(&self) -> Option<String> {
        let (text, recorded) = without_hash(&self.line)?;
        let recomputed = hash_of(&text);
        (recorded != recomputed)
            .then(|| format!("{HASH}: recorded {recorded:?}, recomputed {recomputed:?}"))
    }
}

impl LogBot {
    /// An entrant of the same identity that cannot play.
    fn inert<G: Game>(&self) -> Entrant<G> {
        let Self { name, hash, author, url, votes } = self.clone();
        let program: Arc<dyn Program<G>> = Arc::new(StandIn(hash));
        Entrant { name, program, author, url, votes }
    }
}

/// The first bot that is not what it was.
fn bot_difference(then: &Value, now: &Value) -> Option<String> {
    let (then, now) = (then.as_array()?, now.as_array()?);
    let pairs = then.iter().zip(now).find(|(then, now)| then != now);
    let Some((then, now)) = pairs else {
        return Some(format!("{} bots played and {} would", then.len(), now.len()));
    };
    let text = |bot: &Value, key: &str| bot[key].as_str().unwrap_or_default().to_owned();
    let (name, hash) = (text(then, "name"), text(then, "hash"));
    if text(now, "name") == name {
        let now = text(now, "hash");
        return Some(format!("the bot {name} has changed: its hash was {hash} and is {now}"));
    }
    Some(format!("the bot {name} played where {} would", text(now, "name")))
}

#[derive(Serialize)]
struct HeaderLine<'a> {
    r#type: &'static str,
    schema: &'static str,
    #[serde(flatten)]
    header: &'a Header,
}

/// The line of a header, without the newline.
pub(crate) fn header_line(header: &Header) -> serde_json::Result<String> {
    header_text(header).map(|text| hashed(&text))
}

/// The same without its hash.
fn header_text(header: &Header) -> serde_json::Result<String> {
    printable_json(&HeaderLine { r#type: "header", schema: SCHEMA, header })
}

/// The text with its hash as the last key.
fn hashed(text: &str) -> String {
    let open = text.strip_suffix('}').unwrap_or(text);
    format!("{open},\"{HASH}\":\"{}\"}}", hash_of(text))
}

fn hash_of(text: &str) -> String {
    format!("blake3:{}", blake3::hash(text.as_bytes()))
}

/// A header's line without its hash, and the hash; `None` if it has none.
fn without_hash(line: &str) -> Option<(String, &str)> {
    let (open, rest) = line.rsplit_once(&format!(",\"{HASH}\":\""))?;
    Some((format!("{open}}}"), rest.strip_suffix("\"}")?))
}

#[derive(Deserialize)]
struct RawHeader {
    r#type: String,
    schema: String,
    program: String,
    name: String,
    game: String,
    rules: String,
    format: String,
    seats: Option<i64>,
    challenger: Option<String>,
    strengths: Option<Vec<f64>>,
    memory: String,
    seed: String,
    commitment: Option<String>,
    games: i64,
    until: Option<f64>,
    limits: Limits,
    start_value: Option<StartValue>,
    bots: Vec<RawHeaderBot>,
}

#[derive(Deserialize)]
struct RawHeaderBot {
    name: String,
    hash: String,
    author: Option<String>,
    url: Option<String>,
    votes: Option<i64>,
}

impl RawHeaderBot {
    fn check(self) -> Result<LogBot, String> {
        let name = BotName::new(&self.name).map_err(|error| error.to_string())?;
        let Self { hash, author, url, votes, .. } = self;
        Ok(LogBot { name, hash, author, url, votes })
    }
}

/// Reads a header's line.
///
/// # Errors
/// If it is none of a version that is known.
pub(crate) fn read_header_line(line: String) -> Result<LogHeader, String> {
    let foreign = |why: String| format!("not a run log of dicehill: {why}");
    let raw: RawHeader =
        serde_json::from_str(&line).map_err(|error| foreign(crate::json_message(&error)))?;
    let (r#type, schema) = (&raw.r#type, &raw.schema);
    if r#type != "header" || schema != SCHEMA {
        return Err(foreign(format!("type {type:?}, schema {schema:?}, and {SCHEMA:?} is known")));
    }
    let hill = raw.hill()?;
    let RawHeader { program, seed, commitment, start_value, bots, .. } = raw;
    let bots = bots.into_iter().map(RawHeaderBot::check).collect::<Result<_, _>>()?;
    Ok(LogHeader { program, hill, seed, commitment, start_value, bots, line })
}

impl RawHeader {
    fn hill(&self) -> Result<HillRecord, String> {
        let format = FormatName::ALL.into_iter().find(|format| format.name() == self.format);
        let memory = Memory::ALL.into_iter().find(|memory| memory.name() == self.memory);
        let no_game = |error: dicehill_rules::ParseGameNameError| error.to_string();
        Ok(HillRecord {
            name: self.name.clone(),
            game: self.game.parse().map_err(no_game)?,
            rules: self.rules.clone(),
            format: format.ok_or_else(|| format!("format {:?}: unknown", self.format))?,
            seats: self.seats,
            challenger: self.challenger.clone(),
            strengths: self.strengths.clone(),
            games: self.games,
            memory: memory.ok_or_else(|| format!("memory {:?}: unknown", self.memory))?,
            limits: self.limits,
            seed: Some(self.seed.clone()),
            until: self.until.map(until).transpose()?,
        })
    }
}

fn until(share: f64) -> Result<Confidence, String> {
    Confidence::new(share).map_err(|error| format!("until: {error}"))
}
