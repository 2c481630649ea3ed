//! The golden transcripts conform to the schemas, according to an independent validator.

use std::fs;
use std::path::Path;

use jsonschema::Validator;
use serde_json::{Value, json};

fn protocol(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn schema(name: &str) -> Validator {
    let schema: Value =
        serde_json::from_str(&protocol(&format!("schemas/{name}.json"))).expect("JSON");
    jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The name of the schema of a message to or from a bot.
fn schema_of(game: &str, is_to_bot: bool, message: &Value) -> String {
    match (is_to_bot, message["type"].as_str()) {
        (true, Some(kind @ ("hello" | "start" | "error" | "bye"))) => kind.to_owned(),
        (true, Some(kind)) => format!("{game}.{kind}"),
        (false, Some("ready")) => "ready".to_owned(),
        (false, _) => format!("{game}.answer"),
        (true, None) => panic!("a message without a type: {message}"),
    }
}

/// The messages of a game's transcript, each with the name of its schema.
fn messages(game: &str) -> Vec<(String, Value)> {
    let transcript = protocol(&format!("transcripts/{game}.txt"));
    let lines = transcript.lines().filter_map(|line| {
        let (direction, text) = line.split_once(' ')?;
        let is_to_bot = match direction {
            ">" => true,
            "<" => false,
            _ => return None,
        };
        let message: Value = serde_json::from_str(text).expect("JSON");
        Some((schema_of(game, is_to_bot, &message), message))
    });
    lines.collect()
}

#[test]
fn every_golden_message_conforms_to_its_schema() {
    for game in ["yahtzee", "liars-dice"] {
        let messages = messages(game);
        let mut names: Vec<_> = messages.iter().map(|(name, _)| name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        let of_game = |kind: &str| format!("{game}.{kind}");
        for needed in [
            "hello".to_owned(),
            "start".to_owned(),
            of_game("turn"),
            of_game("answer"),
            of_game("end"),
        ] {
            assert!(names.contains(&needed), "{game} has no {needed}: {names:?}");
        }
        for name in names {
            let schema = schema(&name);
            for (_, message) in messages.iter().filter(|(other, _)| *other == name) {
                let errors: Vec<_> = schema.iter_errors(message).map(|e| e.to_string()).collect();
                assert!(errors.is_empty(), "{name}: {errors:?}: {message}");
            }
        }
    }
}

#[test]
fn schemas_refuse_fields_of_another_type() {
    for game in ["yahtzee", "liars-dice"] {
        for (name, message) in messages(game).into_iter().take(40) {
            let schema = schema(&name);
            for (key, value) in message.as_object().expect("an object") {
                let mut other = message.clone();
                other[key] = if value.is_object() { json!(0) } else { json!({"else": [null]}) };
                assert!(!schema.is_valid(&other), "{name} takes {other}");
            }
        }
    }
}
