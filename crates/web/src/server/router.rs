//! All routes of the server, with the limits and checks that apply to them.

use std::net::SocketAddr;

use axum::Router;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{Redirect, Response};
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use super::{
    account_routes, asset_routes, book_pages, client_limits, game_pages, health_routes, hill_pages,
    metrics_routes, middleware, picture_routes, play_pages, upload_routes,
};
use crate::site::Site;
use crate::{Problem, api};

/// All routes of the server.
pub(crate) fn router(site: &Site) -> Router {
    let (entries, entries_document) = api::entries::routes(site.config()).split_for_parts();
    let (api, mut document) = api::routes().split_for_parts();
    document.merge(entries_document);
    let limits = site.config().limits;
    let bounded = Router::new()
        .merge(api)
        .merge(game_pages::routes())
        .merge(api::about(document))
        .merge(account_routes::routes())
        .merge(hill_pages::routes())
        .merge(picture_routes::routes())
        .merge(play_pages::routes())
        .merge(book_pages::routes())
        .merge(health_routes::routes())
        .route("/assets/{version}/{name}", get(asset_routes::serve))
        .layer(RequestBodyLimitLayer::new(limits.body_bytes))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::SERVICE_UNAVAILABLE,
            limits.request_time,
        ));
    // Uploads have limits of their own.
    let all = bounded.merge(entries).merge(upload_routes::pages(site.config()));
    all.fallback(without_final_slash)
        .layer(from_fn(middleware::show_rejections))
        .layer(from_fn_with_state(site.clone(), middleware::check_origin))
        .layer(from_fn_with_state(site.clone(), client_limits::limit_client))
        .layer(from_fn(middleware::add_security_headers))
        .layer(from_fn_with_state(site.clone(), middleware::count_requests))
        .layer(CatchPanicLayer::new())
        .with_state(site.clone())
}

/// Redirects from an address that ends with a slash to the one without it, and from that of all hills to the front page: other
/// addresses have no page.
async fn without_final_slash(method: Method, uri: Uri) -> Result<Redirect, Response> {
    let path = uri.path().trim_end_matches('/');
    if is_read(&method) && path == "/hills" {
        return Ok(Redirect::permanent("/"));
    }
    // An address that begins with two slashes names another server.
    if !is_read(&method) || path.is_empty() || path == uri.path() || path.starts_with("//") {
        return Err(middleware::refusal(Problem::NotFound("no such page".to_owned()), uri.path()));
    }
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    Ok(Redirect::permanent(&format!("{path}{query}")))
}

fn is_read(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}

/// The only route of the metrics' own address, which is `listen`.
pub(crate) fn metrics_router(site: &Site, listen: SocketAddr) -> Router {
    let state = (site.clone(), listen);
    Router::new()
        .route("/metrics", get(metrics_routes::metrics))
        .layer(from_fn_with_state(state, middleware::check_metrics_host))
        .layer(from_fn(middleware::add_security_headers))
        .layer(CatchPanicLayer::new())
        .with_state(site.clone())
}
