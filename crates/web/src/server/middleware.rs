//! What every request and every response goes through.

use std::net::SocketAddr;
use std::time::Instant;

use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, State};
use axum::http::{HeaderName, HeaderValue, Request, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracing::{debug, error};

use super::health_routes::READINESS;
use crate::Problem;
use crate::api::ApiProblem;
use crate::requests::origin;
use crate::requests::page_cache::Embeddable;
use crate::site::Site;

/// Pages load and run only files of this server.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; \
     form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// What differs for pictures that other sites embed. An SVG picture has its own style, and nothing in it is loaded or run.
const HEADERS_OF_PICTURES: [(HeaderName, &str); 2] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; sandbox",
    ),
    (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
];

/// Adds the headers that every response has.
pub(super) async fn add_security_headers(request: Request<Body>, next: Next) -> Response {
    let mut response = next.run(request).await;
    let is_embeddable = response.extensions().get::<Embeddable>().is_some();
    let different = HEADERS_OF_PICTURES.into_iter().filter(|_| is_embeddable);
    for (name, value) in HEADERS.into_iter().chain(different) {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Refuses requests that a page of another origin has a browser send, and requests under a host name that is not this
/// server's.
pub(super) async fn check_origin(
    State(site): State<Site>,
    request: Request<Body>,
    next: Next,
) -> Response {
    match origin::check(site.config(), &request) {
        Ok(()) => next.run(request).await,
        Err(problem) => refusal(problem, request.uri().path()),
    }
}

/// Refuses requests to the metrics' own address under a host name that is not the server's.
pub(super) async fn check_metrics_host(
    State((site, listen)): State<(Site, SocketAddr)>,
    request: Request<Body>,
    next: Next,
) -> Response {
    match origin::check_host(site.config(), listen, &request) {
        Ok(_) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// The most bytes of the text of a rejection.
const MAX_REJECTION: usize = 4 << 10;

/// Turns the plain text with which the framework refuses a malformed path or query, or a body that is too large, into a page, or
/// a document of the API.
pub(super) async fn show_rejections(request: Request<Body>, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_text = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/plain"));
    let problem = match response.status() {
        StatusCode::BAD_REQUEST if is_text => Problem::BadRequest,
        StatusCode::PAYLOAD_TOO_LARGE if is_text => Problem::TooLarge,
        _ => return response,
    };
    let text = to_bytes(response.into_body(), MAX_REJECTION).await.unwrap_or_default();
    refusal(problem(String::from_utf8_lossy(&text).into_owned()), &path)
}

/// The response to a refused request: JSON from the API, and a page elsewhere.
pub(super) fn refusal(problem: Problem, path: &str) -> Response {
    if path.starts_with("/api/") {
        ApiProblem::from(problem).into_response()
    } else {
        problem.into_response()
    }
}

/// Counts a request, measures the time until the head of its response, and logs it if it failed: as an error if that is the
/// server's fault. The log has the route, because the path may hold what only the client may know.
pub(super) async fn count_requests(
    State(site): State<Site>,
    request: Request<Body>,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let path = request.extensions().get::<MatchedPath>();
    let route = path.map_or("none", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let response = next.run(request).await;
    let status = response.status();
    let code = status.as_u16();
    if route == READINESS {
        // It logs its changes itself.
        debug!(code, "the server was asked whether it is ready");
    } else if status.is_server_error() {
        error!(%method, route, code, "a request failed");
    } else if status.is_client_error() {
        debug!(%method, route, code, "a request was refused");
    }
    site.metrics().count_request(route, code, begun.elapsed());
    response
}
