//! Estimates in documents.

use dicehill_arena::six_digits;
use serde_json::{Map, Value, json};

use crate::Estimate;

/// A mean per game with its standard error and 95 % interval.
#[must_use]
pub fn estimate_json(estimate: &Estimate) -> Map<String, Value> {
    let interval =
        estimate.interval().map(|interval| [interval.low, interval.high].map(six_digits));
    let mut object = Map::new();
    object.insert("mean".into(), json!(six_digits(estimate.mean)));
    object.insert("se".into(), json!(estimate.se.map(six_digits)));
    object.insert("ci95".into(), json!(interval));
    object
}
