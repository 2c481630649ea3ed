//! The routes of the API together, and its OpenAPI document.

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::get;
use utoipa::openapi::{Content, Ref, ResponseBuilder};
use utoipa::{OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::problem::ProblemDocument;
use super::{accounts, games, hills, remote, tables};
use crate::requests::page_cache::CachedPage;
use crate::site::Site;

/// The parts of the OpenAPI document that do not belong to a route.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "dicehill",
        description = "Hills of dice-game bots: their boards, bots and games, and tables where people play. The API has all data of the pages. Shares and probabilities are from 0 to 1; intervals are 95 % intervals.",
        license(name = "MIT OR Apache-2.0")
    ),
    components(schemas(ProblemDocument))
)]
struct Document;

/// The routes of the API, each with its part of the OpenAPI document. Uploads, which have limits of their own, are
/// not among them.
pub(crate) fn routes() -> OpenApiRouter<Site> {
    OpenApiRouter::with_openapi(Document::openapi())
        .merge(hills::routes())
        .merge(games::routes())
        .merge(tables::routes())
        .merge(accounts::routes())
        .merge(remote::routes())
}

/// The description of the API: its OpenAPI document, and a page for people.
pub(crate) fn about(mut document: utoipa::openapi::OpenApi) -> Router<Site> {
    add_server_errors(&mut document);
    let json = document.to_json().expect("a document of names and texts is JSON");
    let json = CachedPage::new("application/json", json);
    let page = CachedPage::html(crate::pages::api::page(&document));
    let answer = |page: CachedPage| get(async move |headers: HeaderMap| page.answer(&headers));
    Router::new().route("/api", answer(page)).route("/api/v1/openapi.json", answer(json))
}

/// Adds status 500, with which any operation can fail.
fn add_server_errors(document: &mut utoipa::openapi::OpenApi) {
    let schema = Ref::from_schema_name(ProblemDocument::name());
    let content = Content::new(Some(schema));
    let failed = ResponseBuilder::new().description("The server failed");
    let failed = failed.content("application/json", content).build();
    for item in document.paths.paths.values_mut() {
        for operation in [&mut item.get, &mut item.post].into_iter().flatten() {
            operation.responses.responses.insert("500".to_owned(), failed.clone().into());
        }
    }
}
