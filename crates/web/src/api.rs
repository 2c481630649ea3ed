//! The API: what the pages show, as JSON under `/api/v1`.

pub(crate) mod entries;
mod games;
mod hills;

use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::Problem;
use crate::problem::ProblemDocument;
use crate::rendered::Rendered;
use crate::site::Site;

/// What the OpenAPI document says beside the routes.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "dicehill",
        description = "Hills of dice-game bots: their boards, bots and games, and tables where people play. \
                       All that the pages show. Shares and chances go from 0 to 1; intervals are those of 95 %.",
        license(name = "MIT OR Apache-2.0")
    ),
    components(schemas(ProblemDocument))
)]
struct Document;

/// The routes of the API, each with its part of the OpenAPI document.
pub(crate) fn routes() -> OpenApiRouter<Site> {
    OpenApiRouter::with_openapi(Document::openapi()).merge(hills::routes()).merge(games::routes())
}

/// Where the API is told of: its OpenAPI document, and a page for people.
pub(crate) fn about(document: &utoipa::openapi::OpenApi) -> Router<Site> {
    let json = document.to_json().expect("a document of names and texts is JSON");
    let json = Rendered::new("application/json", json);
    let page = Rendered::page(crate::pages::api::page(document));
    let answer = |page: Rendered| get(async move |headers: HeaderMap| page.answer(&headers));
    Router::new().route("/api", answer(page)).route("/api/v1/openapi.json", answer(json))
}

/// A problem as JSON.
pub(crate) struct Refused(Problem);

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0.status(), Json(ProblemDocument::from(&self.0))).into_response()
    }
}

/// A document as it was made once, for all who ask.
pub(crate) fn json(document: &impl serde::Serialize) -> Result<Rendered, Problem> {
    let failed = |_| Problem::Ours("this document could not be made".to_owned());
    let text = dicehill_arena::printable_json(document).map_err(failed)?;
    Ok(Rendered::new("application/json", text))
}
