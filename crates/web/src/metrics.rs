//! What the server has done, in the form that Prometheus reads.

use std::sync::atomic::AtomicU64;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use crate::model::RunState;
use crate::site::Site;

/// What a request asked for, and what came of it. Addresses are those of routes, so that there are only so many.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Asked {
    route: String,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OfHill {
    hill: String,
}

/// The server's figures.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Asked, Counter<u64, AtomicU64>>,
    seconds: Histogram,
    games: Family<OfHill, Gauge>,
    playing: Family<OfHill, Gauge>,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("dicehill");
        let requests = Family::default();
        // From a quarter of a millisecond to eight seconds.
        let seconds = Histogram::new(exponential_buckets(0.000_25, 2.0, 16));
        let (games, playing) = (Family::default(), Family::default());
        registry.register("requests", "Requests by route and status", requests.clone());
        registry.register(
            "request_seconds",
            "Time from a request to the head of its answer",
            seconds.clone(),
        );
        registry.register("run_games", "Games stored of the last tournament", games.clone());
        registry.register("run_playing", "1 while a tournament is played", playing.clone());
        Self { registry, requests, seconds, games, playing }
    }

    fn take_hills(&self, site: &Site) {
        for hill in site.hills().all() {
            let label = OfHill { hill: hill.address().to_owned() };
            let latest = hill.latest();
            let progress = latest.latest.as_ref().map(|view| &view.board.progress);
            let games = progress.map_or(0, |progress| progress.games);
            let plays = progress.is_some_and(|progress| progress.state == RunState::Playing);
            self.games.get_or_create(&label).set(i64::try_from(games).unwrap_or(i64::MAX));
            self.playing.get_or_create(&label).set(i64::from(plays));
        }
    }
}

/// Counts a request, and how long it took.
pub(crate) async fn counted(State(site): State<Site>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let path = request.extensions().get::<MatchedPath>();
    let route = path.map_or("none", MatchedPath::as_str).to_owned();
    let response = next.run(request).await;
    let asked = Asked { route, status: response.status().as_u16() };
    let metrics = site.metrics();
    metrics.requests.get_or_create(&asked).inc();
    metrics.seconds.observe(begun.elapsed().as_secs_f64());
    response
}

/// `GET /metrics`
pub(crate) async fn figures(State(site): State<Site>) -> Response {
    let metrics = site.metrics();
    metrics.take_hills(&site);
    let mut text = String::new();
    encode(&mut text, &metrics.registry).expect("a String takes everything");
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
