//! Games of a run.

use axum::Json;
use axum::extract::{Path, Query, State};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Refused;
use crate::game_routes::{list_of, replay_of};
use crate::model::games::GamesDocument;
use crate::model::replay::ReplayDocument;
use crate::problem::ProblemDocument;
use crate::recorded_games::GamesAsked;
use crate::site::Site;

pub(super) fn routes() -> OpenApiRouter<Site> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(replay))
}

/// Games of a run
///
/// 50 at most, a line each. `from` and `before` of the answer lead to the others.
#[utoipa::path(
    get, path = "/api/v1/hills/{hill}/runs/{run}/games", tag = "games",
    params(
        ("hill" = String, Path, description = "The hill's name in addresses"),
        ("run" = i64, Path, description = "The run's number, from 1"),
        GamesAsked,
    ),
    responses(
        (status = 200, body = GamesDocument),
        (status = 404, body = ProblemDocument, description = "There is no such hill, run or bot"),
    ),
)]
async fn list(
    State(site): State<Site>,
    Path((hill, run)): Path<(String, i64)>,
    Query(asked): Query<GamesAsked>,
) -> Result<Json<GamesDocument>, Refused> {
    Ok(Json(list_of(&site, &hill, run, asked).await?))
}

/// A game, move by move
///
/// All dice and hands are shown. Of Yahtzee each choice has what it cost and what was best, by the exact solution for
/// the highest score on average.
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
) -> Result<Json<ReplayDocument>, Refused> {
    Ok(Json(replay_of(&site, &hill, run, game).await?))
}
