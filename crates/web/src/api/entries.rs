//! Entries: uploads and their state.

use axum::extract::multipart::MultipartRejection;
use axum::extract::{Multipart, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::address_parts::Path;
use super::problem::{ApiProblem, ProblemDocument};
use crate::Config;
use crate::entries::lookup;
use crate::entries::upload::{UploadRequest, upload_limit};
use crate::model::entry::{EntriesDocument, EntryDocument};
use crate::requests::client_address::ClientAddress;
use crate::site::Site;

/// The routes of entries.
pub(crate) fn routes(config: &Config) -> OpenApiRouter<Site> {
    OpenApiRouter::new()
        .routes(routes!(entries, upload).layer(upload_limit(config)))
        .routes(routes!(entry))
}

/// The last uploads to a hill, newest first.
#[utoipa::path(
    get, path = "/api/v1/hills/{hill}/entries", tag = "entries",
    params(("hill" = String, Path, description = "The hill's name in addresses")),
    responses(
        (status = 200, body = EntriesDocument),
        (status = 404, body = ProblemDocument, description = "There is no such hill"),
    ),
)]
async fn entries(
    State(site): State<Site>,
    Path(hill): Path<String>,
) -> Result<Json<EntriesDocument>, ApiProblem> {
    let hill = site.hills().named(&hill)?;
    Ok(Json(lookup::entries(site.uploads(), hill).await?))
}

/// An upload with its report.
///
/// Without a token of its author or of a host, in the header `Authorization: Bearer TOKEN`, only the first line of the verdict is
/// shown, unless the hill publishes reports.
#[utoipa::path(
    get, path = "/api/v1/hills/{hill}/entries/{id}", tag = "entries",
    params(
        ("hill" = String, Path, description = "The hill's name in addresses"),
        ("id" = i64, Path, description = "The entry's number"),
    ),
    responses(
        (status = 200, body = EntryDocument),
        (status = 404, body = ProblemDocument, description = "There is no such hill or entry"),
    ),
)]
async fn entry(
    State(site): State<Site>,
    Path((hill, id)): Path<(String, i64)>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
) -> Result<Json<EntryDocument>, ApiProblem> {
    let served = site.hills().named(&hill)?;
    let viewer = site.uploads().viewer(served, &headers, client).await;
    Ok(Json(lookup::entry(site.uploads(), served, id, &viewer).await?))
}

/// The form of an upload.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes the form, which is read field by field")]
struct UploadForm {
    /// The bot's name; by default that of its bot.toml, or of its file.
    name: Option<String>,
    /// A file, or a .zip, .tar or .tar.gz.
    #[schema(format = Binary, content_media_type = "application/octet-stream")]
    file: String,
}

/// Uploads a bot, which is qualified and then plays on the hill.
///
/// Send the token in the header `Authorization: Bearer TOKEN`.
#[utoipa::path(
    post, path = "/api/v1/hills/{hill}/entries", tag = "entries", operation_id = "bring",
    params(
        ("hill" = String, Path, description = "The hill's name in addresses"),
        ("Authorization" = String, Header, description = "`Bearer` and a token of the hill"),
    ),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses(
        (status = 201, body = EntryDocument, description = "The new entry"),
        (status = 400, body = ProblemDocument, description = "The form or the bot is invalid"),
        (status = 403, body = ProblemDocument, description = "The token is missing or invalid, or the server accepts no bots"),
        (status = 404, body = ProblemDocument, description = "There is no such hill"),
        (status = 409, body = ProblemDocument, description = "The bot's name is taken or barred, or the bot is on the hill already, unchanged"),
        (status = 413, body = ProblemDocument, description = "The upload is too large"),
        (status = 429, body = ProblemDocument, description = "Too many uploads or wrong tokens, or the queue is full"),
    ),
)]
async fn upload(
    State(site): State<Site>,
    Path(hill): Path<String>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, ApiProblem> {
    let served = site.hills().named(&hill)?;
    let request = UploadRequest { headers: headers.clone(), client, form };
    let id = request.receive(site.uploads(), served).await?;
    let viewer = site.uploads().viewer(served, &headers, client).await;
    let document = lookup::entry(site.uploads(), served, id, &viewer).await?;
    let address = format!("/api/v1{}", crate::pages::entry::address(&hill, id));
    Ok((StatusCode::CREATED, [(header::LOCATION, address)], Json(document)).into_response())
}
