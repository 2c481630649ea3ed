//! The pages of the door: the form, the entries, and each of them as it goes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::Extension;
use axum::Router;
use axum::extract::multipart::MultipartRejection;
use axum::extract::{DefaultBodyLimit, Multipart, Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use dicehill_store::EntryBook;
use maud::Markup;
use serde::Deserialize;

use super::desk::off_the_loop;
use super::live::{Watched, events};
use super::upload::{Goal, Visitor, receive};
use crate::model::entry::{EntriesDocument, EntryDocument, EntryHead};
use crate::site::Site;
use crate::{Config, Problem, pages};

/// Entries on the page of all.
const MOST_LISTED: u32 = 200;
/// Bytes of an upload's form beside the file.
const AROUND: usize = 16 << 10;

/// The pages.
pub(crate) fn pages(config: &Config) -> Router<Site> {
    Router::new()
        .route("/hills/{hill}/enter", get(form))
        .route("/hills/{hill}/entries", get(all).post(bring).layer(upload_limit(config)))
        .route("/hills/{hill}/entries/{id}", get(one))
        .route("/hills/{hill}/entries/{id}/live", get(live))
}

/// How large the body of an upload may be.
pub(crate) fn upload_limit(config: &Config) -> DefaultBodyLimit {
    DefaultBodyLimit::max(config.limits.upload_bytes.saturating_add(AROUND))
}

/// What comes with an upload.
pub(crate) struct Upload {
    pub(crate) hill: String,
    pub(crate) headers: HeaderMap,
    pub(crate) peer: Option<Extension<SocketAddr>>,
    pub(crate) form: Result<Multipart, MultipartRejection>,
}

/// Takes an upload in; gives the entry's number.
pub(crate) async fn take(site: &Site, upload: Upload) -> Result<i64, Problem> {
    let Upload { hill, headers, peer, form } = upload;
    let path = site.hills().named(&hill)?.path().to_owned();
    site.door().check_open()?;
    let form = form.map_err(|error| Problem::Bad(error.body_text()))?;
    let unknown = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    let visitor = Visitor {
        peer: peer.map_or(unknown, |Extension(peer)| peer.ip()),
        bearer: bearer(&headers),
        is_browser: crate::origin::is_browser(&headers),
    };
    receive(site, Goal { name: &hill, path: &path }, visitor, form).await
}

fn bearer(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}

/// The last entries of a hill.
pub(crate) async fn entries(site: &Site, hill: &str) -> Result<EntriesDocument, Problem> {
    let path = site.hills().named(hill)?.path().to_owned();
    let read = move || Ok(EntryBook::open_to_read(&path)?.entries(MOST_LISTED)?);
    let entries = off_the_loop(read).await?;
    Ok(EntriesDocument {
        hill: hill.to_owned(),
        closed: site.door().why_closed().map(str::to_owned),
        entries: entries.into_iter().map(EntryHead::from).collect(),
    })
}

/// An entry of a hill.
pub(crate) async fn entry(site: &Site, hill: &str, id: i64) -> Result<EntryDocument, Problem> {
    let path = site.hills().named(hill)?.path().to_owned();
    let read = move || Ok(EntryBook::open_to_read(&path)?.entry(id)?);
    let missing = || Problem::NotFound(format!("there is no entry {id} on this hill"));
    off_the_loop(read).await?.map(EntryDocument::from).ok_or_else(missing)
}

async fn form(State(site): State<Site>, Path(hill): Path<String>) -> Result<Markup, Problem> {
    let path = site.hills().named(&hill)?.path().to_owned();
    let read = move || Ok(dicehill_store::HillStore::open(&path)?.hill().clone());
    let terms = off_the_loop(read).await?;
    let upload_bytes = site.config().limits.upload_bytes;
    let door = pages::enter::Door { hill: &hill, closed: site.door().why_closed(), upload_bytes };
    Ok(pages::enter::page(&door, &terms))
}

async fn all(State(site): State<Site>, Path(hill): Path<String>) -> Result<Markup, Problem> {
    Ok(pages::entry::list(&entries(&site, &hill).await?))
}

async fn one(
    State(site): State<Site>,
    Path((hill, id)): Path<(String, i64)>,
) -> Result<Markup, Problem> {
    Ok(pages::entry::page(&hill, &entry(&site, &hill, id).await?))
}

async fn bring(
    State(site): State<Site>,
    Path(hill): Path<String>,
    peer: Option<Extension<SocketAddr>>,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Redirect, Problem> {
    let upload = Upload { hill: hill.clone(), headers, peer, form };
    let id = take(&site, upload).await?;
    Ok(Redirect::to(&pages::entry::address(&hill, id)))
}

#[derive(Deserialize)]
struct Known {
    /// Lines of the report that the page has already.
    #[serde(default)]
    from: usize,
}

async fn live(
    State(site): State<Site>,
    Path((hill, id)): Path<(String, i64)>,
    Query(Known { from }): Query<Known>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    entry(&site, &hill, id).await?;
    // A browser that comes again says what it had.
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let (changes, end) = site.door().desk.news(&hill);
    let path = site.hills().named(&hill)?.path().to_owned();
    let watched = Watched { path, id, known: last.unwrap_or(from), changes, end };
    Ok(events(watched).into_response())
}

#[cfg(test)]
mod tests;
