//! What was observed of an external bot's processes, for the reports of its qualification.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use dicehill_arena::Limits;

use crate::protocol::{Capabilities, excerpt};

/// Bytes per mebibyte.
const MEBIBYTE: u64 = 1 << 20;

/// The most unanswered requests of a process, whatever it asks for.
pub(super) const MAX_IN_FLIGHT: usize = 64;

/// The most unknown fields that are kept.
const MAX_FIELDS: usize = 10;

/// What was observed of all processes of a bot together.
#[derive(Default)]
pub(crate) struct ProcessSnapshot {
    /// The `ready` message of the first process that wrote a line; `None` if that line was an answer.
    ready: OnceLock<Option<Capabilities>>,
    /// Fields of answers that the protocol does not have.
    unknown: Mutex<BTreeSet<String>>,
    /// The largest memory in bytes that a process used with its descendants, as of its end.
    peak: AtomicU64,
    /// The longest that an answer took although its limit for wall time was over, in milliseconds.
    overtime_ms: AtomicU64,
}

impl ProcessSnapshot {
    pub(crate) fn record_first_line(&self, ready: Option<Capabilities>) {
        self.ready.get_or_init(|| ready);
    }

    /// Whether the first line of the first process was no `ready`: then each game has a process of its own.
    pub(crate) fn lacks_ready(&self) -> bool {
        matches!(self.ready.get(), Some(None))
    }

    /// Records the fields of an answer that are not among `known`.
    pub(crate) fn record_answer(&self, line: &[u8], known: &[&str]) {
        let Ok(serde_json::Value::Object(fields)) = serde_json::from_slice(line) else { return };
        let mut unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
        for field in fields.keys().filter(|field| !known.contains(&field.as_str())) {
            if unknown.len() < MAX_FIELDS {
                unknown.insert(excerpt(field.as_bytes()));
            }
        }
    }

    pub(crate) fn record_memory(&self, bytes: u64) {
        self.peak.fetch_max(bytes, Ordering::Relaxed);
    }

    /// Records an answer that was in time only because processor time is measured here.
    pub(crate) fn record_overtime(&self, wall_time: Duration) {
        let milliseconds = u64::try_from(wall_time.as_millis()).unwrap_or(u64::MAX);
        self.overtime_ms.fetch_max(milliseconds, Ordering::Relaxed);
    }

    /// All observations as remarks; of a bot that has not answered yet, none.
    pub(crate) fn remarks(&self, Limits { memory_mb, move_ms, .. }: Limits) -> Vec<String> {
        let ready = self.ready.get().map(|ready| match ready {
            Some(Capabilities { in_flight, wants_rounds }) => {
                let rounds = if *wants_rounds { ", and requests `round` messages" } else { "" };
                let limit = if *in_flight > MAX_IN_FLIGHT {
                    format!(", and gets {MAX_IN_FLIGHT}")
                } else {
                    String::new()
                };
                format!("it is ready for {in_flight} requests in flight{limit}{rounds}")
            }
            None => "it does not send ready: each game has its own process".to_owned(),
        });
        let unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
        let unknown =
            unknown.iter().map(|field| format!("its answers have an unknown field: {field}"));
        let peak = self.peak.load(Ordering::Relaxed).div_ceil(MEBIBYTE);
        let peak = (peak > 0).then(|| format!("it used up to {peak} MiB of {memory_mb} MiB"));
        let overtime = self.overtime_ms.load(Ordering::Relaxed);
        let overtime = (overtime > 0).then(|| {
            format!(
                "an answer took {overtime} ms, more than move_ms = {move_ms}; only its processor time counts on this \
                 machine, but without control groups it would fail"
            )
        });
        ready.into_iter().chain(unknown).chain(peak).chain(overtime).collect()
    }
}
