//! The page of a token's holder: of an author, or of a host.

use axum::extract::rejection::FormRejection;
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::Deserialize;

use super::play_pages::unreadable;
use crate::api::Path;
use crate::entries::account::{self, token_cookie};
use crate::entries::host_command::{ActionRequest, HostCommand};
use crate::entries::viewer::{token_in_cookie, token_of};
use crate::model::class_progress::ClassProgress;
use crate::requests::client_address::ClientAddress;
use crate::requests::origin;
use crate::site::Site;
use crate::{Problem, pages};

/// The most characters of the note on what a host has done.
const MAX_NOTE: usize = 400;

/// The routes of these pages.
pub(super) fn routes() -> Router<Site> {
    Router::new()
        .route("/hills/{hill}/account", get(page).post(enter))
        .route("/hills/{hill}/account/progress", get(progress))
        .route("/hills/{hill}/account/progress.csv", get(progress_csv))
        .route("/hills/{hill}/account/leave", post(leave))
        .route("/hills/{hill}/account/actions", post(act))
}

#[derive(Deserialize)]
struct Note {
    /// What the last action has done.
    done: Option<String>,
}

async fn page(
    State(site): State<Site>,
    Path(hill): Path<String>,
    Query(Note { done }): Query<Note>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let served = site.hills().named(&hill)?;
    let uploads = site.uploads();
    let name = served.latest().hill.summary.name.clone();
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    let Some(token) = token_of(&headers).filter(|_| uploads.why_closed().is_none()) else {
        let form = pages::account::form(&hill, &name, uploads.why_closed());
        return Ok((no_store, form).into_response());
    };
    let Ok(token) = uploads.holder(served, &token, client).await else {
        // The token was revoked, or has expired.
        return Ok((no_store, pages::account::form(&hill, &name, None)).into_response());
    };
    let document = account::document(uploads, served, token).await?;
    let done = done.map(|text| text.chars().take(MAX_NOTE).collect::<String>());
    Ok((no_store, pages::account::page(&document, &name, done.as_deref())).into_response())
}

#[derive(Deserialize)]
struct EnterForm {
    token: String,
}

/// Keeps the token in a cookie.
async fn enter(
    State(site): State<Site>,
    Path(hill): Path<String>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
    sent: Result<Form<EnterForm>, FormRejection>,
) -> Result<Response, Problem> {
    let Form(EnterForm { token }) = sent.map_err(|rejection| unreadable(&rejection))?;
    let served = site.hills().named(&hill)?;
    site.uploads().check_open()?;
    site.uploads().holder(served, &token, client).await?;
    let is_secure = origin::is_secure(site.config(), &headers);
    Ok(with_cookie(&hill, token.trim(), is_secure))
}

async fn leave(
    State(site): State<Site>,
    Path(hill): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    site.hills().named(&hill)?;
    Ok(with_cookie(&hill, "", origin::is_secure(site.config(), &headers)))
}

fn with_cookie(hill: &str, token: &str, is_secure: bool) -> Response {
    let cookie = token_cookie(hill, token, is_secure);
    let cookie = AppendHeaders([(header::SET_COOKIE, cookie)]);
    (cookie, Redirect::to(&account::address(hill))).into_response()
}

/// Does what the host asks, as a command.
async fn act(
    State(site): State<Site>,
    Path(hill): Path<String>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
    sent: Result<Form<ActionRequest>, FormRejection>,
) -> Result<Redirect, Problem> {
    let Form(request) = sent.map_err(|rejection| unreadable(&rejection))?;
    let served = site.hills().named(&hill)?;
    site.uploads().check_open()?;
    let no_token = || Problem::Forbidden("enter the token of a host first".to_owned());
    let token = token_in_cookie(&headers).ok_or_else(no_token)?;
    let token = site.uploads().holder(served, token, client).await?;
    let done = HostCommand::parse(&request)?.run(site.config(), served, &token).await?;
    let note = query_value(&done);
    Ok(Redirect::to(&format!("{}?done={note}", account::address(&hill))))
}

/// A text as the value of a query.
fn query_value(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let short: String = text.chars().take(MAX_NOTE).collect();
    let encode = |byte: u8| {
        if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    short.bytes().map(encode).collect()
}

/// `GET /hills/HILL/account/progress`
async fn progress(
    State(site): State<Site>,
    Path(hill): Path<String>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let served = site.hills().named(&hill)?;
    let name = served.latest().hill.summary.name.clone();
    let progress = class_progress(&site, &hill, client, &headers).await?;
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    Ok((no_store, pages::class_progress::page(&progress, &name)).into_response())
}

/// `GET /hills/HILL/account/progress.csv`
async fn progress_csv(
    State(site): State<Site>,
    Path(hill): Path<String>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let progress = class_progress(&site, &hill, client, &headers).await?;
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"progress.csv\""),
    ];
    Ok((headers, progress.to_csv()).into_response())
}

async fn class_progress(
    site: &Site,
    hill: &str,
    client: ClientAddress,
    headers: &HeaderMap,
) -> Result<ClassProgress, Problem> {
    let served = site.hills().named(hill)?;
    site.uploads().check_open()?;
    let no_token = || Problem::Forbidden("enter the token of a host first".to_owned());
    let token = token_of(headers).ok_or_else(no_token)?;
    let token = site.uploads().holder(served, &token, client).await?;
    account::class_progress(served, &token).await
}
