//! A header read from its line and checked.

use dicehill_arena::{
    BotName, Confidence, EloMargin, Limits, OwnLimits, OwnTerms, StartValue, Terms,
};
use dicehill_rules::SeedParts;
use serde::Deserialize;

use super::header_line::SCHEMA;
use super::run_header::{RecordedBot, RunHeader};
use crate::files::text_value::{text_problem, url_problem};
use crate::{HillSettings, json_message};

/// What is wrong with a header's line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HeaderError {
    /// It is not the header of a known version, or a value is unknown.
    #[error("{0}")]
    Unreadable(String),
    /// Its secret is not the one that was recorded.
    #[error("{0}")]
    Altered(String),
}

impl From<String> for HeaderError {
    fn from(why: String) -> Self {
        Self::Unreadable(why)
    }
}

/// Reads a header's line.
///
/// # Errors
/// If it is not the header of a known version, or a value is unknown.
pub(crate) fn read_header_line(line: String) -> Result<RunHeader, HeaderError> {
    let foreign = |why: String| format!("not a run log of dicehill: {why}");
    if !line.starts_with('{') {
        return Err(foreign("its first line is not a JSON object".to_owned()).into());
    }
    let raw: RawHeader =
        serde_json::from_str(&line).map_err(|error| foreign(json_message(&error)))?;
    let (r#type, schema) = (&raw.r#type, &raw.schema);
    if r#type != "header" || schema != SCHEMA {
        let versions =
            format!("type {type:?}, schema {schema:?}; this dicehill supports {SCHEMA:?}");
        return Err(foreign(versions).into());
    }
    check_secret(&raw.seed, raw.seed_hash.as_deref()).map_err(HeaderError::Altered)?;
    let until = raw.until.map(Confidence::new).transpose();
    let until = until.map_err(|error| format!("until: {error}"))?;
    // `flatten` would keep the values of all unknown keys in memory.
    let terms: Terms =
        serde_json::from_str(&line).map_err(|error| foreign(json_message(&error)))?;
    if let Some(problem) = text_problem("name", &terms.name) {
        return Err(problem.into());
    }
    let limits = raw.limits.checked().map_err(|error| format!("limits: {error}"))?;
    let hill = HillSettings::new(terms, raw.games, limits, until);
    let mut hill = hill.map_err(|error| error.to_string())?;
    let margin = raw.not_worse_than.map(EloMargin::new).transpose();
    hill.margin = margin.map_err(|error| format!("not_worse_than: {error}"))?;
    let RawHeader { program, seed, commitment, start_value, bots, .. } = raw;
    let bots = bots.into_iter().map(RawHeaderBot::check).collect::<Result<_, _>>()?;
    Ok(RunHeader { program, hill, seed, commitment, start_value, bots, line })
}

/// Refuses a seed whose secret is not that of the hash. Older versions wrote no hash.
fn check_secret(seed: &str, recorded: Option<&str>) -> Result<(), String> {
    let Some(recorded) = recorded.filter(|recorded| *recorded != SeedParts::hash(seed)) else {
        return Ok(());
    };
    let what = match SeedParts::of(seed).secret {
        Some(_) => "the secret or the text of its seed was altered",
        None => "the secret of its seed is missing: a `#` and 32 hexadecimal digits after the text",
    };
    Err(format!(
        "{what}, since seed_hash is {recorded:?} and the seed's hash is {:?}; its dice cannot be recomputed",
        SeedParts::hash(seed)
    ))
}

/// The keys of a header's line besides its [`Terms`]. A run always has a seed.
#[derive(Deserialize)]
struct RawHeader {
    r#type: String,
    schema: String,
    program: String,
    seed: String,
    commitment: Option<String>,
    seed_hash: Option<String>,
    games: i64,
    until: Option<f64>,
    not_worse_than: Option<f64>,
    limits: Limits,
    start_value: Option<StartValue>,
    bots: Vec<RawHeaderBot>,
}

/// Its own terms are listed: `flatten` would keep unknown keys in memory.
#[derive(Deserialize)]
struct RawHeaderBot {
    name: String,
    hash: String,
    author: Option<String>,
    url: Option<String>,
    votes: Option<i64>,
    #[serde(default)]
    network: bool,
    #[serde(default)]
    secrets: Vec<String>,
    #[serde(default)]
    limits: OwnLimits,
    #[serde(default)]
    remote: bool,
    deterministic: Option<bool>,
}

impl RawHeaderBot {
    fn check(self) -> Result<RecordedBot, String> {
        let name = BotName::new(&self.name).map_err(|error| error.to_string())?;
        let Self { hash, author, url, votes, network, secrets, limits, remote, .. } = self;
        let author_problem = author.as_deref().and_then(|author| text_problem("author", author));
        if let Some(problem) = author_problem.or_else(|| url.as_deref().and_then(url_problem)) {
            return Err(format!("{name}: {problem}"));
        }
        let deterministic = self.deterministic.unwrap_or(true);
        let limits = limits.checked().map_err(|error| format!("{name}: {error}"))?;
        let own_terms = OwnTerms { network, secrets, limits, remote, deterministic };
        Ok(RecordedBot { name, hash, author, url, votes, own_terms })
    }
}
