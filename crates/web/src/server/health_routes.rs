//! Whether the server lives, and whether it can do its work.

use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use dicehill_store::EntryStore;
use tokio::sync::Mutex;

use crate::Problem;
use crate::hills::ServedHill;
use crate::requests::run_blocking;
use crate::site::Site;

/// How long an answer holds, so that requests do not hold up the writers of a store.
const AGE: Duration = Duration::from_secs(2);

/// What was found last, and when.
static LAST: Mutex<Option<(Instant, usize, Vec<String>)>> = Mutex::const_new(None);

/// The routes for those who watch the server.
pub(super) fn routes() -> Router<Site> {
    Router::new().route("/healthz", get(async || "ok\n")).route("/readyz", get(ready))
}

/// `GET /readyz`: 200 if the server can do all that it was started for, else 503 with a line for each reason.
async fn ready(State(site): State<Site>) -> Response {
    let reasons = {
        let mut last = LAST.lock().await;
        // Tests have several servers in a process.
        let of_site = site.address();
        match &*last {
            Some((at, of, reasons)) if *of == of_site && at.elapsed() < AGE => reasons.clone(),
            Some(_) | None => {
                let found = reasons(&site).await;
                *last = Some((Instant::now(), of_site, found.clone()));
                found
            }
        }
    };
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    if reasons.is_empty() {
        return (no_store, "ready\n").into_response();
    }
    let text = format!("not ready\n{}\n", reasons.join("\n"));
    (StatusCode::SERVICE_UNAVAILABLE, no_store, text).into_response()
}

/// Why the server cannot do its work. The details are in its log.
async fn reasons(site: &Site) -> Vec<String> {
    let mut reasons = Vec::new();
    if site.config().accept && !site.config().missing.is_empty() {
        reasons.push("the sandbox is not complete on this machine".to_owned());
    }
    for hill in site.hills().all() {
        reasons.extend(
            reasons_of_hill(site, hill)
                .await
                .into_iter()
                .map(|why| format!("{}: {why}", hill.address())),
        );
    }
    reasons
}

async fn reasons_of_hill(site: &Site, hill: &ServedHill) -> Vec<String> {
    let path = hill.path().to_owned();
    let uploads = site.uploads();
    let is_open = uploads.why_closed().is_none();
    let store = run_blocking(move || {
        if is_open {
            EntryStore::open(&path)?.check_writable()?;
        } else {
            drop(EntryStore::open_to_read(&path)?);
        }
        Ok::<_, Problem>(())
    });
    let mut reasons = Vec::new();
    if store.await.is_err() {
        let what = if is_open { "written" } else { "read" };
        reasons.push(format!("the store cannot be {what}"));
    }
    if is_open {
        if !uploads.queue().is_running(hill.address()) {
            reasons.push("the queue has stopped".to_owned());
        }
        reasons.extend(uploads.free_disk().shortage(hill.path()));
    }
    reasons
}
