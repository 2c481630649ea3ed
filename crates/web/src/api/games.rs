//! Games of a run.

use axum::Json;
use axum::extract::{Query, State};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::address_parts::Path;
use super::problem::{ApiProblem, ProblemDocument};
use crate::hills::recorded_games::{GamesQuery, list_games, replay_bar, replay_game};
use crate::model::games::GamesDocument;
use crate::model::replay::ReplayDocument;
use crate::site::Site;

pub(super) fn routes() -> OpenApiRouter<Site> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(replay)).routes(routes!(barred))
}

/// Games of a run.
///
/// At most 50, one row each. `from` and `before` of the response address the next and the previous page.
#[utoipa::path(
    get, path = "/api/v1/hills/{hill}/runs/{run}/games", tag = "games",
    params(
        ("hill" = String, Path, description = "The hill's name in addresses"),
        ("run" = i64, Path, description = "The run's number, from 1"),
        GamesQuery,
    ),
    responses(
        (status = 200, body = GamesDocument),
        (status = 404, body = ProblemDocument, description = "There is no such hill, run or bot"),
    ),
)]
async fn list(
    State(site): State<Site>,
    Path((hill, run)): Path<(String, i64)>,
    Query(query): Query<GamesQuery>,
) -> Result<Json<GamesDocument>, ApiProblem> {
    Ok(Json(list_games(site.hills(), &hill, run, query).await?))
}

/// A game, move by move.
///
/// All dice and hands are shown. In Yahtzee each choice has its loss and the best choice, by the exact solution for the
/// highest expected score.
#[utoipa::path(
    get, path = "/api/v1/hills/{hill}/runs/{run}/games/{game}", tag = "games",
    params(
        ("hill" = String, Path, description = "The hill's name in addresses"),
        ("run" = i64, Path, description = "The run's number, from 1"),
        ("game" = u64, Path, description = "The game's number in the run, from 1"),
    ),
    responses(
        (status = 200, body = ReplayDocument),
        (status = 404, body = ProblemDocument, description = "There is no such hill, run or game"),
    ),
)]
async fn replay(
    State(site): State<Site>,
    Path((hill, run, game)): Path<(String, i64, u64)>,
) -> Result<Json<ReplayDocument>, ApiProblem> {
    Ok(Json(replay_game(site.hills(), &hill, run, game).await?))
}

/// A game in which a bot was barred.
///
/// Games before a bar do not count; only the game in which the bot was barred is kept.
#[utoipa::path(
    get, path = "/api/v1/hills/{hill}/runs/{run}/bars/{number}", tag = "games",
    params(
        ("hill" = String, Path, description = "The hill's name in addresses"),
        ("run" = i64, Path, description = "The run's number, from 1"),
        ("number" = usize, Path, description = "The bar's number in the run, from 1"),
    ),
    responses(
        (status = 200, body = ReplayDocument),
        (status = 404, body = ProblemDocument, description = "There is no such hill, run or bar"),
    ),
)]
async fn barred(
    State(site): State<Site>,
    Path((hill, run, number)): Path<(String, i64, usize)>,
) -> Result<Json<ReplayDocument>, ApiProblem> {
    Ok(Json(replay_bar(site.hills(), &hill, run, number).await?))
}
