//! The result document, recomputed from the recorded games.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Bar, Event, GameSource, Hill, Jobs, MAX_PLAY_OFFS, RecordsHash, ResumeState, RunEnd,
    RunOptions, printable_json, run_from,
};
use dicehill_rules::Game;
use serde_json::Value;

use super::discrepancy::Discrepancy;
use crate::RecordedRun;

/// How many bytes longer than the recomputed document the recorded one may be for a comparison of their keys.
const MAX_MORE_BYTES: usize = 16 << 20;

/// The games of a finished run.
pub(super) struct FinishedGames<'a> {
    pub(super) bars: &'a [Bar],
    pub(super) games: &'a dyn GameSource,
    /// The number of games.
    pub(super) count: u64,
    /// The stored hash over their records, if moves were not kept.
    pub(super) records: Option<RecordsHash>,
    /// The recorded hash over their records, if it cannot be recomputed.
    pub(super) known_records: Option<String>,
    /// The program that played the run.
    pub(super) program: &'a str,
}

/// The result document that follows from the recorded games. No bot plays.
///
/// # Errors
/// If the games have no result; the message says why.
pub(super) fn recompute<G: Game>(
    hill: &Hill<G>,
    games: FinishedGames<'_>,
    jobs: usize,
) -> Result<String, String> {
    let FinishedGames { bars, games, count, records, known_records, program } = games;
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(jobs),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    let past = ResumeState { bars: bars.to_vec(), games, is_resumed: true, recorded: 0, records };
    let mut recalled = 0;
    let end = run_from(hill, past, options, &mut |event| match event {
        Event::Recalled(..) => {
            recalled += 1;
            Ok(())
        }
        Event::Played(played, _) => {
            let game = played.record.fixture.game;
            Err(io::Error::other(format!(
                "game {game} is missing, or another game is in its place"
            )))
        }
        Event::Barred(bar) => Err(io::Error::other(format!("game {} is missing", bar.game))),
        Event::Started(_)
        | Event::Retried(_)
        | Event::MemoryLost { .. }
        | Event::Diverged { .. }
        | Event::Ended(_) => Ok(()),
    });
    let mut document = match end.map_err(|error| error.to_string())? {
        RunEnd::Done(document) | RunEnd::Stopped(document) => document,
    };
    if recalled < count {
        return Err(format!("{count} games are stored, but the run has {recalled}"));
    }
    program.clone_into(&mut document.program);
    document.records = known_records.unwrap_or(document.records);
    printable_json(&document).map_err(|error| error.to_string())
}

/// The differences between the result document of a run and the recomputed one; none if their bytes are equal.
///
/// # Errors
/// If the document cannot be read.
pub(super) fn differences(run: &RecordedRun, recomputed: &str) -> io::Result<Vec<Discrepancy>> {
    let Some(recorded) = run.result_reader() else { return Ok(Vec::new()) };
    // A document that is much longer than it should be must not fill the memory.
    let most = recomputed.len() + MAX_MORE_BYTES;
    let mut start = Vec::new();
    recorded.take(most as u64 + 1).read_to_end(&mut start)?;
    let line = run.result_line();
    if start == recomputed.as_bytes() {
        return Ok(Vec::new());
    }
    if start.len() > most {
        let text =
            format!("result: recorded more than {most} bytes, recomputed {}", recomputed.len());
        return Ok(vec![Discrepancy::at(line, text)]);
    }
    Ok(different_keys(line, &String::from_utf8_lossy(&start), recomputed))
}

/// The keys in which two documents of other bytes differ.
fn different_keys(line: Option<usize>, recorded: &str, recomputed: &str) -> Vec<Discrepancy> {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let mut found = Vec::new();
    compare("result", &parsed(recorded), &parsed(recomputed), &mut |key, one, other| {
        found.push(Discrepancy::differs(line, key, one, other));
    });
    if found.is_empty() {
        found.push(Discrepancy::at(line, "result: the values are right, but the bytes differ"));
    }
    found
}

/// Calls `found` with the path and the two values of each key whose values differ.
fn compare(
    path: &str,
    recorded: &Value,
    recomputed: &Value,
    found: &mut impl FnMut(&str, &Value, &Value),
) {
    match (recorded, recomputed) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: BTreeSet<_> = other.keys().chain(one.keys()).collect();
            for key in keys {
                compare(&format!("{path}.{key}"), &recorded[key], &recomputed[key], found);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                compare(&format!("{path}[{index}]"), one, other, found);
            }
        }
        (one, other) if one == other => {}
        (one, other) => found(path, one, other),
    }
}
