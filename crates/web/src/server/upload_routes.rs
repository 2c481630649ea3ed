//! The pages of uploads: the form, the entries of a hill, and each entry with its live updates.

use axum::Extension;
use axum::Router;
use axum::extract::multipart::MultipartRejection;
use axum::extract::{Multipart, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use maud::Markup;
use serde::Deserialize;

use crate::api::Path;
use crate::entries::entry_events::{WatchedEntry, events};
use crate::entries::lookup::{self, EntrySource};
use crate::entries::upload::{UploadRequest, upload_limit};
use crate::requests::client_address::ClientAddress;
use crate::requests::origin;
use crate::site::Site;
use crate::{Config, Problem, pages};

/// The routes of these pages.
pub(super) fn pages(config: &Config) -> Router<Site> {
    Router::new()
        .route("/hills/{hill}/enter", get(form))
        .route("/hills/{hill}/entries", get(entries).post(upload).layer(upload_limit(config)))
        .route("/hills/{hill}/entries/{id}", get(entry))
        .route("/hills/{hill}/entries/{id}/live", get(live))
}

async fn form(
    State(site): State<Site>,
    Path(hill): Path<String>,
    headers: HeaderMap,
) -> Result<Markup, Problem> {
    let uploads = site.uploads();
    let served = site.hills().named(&hill)?;
    let outlook = lookup::outlook(uploads, served).await?;
    let form = pages::enter::UploadForm {
        hill: &hill,
        origin: origin::shown_origin(site.config(), &headers),
        closed: uploads.why_closed_at(served),
        upload_bytes: uploads.upload_bytes(),
    };
    Ok(pages::enter::page(&form, &outlook))
}

async fn entries(State(site): State<Site>, Path(hill): Path<String>) -> Result<Markup, Problem> {
    let hill = site.hills().named(&hill)?;
    let entries = lookup::entries(site.uploads(), hill).await?;
    Ok(pages::entry::list(&entries, &hill.latest().hill.summary.name))
}

async fn entry(
    State(site): State<Site>,
    Path((hill, id)): Path<(String, i64)>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
) -> Result<Markup, Problem> {
    let served = site.hills().named(&hill)?;
    let viewer = site.uploads().viewer(served, &headers, client).await;
    let entry = lookup::entry(site.uploads(), served, id, &viewer).await?;
    Ok(pages::entry::page(&hill, &served.latest().hill.summary.name, &entry))
}

async fn upload(
    State(site): State<Site>,
    Path(hill): Path<String>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Redirect, Problem> {
    let request = UploadRequest { headers, client, form };
    let id = request.receive(site.uploads(), site.hills().named(&hill)?).await?;
    Ok(Redirect::to(&pages::entry::address(&hill, id)))
}

#[derive(Deserialize)]
struct LiveQuery {
    /// The number of lines of the report that the page has already.
    #[serde(default)]
    from: usize,
}

async fn live(
    State(site): State<Site>,
    Path((hill, id)): Path<(String, i64)>,
    Query(LiveQuery { from }): Query<LiveQuery>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let served = site.hills().named(&hill)?;
    let viewer = site.uploads().viewer(served, &headers, client).await;
    lookup::entry(site.uploads(), served, id, &viewer).await?;
    // A browser that reconnects sends the id of the last event it received.
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let (changes, stop) = site.uploads().queue().changes(&hill);
    let source = EntrySource::new(site.uploads(), served);
    let watched = WatchedEntry { source, id, viewer, known: last.unwrap_or(from), changes, stop };
    Ok(events(watched).into_response())
}

#[cfg(test)]
mod tests;
