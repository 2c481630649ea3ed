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

/// The metrics of a server.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter<u64, AtomicU64>>,
    seconds: Histogram,
    games: Family<HillLabels, Gauge>,
    playing: Family<HillLabels, Gauge>,
}

/// The state of a hill's last run.
pub(crate) struct HillMetrics<'a> {
    /// The hill's name in addresses.
    pub(crate) hill: &'a str,
    /// Stored games.
    pub(crate) games: u64,
    pub(crate) is_playing: bool,
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
        Self { registry, requests, seconds, games, playing }
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
    }

    /// All metrics as OpenMetrics text.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a String cannot fail");
        text
    }
}
