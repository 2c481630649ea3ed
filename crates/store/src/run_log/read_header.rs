//! A header read from its line and checked.

use dicehill_arena::{BotName, Confidence, FormatName, Limits, Memory, StartValue};
use serde::Deserialize;

use super::header_line::SCHEMA;
use super::run_header::{RecordedBot, RunHeader};
use crate::{HillSettings, json_message};

/// Reads a header's line.
///
/// # Errors
/// If it is not the header of a known version, or a value is unknown.
pub(crate) fn read_header_line(line: String) -> Result<RunHeader, String> {
    let foreign = |why: String| format!("not a run log of dicehill: {why}");
    let raw: RawHeader =
        serde_json::from_str(&line).map_err(|error| foreign(json_message(&error)))?;
    let (r#type, schema) = (&raw.r#type, &raw.schema);
    if r#type != "header" || schema != SCHEMA {
        return Err(foreign(format!("type {type:?}, schema {schema:?}, and {SCHEMA:?} is known")));
    }
    let hill = raw.hill()?;
    let RawHeader { program, seed, commitment, start_value, bots, .. } = raw;
    let bots = bots.into_iter().map(RawHeaderBot::check).collect::<Result<_, _>>()?;
    Ok(RunHeader { program, hill, seed, commitment, start_value, bots, line })
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
    fn check(self) -> Result<RecordedBot, String> {
        let name = BotName::new(&self.name).map_err(|error| error.to_string())?;
        let Self { hash, author, url, votes, .. } = self;
        Ok(RecordedBot { name, hash, author, url, votes })
    }
}

impl RawHeader {
    fn hill(&self) -> Result<HillSettings, String> {
        let format = FormatName::ALL.into_iter().find(|format| format.name() == self.format);
        let memory = Memory::ALL.into_iter().find(|memory| memory.name() == self.memory);
        let no_game = |error: dicehill_rules::ParseGameNameError| error.to_string();
        Ok(HillSettings {
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
