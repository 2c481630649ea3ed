//! What was observed of an external bot's processes, for the reports of its qualification.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::protocol::{ReadyFor, excerpt};

/// Bytes in a mebibyte.
const MEBIBYTE: u64 = 1 << 20;

/// Unknown fields that are kept.
const MOST_FIELDS: usize = 10;

/// What was seen of all processes of a program together.
#[derive(Default)]
pub(crate) struct Seen {
    /// What its first process to answer said of itself; `None` if it just answered.
    ready: OnceLock<Option<ReadyFor>>,
    /// Fields of answers that mean nothing.
    unknown: Mutex<BTreeSet<String>>,
    /// The most bytes of memory that a process, with what it has started, had in use at its end.
    peak: AtomicU64,
}

impl Seen {
    pub(crate) fn first_line(&self, ready: Option<ReadyFor>) {
        self.ready.get_or_init(|| ready);
    }

    /// Takes note of the fields of an answer beside those that are `known`.
    pub(crate) fn answer(&self, line: &[u8], known: &[&str]) {
        let Ok(serde_json::Value::Object(fields)) = serde_json::from_slice(line) else { return };
        let mut unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
        for field in fields.keys().filter(|field| !known.contains(&field.as_str())) {
            if unknown.len() < MOST_FIELDS {
                unknown.insert(excerpt(field.as_bytes()));
            }
        }
    }

    pub(crate) fn memory(&self, bytes: u64) {
        self.peak.fetch_max(bytes, Ordering::Relaxed);
    }

    /// All of it in words; nothing of a program that has not answered yet.
    pub(crate) fn remarks(&self, memory_mb: u64) -> Vec<String> {
        let ready = self.ready.get().map(|ready| match ready {
            Some(ReadyFor { inflight, rounds }) => {
                let rounds = if *rounds { ", and asks what calls reveal" } else { "" };
                format!("it says that it is ready for {inflight} requests in flight{rounds}")
            }
            None => "it does not say ready: each game has a process of its own".to_owned(),
        });
        let unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
        let unknown = unknown
            .iter()
            .map(|field| format!("its answers have a field that means nothing: {field}"));
        let peak = self.peak.load(Ordering::Relaxed).div_ceil(MEBIBYTE);
        let peak = (peak > 0)
            .then(|| format!("it used up to {peak} MiB of the {memory_mb} MiB that it may"));
        ready.into_iter().chain(unknown).chain(peak).collect()
    }
}
