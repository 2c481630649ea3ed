//! The route of the metrics, in the format of Prometheus. It is served on an address of its own: behind a proxy every request
//! comes from this machine, so that the server's own address could not tell a visitor from a local program.

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
