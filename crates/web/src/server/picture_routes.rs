//! The pictures that other sites show: previews of links, and badges and ranks of bots.

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;

use crate::Problem;
use crate::api::Path;
use crate::hills::bot_document::bot_document;
use crate::hills::recorded_games::RecordedGames;
use crate::pages::layout::picture_of;
use crate::pages::links::Links;
use crate::pictures::badge::{RankOfBot, badge, rank_picture};
use crate::pictures::preview;
use crate::requests::page_cache::CachedPage;
use crate::site::Site;

const PNG: &str = "image/png";
const SVG: &str = "image/svg+xml";

/// Draws a rank as SVG.
type Drawing = fn(&RankOfBot<'_>) -> String;

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
    let page =
        site.cached(picture_of("/"), 0, |_| Ok(CachedPage::picture(PNG, preview::of_site())));
    Ok(page.await?.answer(&headers))
}

async fn of_hill(
    State(site): State<Site>,
    Path(address): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let path = |links: Links<'_>| picture_of(&links.board());
    let page = site.cached_of_hill(&address, path, |_, snapshot| {
        Ok(CachedPage::picture(PNG, preview::of_hill(&snapshot.hill)))
    });
    Ok(page.await?.answer(&headers))
}

async fn of_run(
    State(site): State<Site>,
    Path((address, run)): Path<(String, i64)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let path = |links: Links<'_>| picture_of(&links.board());
    let page = site.cached_of_run((address, run), path, move |site, hill| {
        let view = site.hills().run(hill, run)?;
        Ok(CachedPage::picture(PNG, preview::of_run(&view.board)))
    });
    Ok(page.await?.answer(&headers))
}

async fn of_bot(
    State(site): State<Site>,
    Path((address, run, name)): Path<(String, i64, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let bot = name.clone();
    let path = |links: Links<'_>| picture_of(&links.bot(0, &name));
    let page = site.cached_of_run((address, run), path, move |site, hill| {
        let bot = bot_document(site.hills(), hill, run, &bot)?;
        let among = site.hills().run(hill, run)?.board.rows.len();
        Ok(CachedPage::picture(PNG, preview::of_bot(&bot, among)))
    });
    Ok(page.await?.answer(&headers))
}

async fn of_game(
    State(site): State<Site>,
    Path((address, run, game)): Path<(String, i64, u64)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let store = site.hills().named(&address)?.path_of(run)?;
    let path = |links: Links<'_>| picture_of(&links.game(game));
    let page = site.cached_of_run((address, run), path, move |_, _| {
        // Only the result is shown.
        let document = RecordedGames::open(&store, run)?.replay(game, 0)?;
        Ok(CachedPage::picture(PNG, preview::of_game(&document)))
    });
    Ok(page.await?.answer(&headers))
}

async fn badge_of_bot(
    State(site): State<Site>,
    Path((address, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let picture = rank_on_board(&site, &address, name, (|[badge, _]| badge, badge));
    Ok(picture.await?.answer(&headers))
}

async fn rank_of_bot(
    State(site): State<Site>,
    Path((address, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let picture = rank_on_board(&site, &address, name, (|[_, rank]| rank, rank_picture));
    Ok(picture.await?.answer(&headers))
}

/// A picture of the rank of a bot on the displayed board of a hill: which one, and how it is drawn.
async fn rank_on_board(
    site: &Site,
    address: &str,
    name: String,
    (which, draw): (fn([String; 2]) -> String, Drawing),
) -> Result<CachedPage, Problem> {
    let bot = name.clone();
    let path = |links: Links<'_>| which(links.pictures(0, &name));
    let page = site.cached_of_hill(address, path, move |_, snapshot| {
        let board = snapshot.hill.board.as_ref();
        let found = board.and_then(|board| RankOfBot::find(board, &bot));
        let missing = || {
            let bot = dicehill_arena::printable(&bot);
            Problem::NotFound(format!("no bot {bot:?} is on the board of this hill"))
        };
        let svg = draw(&found.ok_or_else(missing)?);
        Ok(CachedPage::picture(SVG, svg.into_bytes()))
    });
    page.await
}
