//! The route of style sheets, scripts and pictures.

use std::sync::LazyLock;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Bytes;

use crate::api::Path;
use crate::pages::assets::ASSETS;
use crate::requests::page_cache::{accepts_gzip, gzip};

/// The assets, compressed once.
static COMPRESSED: LazyLock<Vec<Bytes>> =
    LazyLock::new(|| ASSETS.iter().map(|asset| gzip(asset.content)).collect());

/// `GET /assets/{version}/{name}`
pub(super) async fn serve(
    Path((_version, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let Some(index) = ASSETS.iter().position(|asset| asset.name == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let asset = &ASSETS[index];
    let common = [
        (header::CONTENT_TYPE, asset.kind),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::VARY, "accept-encoding"),
    ];
    if accepts_gzip(&headers) {
        let encoding = [(header::CONTENT_ENCODING, "gzip")];
        return (common, encoding, COMPRESSED[index].clone()).into_response();
    }
    (common, asset.content).into_response()
}
