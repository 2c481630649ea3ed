//! Means with their errors, in text and JSON.

use dicehill_arena::six_digits;
use dicehill_coach::Estimate;
use serde_json::{Map, Value, json};

use crate::board::plus_minus;

/// `2.47 ± 0.10`, with half the width of the 95 % interval.
pub(super) fn in_text(estimate: Estimate) -> String {
    plus_minus(estimate.mean, estimate.interval())
}

/// A mean per game with its standard error and 95 % interval.
pub(super) fn in_json(estimate: &Estimate) -> Map<String, Value> {
    let interval =
        estimate.interval().map(|interval| [interval.low, interval.high].map(six_digits));
    let mut object = Map::new();
    object.insert("mean".into(), json!(six_digits(estimate.mean)));
    object.insert("se".into(), json!(estimate.se.map(six_digits)));
    object.insert("ci95".into(), json!(interval));
    object
}
