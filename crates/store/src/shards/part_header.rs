//! The first line of a part.

use dicehill_arena::GameRange;
use serde::{Deserialize, Serialize};

use crate::json_message;

/// The numbers of documents are below this one.
const NUMBER_END: u64 = 1 << 53;
/// The version of the format.
const SCHEMA: &str = "dicehill.part/1";
/// How each header begins.
pub(super) const HEADER_BEGINS: &[u8] = b"{\"type\":\"part\",";

/// The first line of a part: the plan, and the games that the part is to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartHeader {
    /// The hash of the plan.
    pub plan: String,
    /// The games.
    pub games: GameRange,
}

#[derive(Serialize, Deserialize)]
struct RawHeader {
    r#type: String,
    schema: String,
    plan: String,
    first: u64,
    last: u64,
}

impl PartHeader {
    /// The line, without the newline.
    pub(super) fn line(&self) -> serde_json::Result<String> {
        let (first, last) = (self.games.first(), self.games.last());
        let (r#type, schema) = ("part".to_owned(), SCHEMA.to_owned());
        serde_json::to_string(&RawHeader { r#type, schema, plan: self.plan.clone(), first, last })
    }

    /// Reads the line; an error says what is wrong with it.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let foreign = |why: &str| format!("not the part of a run: {why}");
        let raw: RawHeader =
            serde_json::from_str(line).map_err(|error| foreign(&json_message(&error)))?;
        let RawHeader { r#type, schema, plan, first, last } = raw;
        if r#type != "part" || schema != SCHEMA {
            return Err(foreign(&format!(
                "type {type:?}, schema {schema:?}; this dicehill supports {SCHEMA:?}"
            )));
        }
        let games = GameRange::new(first, last).filter(|games| games.last() < NUMBER_END);
        let games = games.ok_or_else(|| foreign(&format!("games {first} to {last}")))?;
        Ok(Self { plan, games })
    }
}
