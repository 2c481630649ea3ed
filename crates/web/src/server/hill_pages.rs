//! The pages of hills, runs and bots.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::WatchStream;

use crate::Problem;
use crate::api::Path;
use crate::hills::bot_document::bot_document;
use crate::news::feed;
use crate::news::item::news;
use crate::news::post::post as post_of;
use crate::pages;
use crate::pages::hill::Visit;
use crate::pages::layout::Hosting;
use crate::pages::links::Links;
use crate::requests::page_cache::CachedPage;
use crate::site::Site;

/// The routes of these pages.
pub(super) fn routes() -> Router<Site> {
    Router::new()
        .route("/", get(hills))
        .route("/hills/{hill}", get(hill))
        .route("/hills/{hill}/now", get(now))
        .route("/hills/{hill}/live", get(live))
        .route("/hills/{hill}/bots/{bot}", get(bot_of_last))
        .route("/hills/{hill}/head-to-head", get(pairs_of_last))
        .route("/hills/{hill}/feed.atom", get(atom))
        .route("/hills/{hill}/runs/{run}/post.md", get(post))
        .route("/hills/{hill}/runs/{run}", get(run))
        .route("/hills/{hill}/runs/{run}/bots/{bot}", get(bot))
        .route("/hills/{hill}/runs/{run}/head-to-head", get(pairs))
}

/// [`Links::board`] for links of any lifetime.
fn board_path(links: Links<'_>) -> String {
    links.board()
}

/// [`Links::head_to_head`] for links of any lifetime.
fn pairs_path(links: Links<'_>) -> String {
    links.head_to_head()
}

async fn hills(State(site): State<Site>) -> Response {
    pages::site::page(&site.document(), site.config().public_origin()).into_response()
}

async fn hill(
    State(site): State<Site>,
    Path(address): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let page = site.cached_of_hill(&address, board_path, |site, snapshot| {
        let visit = Visit { accepts: site.config().accept, origin: site.config().public_origin() };
        Ok(CachedPage::html(pages::hill::hill_page(&snapshot.hill, visit)))
    });
    Ok(page.await?.answer(&headers))
}

/// The part of a hill's page that changes.
async fn now(
    State(site): State<Site>,
    Path(address): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let path = |links: Links<'_>| format!("{}/now", links.board());
    let page = site.cached_of_hill(&address, path, |_, snapshot| {
        Ok(CachedPage::html(pages::hill::now(&snapshot.hill)))
    });
    Ok(page.await?.answer(&headers))
}

/// A stream of the hill's versions. It holds nothing else, so that a slow client misses intermediate versions instead of
/// building up a queue.
async fn live(
    State(site): State<Site>,
    Path(address): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    let changes = site.hills().named(&address)?.changes();
    let events = WatchStream::new(changes)
        .map(|snapshot| Event::default().data(snapshot.hill.version.to_string()))
        .map(Ok::<_, Infallible>);
    let alive = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(([(header::CACHE_CONTROL, "no-store")], Sse::new(events).keep_alive(alive)))
}

async fn run(
    State(site): State<Site>,
    Path((address, run)): Path<(String, i64)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let page = site.cached_of_run((address, run), board_path, move |site, hill| {
        let view = site.hills().run(hill, run)?;
        let origin = site.config().public_origin();
        Ok(CachedPage::html(pages::board::run_page(&view.board, hill, origin)))
    });
    Ok(page.await?.answer(&headers))
}

/// The displayed run of a hill, or that of a placed bot. Redirecting to it keeps the links of a page within one run when a
/// later run begins.
fn displayed_run(site: &Site, address: &str, bot: Option<&str>) -> Result<i64, Problem> {
    site.hills().named(address)?.displayed_run(bot)
}

async fn bot_of_last(
    State(site): State<Site>,
    Path((address, name)): Path<(String, String)>,
) -> Result<Redirect, Problem> {
    let run = displayed_run(&site, &address, Some(&name))?;
    let links = Links::Server { hill: &address, run: Some(run) };
    Ok(Redirect::to(&links.bot(0, &name)))
}

async fn pairs_of_last(
    State(site): State<Site>,
    Path(address): Path<String>,
) -> Result<Redirect, Problem> {
    let run = displayed_run(&site, &address, None)?;
    Ok(Redirect::to(&Links::Server { hill: &address, run: Some(run) }.head_to_head()))
}

async fn bot(
    State(site): State<Site>,
    Path((address, run, name)): Path<(String, i64, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let bot = name.clone();
    let path = |links: Links<'_>| links.bot(0, &name);
    let page = site.cached_of_run((address, run), path, move |site, hill| {
        let bot = bot_document(site.hills(), hill, run, &bot)?;
        let links = Links::Server { hill, run: Some(run) };
        let origin = site.config().public_origin();
        Ok(CachedPage::html(pages::bot::page(&bot, links, Hosting::Server, origin)))
    });
    Ok(page.await?.answer(&headers))
}

async fn pairs(
    State(site): State<Site>,
    Path((address, run)): Path<(String, i64)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let page = site.cached_of_run((address, run), pairs_path, move |site, hill| {
        let view = site.hills().run(hill, run)?;
        let links = Links::Server { hill, run: Some(run) };
        Ok(CachedPage::html(pages::pairs::page(&view.board, &view.pairs, links, Hosting::Server)))
    });
    Ok(page.await?.answer(&headers))
}

/// `GET /hills/HILL/feed.atom`
async fn atom(
    State(site): State<Site>,
    Path(address): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let path = |links: Links<'_>| format!("{}/feed.atom", links.board());
    let page = site.cached_of_hill(&address, path, |site, snapshot| {
        let text = feed::feed(snapshot, &news(snapshot), site.config().public_origin());
        Ok(CachedPage::new(feed::KIND, text))
    });
    Ok(page.await?.answer(&headers))
}

/// `GET /hills/HILL/runs/RUN/post.md`
async fn post(
    State(site): State<Site>,
    Path((hill, run)): Path<(String, i64)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let path = move |links: Links<'_>| format!("{}/post.md", links.board());
    let page = site.cached_of_run((hill, run), path, move |site, hill| {
        let view = site.hills().run(hill, run)?;
        let text = post_of(&view.board, site.config().public_origin());
        Ok(CachedPage::new("text/markdown; charset=utf-8", text))
    });
    Ok(page.await?.answer(&headers))
}
