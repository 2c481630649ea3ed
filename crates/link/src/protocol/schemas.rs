//! The JSON schemas of the messages.

use schemars::{JsonSchema, Schema};
use serde_json::json;

use super::messages::{Bye, GameStart, Hello, Ready, Refused};

/// The schema of a message to a bot, with its `type`: serde adds that field when it writes the message, which
/// schemars does not know.
pub(super) fn schema_of<T: JsonSchema>(kind: &str) -> Schema {
    let mut schema = schemars::schema_for!(T);
    let named = schema.ensure_object();
    let properties = named.entry("properties").or_insert_with(|| json!({}));
    properties["type"] = json!({ "const": kind, "description": "What kind of message this is." });
    let required = named.entry("required").or_insert_with(|| json!([]));
    if let Some(required) = required.as_array_mut() {
        required.insert(0, json!("type"));
    }
    schema
}

/// The schemas of the messages that all games share, by name.
#[must_use]
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("hello", schema_of::<Hello<'_>>("hello")),
        ("ready", schemars::schema_for!(Ready<'_>)),
        ("start", schema_of::<GameStart<'_>>("start")),
        ("error", schema_of::<Refused<'_>>("error")),
        ("bye", schema_of::<Bye>("bye")),
    ]
}
