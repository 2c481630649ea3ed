//! Hills, their runs and bots as JSON.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::address_parts::Path;
use super::problem::{ApiProblem, ProblemDocument};
use crate::hills::bot_document::bot_document;
use crate::model::{BoardDocument, BotDocument, HillDocument, PairsDocument, SiteDocument};
use crate::pages::links::Links;
use crate::requests::page_cache::json;
use crate::site::Site;

pub(super) fn routes() -> OpenApiRouter<Site> {
    OpenApiRouter::new()
        .routes(routes!(hills))
        .routes(routes!(hill))
        .routes(routes!(board))
        .routes(routes!(pairs))
        .routes(routes!(bot))
}

/// All hills of this server.
#[utoipa::path(get, path = "/api/v1/hills", tag = "hills", responses((status = 200, body = SiteDocument)))]
async fn hills(State(site): State<Site>) -> Json<SiteDocument> {
    Json(site.document())
}

/// A hill with the board of its last run, updated while the run is in progress.
#[utoipa::path(
    get, path = "/api/v1/hills/{hill}", tag = "hills",
    params(("hill", description = "The hill's name in addresses", example = "spring")),
    responses(
        (status = 200, body = HillDocument),
        (status = 404, body = ProblemDocument, description = "There is no such hill"),
    )
)]
async fn hill(
    State(site): State<Site>,
    Path(address): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let path = |links: Links<'_>| format!("/api/v1{}", links.board());
    let document = site.cached_of_hill(&address, path, |_, snapshot| json(&snapshot.hill));
    Ok(document.await?.answer(&headers))
}

/// The board of a run.
#[utoipa::path(
    get, path = "/api/v1/hills/{hill}/runs/{run}", tag = "hills",
    params(
        ("hill", description = "The hill's name in addresses", example = "spring"),
        ("run" = i64, Path, description = "The run's number, from 1", example = 1),
    ),
    responses(
        (status = 200, body = BoardDocument),
        (status = 404, body = ProblemDocument, description = "There is no such hill or run"),
    )
)]
async fn board(
    State(site): State<Site>,
    Path((address, run)): Path<(String, i64)>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let path = |links: Links<'_>| format!("/api/v1{}", links.board());
    let document = site.cached_of_run((address, run), path, move |site, hill| {
        json(&site.hills().run(hill, run)?.board)
    });
    Ok(document.await?.answer(&headers))
}

/// How often each bot of a run was ahead of each other bot.
#[utoipa::path(
    get, path = "/api/v1/hills/{hill}/runs/{run}/head-to-head", tag = "hills",
    params(
        ("hill", description = "The hill's name in addresses", example = "spring"),
        ("run" = i64, Path, description = "The run's number, from 1", example = 1),
    ),
    responses(
        (status = 200, body = PairsDocument),
        (status = 404, body = ProblemDocument, description = "There is no such hill or run"),
    )
)]
async fn pairs(
    State(site): State<Site>,
    Path((address, run)): Path<(String, i64)>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let path = |links: Links<'_>| format!("/api/v1{}", links.head_to_head());
    let document = site.cached_of_run((address, run), path, move |site, hill| {
        json(&site.hills().run(hill, run)?.pairs)
    });
    Ok(document.await?.answer(&headers))
}

/// A bot in a run: results by seat and opponent, scores or places, answer times, failures, versions, and the cost of its
/// mistakes.
#[utoipa::path(
    get, path = "/api/v1/hills/{hill}/runs/{run}/bots/{bot}", tag = "hills",
    params(
        ("hill", description = "The hill's name in addresses", example = "spring"),
        ("run" = i64, Path, description = "The run's number, from 1", example = 1),
        ("bot", description = "The bot's name", example = "greedy"),
    ),
    responses(
        (status = 200, body = BotDocument),
        (status = 404, body = ProblemDocument, description = "There is no such hill, run or bot"),
    )
)]
async fn bot(
    State(site): State<Site>,
    Path((address, run, name)): Path<(String, i64, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let bot = name.clone();
    let path = |links: Links<'_>| format!("/api/v1{}", links.bot(0, &name));
    let document = site.cached_of_run((address, run), path, move |site, hill| {
        json(&bot_document(site.hills(), hill, run, &bot)?)
    });
    Ok(document.await?.answer(&headers))
}
