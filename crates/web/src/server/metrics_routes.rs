//! The route of the metrics, in the format of Prometheus.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::model::RunState;
use crate::requests::metrics::HillMetrics;
use crate::site::Site;

/// `GET /metrics`
pub(super) async fn metrics(State(site): State<Site>) -> Response {
    for hill in site.hills().all() {
        let latest = hill.latest();
        let progress = latest.latest.as_ref().map(|view| &view.board.progress);
        site.metrics().set_hill(&HillMetrics {
            hill: hill.address(),
            games: progress.map_or(0, |progress| progress.games),
            is_playing: progress.is_some_and(|progress| progress.state == RunState::Playing),
        });
    }
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], site.metrics().to_text()).into_response()
}
