//! The pictures that other sites show: previews of links, and badges and ranks of bots.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;

use crate::Problem;
use crate::hills::bot_document::bot_document;
use crate::hills::recorded_games::RecordedGames;
use crate::pictures::badge::{RankOfBot, badge, rank_picture};
use crate::pictures::preview;
use crate::requests::page_cache::CachedPage;
use crate::site::Site;

const PNG: &str = "image/png";
const SVG: &str = "image/svg+xml";

/// The routes of these pictures.
pub(super) fn routes() -> Router<Site> {
    Router::new()
        .route("/preview.png", get(of_site))
        .route("/hills/{hill}/preview.png", get(of_hill))
        .route("/hills/{hill}/runs/{run}/preview.png", get(of_run))
        .route("/hills/{hill}/runs/{run}/bots/{bot}/preview.png", get(of_bot))
        .route("/hills/{hill}/runs/{run}/games/{game}/preview.png", get(of_game))
        .route("/hills/{hill}/bots/{bot}/badge.svg", get(badge_of_bot))
        .route("/hills/{hill}/bots/{bot}/rank.svg", get(rank_of_bot))
}

async fn of_site(State(site): State<Site>, headers: HeaderMap) -> Result<Response, Problem> {
    let page = site
        .cached("/preview.png".to_owned(), 0, |_| Ok(CachedPage::picture(PNG, preview::of_site())));
    Ok(page.await?.answer(&headers))
}

async fn of_hill(
    State(site): State<Site>,
    Path(address): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let snapshot = site.hills().named(&address)?.latest();
    let version = snapshot.hill.version;
    let page = site.cached(format!("/hills/{address}/preview.png"), version, move |_| {
        Ok(CachedPage::picture(PNG, preview::of_hill(&snapshot.hill)))
    });
    Ok(page.await?.answer(&headers))
}

async fn of_run(
    State(site): State<Site>,
    Path((address, run)): Path<(String, i64)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let version = site.version_of(&address, run)?;
    let key = format!("/hills/{address}/runs/{run}/preview.png");
    let page = site.cached(key, version, move |site| {
        let view = site.hills().run(&address, run)?;
        Ok(CachedPage::picture(PNG, preview::of_run(&view.board)))
    });
    Ok(page.await?.answer(&headers))
}

async fn of_bot(
    State(site): State<Site>,
    Path((address, run, name)): Path<(String, i64, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let version = site.version_of(&address, run)?;
    let key = format!("/hills/{address}/runs/{run}/bots/{name}/preview.png");
    let page = site.cached(key, version, move |site| {
        let bot = bot_document(site.hills(), &address, run, &name)?;
        let among = site.hills().run(&address, run)?.board.rows.len();
        Ok(CachedPage::picture(PNG, preview::of_bot(&bot, among)))
    });
    Ok(page.await?.answer(&headers))
}

async fn of_game(
    State(site): State<Site>,
    Path((hill, run, game)): Path<(String, i64, u64)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let path = site.hills().named(&hill)?.path_of(run)?;
    let version = site.version_of(&hill, run)?;
    let key = format!("/hills/{hill}/runs/{run}/games/{game}/preview.png");
    let page = site.cached(key, version, move |_| {
        // Only the result is shown.
        let document = RecordedGames::open(&path, run)?.replay(game, 0)?;
        Ok(CachedPage::picture(PNG, preview::of_game(&document)))
    });
    Ok(page.await?.answer(&headers))
}

async fn badge_of_bot(
    State(site): State<Site>,
    Path((address, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    picture_of_bot(site, address, name, headers, ("badge", badge)).await
}

async fn rank_of_bot(
    State(site): State<Site>,
    Path((address, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    picture_of_bot(site, address, name, headers, ("rank", rank_picture)).await
}

/// A picture of the rank of a bot on the displayed board of a hill.
async fn picture_of_bot(
    site: Site,
    address: String,
    name: String,
    headers: HeaderMap,
    (kind, draw): (&'static str, fn(&RankOfBot<'_>) -> String),
) -> Result<Response, Problem> {
    let snapshot = site.hills().named(&address)?.latest();
    let version = snapshot.hill.version;
    let key = format!("/hills/{address}/bots/{name}/{kind}.svg");
    let page = site.cached(key, version, move |_| {
        let board = snapshot.hill.board.as_ref();
        let found = board.and_then(|board| RankOfBot::find(board, &name));
        let missing = || {
            let name = dicehill_arena::printable(&name);
            Problem::NotFound(format!("no bot {name:?} is on the board of this hill"))
        };
        let svg = draw(&found.ok_or_else(missing)?);
        Ok(CachedPage::picture(SVG, svg.into_bytes()))
    });
    Ok(page.await?.answer(&headers))
}
