//! Counters of the server, in the format of Prometheus.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// The labels of a request. Its address is that of the route, so that the number of label sets is bounded.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct HillLabels {
    hill: String,
}

/// The labels of the entries of a hill in a state.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct EntryLabels {
    hill: String,
    state: String,
}

/// The labels of failures and bars on a hill.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ReasonLabels {
    hill: String,
    reason: String,
}

/// The metrics of a server.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter<u64, AtomicU64>>,
    seconds: Histogram,
    games: Family<HillLabels, Gauge>,
    playing: Family<HillLabels, Gauge>,
    entries: Family<EntryLabels, Gauge>,
    failures: Family<ReasonLabels, Gauge>,
    bars: Family<ReasonLabels, Gauge>,
    store_bytes: Family<HillLabels, Gauge>,
    free_bytes: Family<HillLabels, Gauge>,
    remote: Family<HillLabels, Gauge>,
    workers: Family<HillLabels, Gauge>,
    threads: Family<HillLabels, Gauge>,
}

/// The state of a hill's last run.
pub(crate) struct HillMetrics<'a> {
    /// The hill's name in addresses.
    pub(crate) hill: &'a str,
    /// Stored games.
    pub(crate) games: u64,
    pub(crate) is_playing: bool,
    /// Remote bots with a connection.
    pub(crate) remote: usize,
    /// Workers that play the run which the server plays, and their threads.
    pub(crate) workers: [u64; 2],
    /// What its store and its disk say; `None` if they cannot be read.
    pub(crate) stored: Option<StoredCounts>,
}

/// What the store of a hill and its disk say.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredCounts {
    /// Entries by state.
    pub(crate) entries: Vec<(String, u64)>,
    /// Failures and bars of all runs by reason.
    pub(crate) failures: Vec<(String, [u64; 2])>,
    /// Bytes of the store.
    pub(crate) bytes: u64,
    /// Free bytes of its disk.
    pub(crate) free_bytes: Option<u64>,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("dicehill");
        let requests = Family::default();
        // From a quarter of a millisecond to eight seconds.
        let seconds = Histogram::new(exponential_buckets(0.000_25, 2.0, 16));
        let games = Family::default();
        let playing = Family::default();
        registry.register("requests", "Requests by route and status", requests.clone());
        registry.register(
            "request_seconds",
            "Time from a request to the head of its response",
            seconds.clone(),
        );
        registry.register("run_games", "Stored games of the last run", games.clone());
        registry.register("run_playing", "1 during a run", playing.clone());
        let (entries, failures, bars) = (Family::default(), Family::default(), Family::default());
        registry.register("entries", "Entries by state", entries.clone());
        let help = "Failures of bots in all runs by reason: crash, memory, flood and timeouts end the process";
        registry.register("bot_failures", help, failures.clone());
        registry.register(
            "bars",
            "Bars in all runs by reason; absent: a remote bot was skipped",
            bars.clone(),
        );
        let (store_bytes, free_bytes) = (Family::default(), Family::default());
        registry.register(
            "store_bytes",
            "Bytes of the hill's file and its write-ahead log",
            store_bytes.clone(),
        );
        registry.register("disk_free_bytes", "Free bytes of the hill's disk", free_bytes.clone());
        let remote = Family::default();
        registry.register("remote_bots", "Remote bots with a connection", remote.clone());
        let (workers, threads) = (Family::default(), Family::default());
        registry.register("workers", "Workers that play the run", workers.clone());
        registry.register("worker_threads", "Threads of these workers", threads.clone());
        Self {
            registry,
            requests,
            seconds,
            games,
            playing,
            entries,
            failures,
            bars,
            store_bytes,
            free_bytes,
            remote,
            workers,
            threads,
        }
    }

    /// Counts a request to a route, the status of its response, and the time until the response's head.
    pub(crate) fn count_request(&self, route: String, status: u16, time: Duration) {
        self.requests.get_or_create(&RequestLabels { route, status }).inc();
        self.seconds.observe(time.as_secs_f64());
    }

    /// Sets the gauges of a hill.
    pub(crate) fn set_hill(&self, of: &HillMetrics<'_>) {
        let label = HillLabels { hill: of.hill.to_owned() };
        self.games.get_or_create(&label).set(i64::try_from(of.games).unwrap_or(i64::MAX));
        self.playing.get_or_create(&label).set(i64::from(of.is_playing));
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        self.remote.get_or_create(&label).set(number(of.remote as u64));
        let [workers, threads] = of.workers;
        self.workers.get_or_create(&label).set(number(workers));
        self.threads.get_or_create(&label).set(number(threads));
        let Some(stored) = &of.stored else { return };
        self.store_bytes.get_or_create(&label).set(number(stored.bytes));
        if let Some(free) = stored.free_bytes {
            self.free_bytes.get_or_create(&label).set(number(free));
        }
        for (state, count) in &stored.entries {
            let label = EntryLabels { hill: of.hill.to_owned(), state: state.clone() };
            self.entries.get_or_create(&label).set(number(*count));
        }
        for (reason, [failed, barred]) in &stored.failures {
            let label = ReasonLabels { hill: of.hill.to_owned(), reason: reason.clone() };
            self.failures.get_or_create(&label).set(number(*failed));
            self.bars.get_or_create(&label).set(number(*barred));
        }
    }

    /// All metrics as OpenMetrics text.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a String cannot fail");
        text
    }
}
