//! What a machine can do to isolate bots, as the program itself finds it.

use serde_json::Value;

/// What is absent of that on which isolation rests, and why, from the doctor's document.
pub(crate) fn absent(document: &Value) -> Vec<String> {
    let mechanisms = document["mechanisms"].as_array().expect("mechanisms");
    let absent = mechanisms.iter().filter(|one| one["present"] != true);
    absent.map(|one| format!("{}: {} ({})", one["name"], one["detail"], one["remedy"])).collect()
}
