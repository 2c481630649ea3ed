//! The points that bots bring to a game from those before it.

use std::collections::HashMap;

use serde::Deserialize;

use super::log_line::not_a_log_line;
use crate::json_message;

/// The most points that a bot may bring to a game, far more than a run can give.
const MAX_POINTS: u64 = 1 << 52;

/// The keys of a game's line that say which bot got how many points.
#[derive(Deserialize)]
struct RawPoints {
    seats: Vec<String>,
    results: Vec<RawPoint>,
}

#[derive(Deserialize)]
struct RawPoint {
    points: u64,
}

/// Adds each bot's points in the game of this line to its sum.
///
/// # Errors
/// If the line is not that of a game, or a sum is larger than a run can give.
pub(crate) fn add_points(line: &str, points: &mut HashMap<String, u64>) -> Result<(), String> {
    let raw: RawPoints =
        serde_json::from_str(line).map_err(|error| not_a_log_line(&json_message(&error)))?;
    for (name, result) in raw.seats.into_iter().zip(raw.results) {
        let sum: &mut u64 = points.entry(name).or_default();
        let more = sum.checked_add(result.points).filter(|sum| *sum <= MAX_POINTS);
        *sum = more.ok_or("more points than a run can give")?;
    }
    Ok(())
}
