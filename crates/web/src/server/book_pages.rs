//! The routes of the book.

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use dicehill_store::did_you_mean;

use crate::api::Path;
use crate::site::Site;
use crate::{Problem, book, pages};

/// The routes of the book's pages and pictures.
pub(super) fn routes() -> Router<Site> {
    Router::new().route("/docs", get(first)).route("/docs/{*name}", get(page))
}

async fn first() -> Result<Response, Problem> {
    serve("/docs")
}

async fn page(Path(name): Path<String>) -> Result<Response, Problem> {
    serve(&format!("/docs/{name}"))
}

fn serve(address: &str) -> Result<Response, Problem> {
    if let Some(place) = book::find(address) {
        return Ok(pages::book::page(place).into_response());
    }
    let missing = || {
        let known = book::chapters().iter().map(|chapter| chapter.address.as_str());
        Problem::NotFound(format!("the book has no such page{}", did_you_mean(address, known)))
    };
    let (kind, content) = book::picture(address).ok_or_else(missing)?;
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=3600")];
    Ok((headers, content).into_response())
}
