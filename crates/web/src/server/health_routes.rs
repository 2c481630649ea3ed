//! Whether the server lives, and whether it can do its work.

use std::path::Path;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use dicehill_store::{EntryStore, FileError};
use tokio::sync::Mutex;
use tracing::{error, info};

use crate::Problem;
use crate::hills::ServedHill;
use crate::requests::run_blocking;
use crate::site::Site;

/// How long an answer holds, so that requests do not hold up the writers of a store.
const AGE: Duration = Duration::from_secs(2);

/// What was found last.
static LAST: Mutex<Option<Readiness>> = Mutex::const_new(None);

/// Whether a server can do its work.
struct Readiness {
    at: Instant,
    /// The address of the site: tests have several servers in a process.
    site: usize,
    /// Why it cannot.
    reasons: Vec<Reason>,
}

/// What a server lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lack {
    Sandbox,
    Store,
    Queue,
    Disk,
}

/// Why a server cannot do its work.
#[derive(Clone, Debug)]
struct Reason {
    /// The address of the hill; `None` if it is about the server.
    hill: Option<String>,
    lack: Lack,
    /// What the client reads.
    text: String,
    /// What only the host may know.
    detail: Option<String>,
}

impl Reason {
    fn of_hill(hill: &ServedHill, lack: Lack, what: &str, detail: Option<String>) -> Self {
        let address = hill.address();
        Self { hill: Some(address.to_owned()), lack, text: format!("{address}: {what}"), detail }
    }

    /// Whether both are one reason, which may have other numbers now.
    fn is_same(&self, other: &Self) -> bool {
        self.lack == other.lack && self.hill == other.hill
    }
}

/// The path under which a server says whether it can do its work.
pub(super) const READINESS: &str = "/readyz";

/// The routes for those who watch the server.
pub(super) fn routes() -> Router<Site> {
    Router::new().route("/healthz", get(async || "ok\n")).route(READINESS, get(ready))
}

/// `GET /readyz`: 200 if the server can do all that it was started for, else 503 with a line for each reason.
async fn ready(State(site): State<Site>) -> Response {
    let reasons = current_reasons(&site).await;
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    if reasons.is_empty() {
        return (no_store, "ready\n").into_response();
    }
    let texts: Vec<_> = reasons.into_iter().map(|reason| reason.text).collect();
    let text = format!("not ready\n{}\n", texts.join("\n"));
    (StatusCode::SERVICE_UNAVAILABLE, no_store, text).into_response()
}

/// The reasons, which are determined again after a while. A change of them is logged.
async fn current_reasons(site: &Site) -> Vec<Reason> {
    let mut last = LAST.lock().await;
    let previous = last.as_ref().filter(|last| last.site == site.address());
    if let Some(previous) = previous.filter(|previous| previous.at.elapsed() < AGE) {
        return previous.reasons.clone();
    }
    let reasons = reasons(site).await;
    log_change(previous.map_or(&[], |previous| &previous.reasons[..]), &reasons);
    *last = Some(Readiness { at: Instant::now(), site: site.address(), reasons: reasons.clone() });
    reasons
}

/// Logs what has changed: a probe asks every few seconds, and would fill the log.
fn log_change(previous: &[Reason], now: &[Reason]) {
    let is_new = |reason: &&Reason| !previous.iter().any(|before| before.is_same(reason));
    for Reason { text, detail, .. } in now.iter().filter(is_new) {
        match detail {
            Some(detail) => error!("the server is not ready: {text}: {detail}"),
            None => error!("the server is not ready: {text}"),
        }
    }
    if now.is_empty() && !previous.is_empty() {
        info!("the server is ready again");
    }
}

/// Why the server cannot do its work.
async fn reasons(site: &Site) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if site.config().accept && !site.config().missing.is_empty() {
        let text = "the sandbox is not complete on this machine".to_owned();
        reasons.push(Reason { hill: None, lack: Lack::Sandbox, text, detail: None });
    }
    for hill in site.hills().all() {
        reasons.extend(reasons_of_hill(site, hill).await);
    }
    reasons
}

async fn reasons_of_hill(site: &Site, hill: &ServedHill) -> Vec<Reason> {
    let path = hill.path().to_owned();
    let uploads = site.uploads();
    let is_open = uploads.why_closed().is_none();
    let store = run_blocking(move || Ok::<_, Problem>(check_store(&path, is_open).err()));
    let mut reasons = Vec::new();
    let error = match store.await {
        Ok(error) => error.map(|error| error.to_string()),
        Err(problem) => Some(problem.to_string()),
    };
    if error.is_some() {
        let what = if is_open { "written" } else { "read" };
        let what = format!("the store cannot be {what}");
        reasons.push(Reason::of_hill(hill, Lack::Store, &what, error));
    }
    if is_open {
        if !uploads.queue().is_running(hill.address()) {
            reasons.push(Reason::of_hill(hill, Lack::Queue, "the queue has stopped", None));
        } else if uploads.queue().status(hill.address()).is_failing() {
            let what = "the queue has failed and tries again; the server's log says why";
            reasons.push(Reason::of_hill(hill, Lack::Queue, what, None));
        }
        let shortage = uploads.free_disk().shortage(hill.path());
        reasons.extend(shortage.map(|what| Reason::of_hill(hill, Lack::Disk, &what, None)));
    }
    reasons
}

fn check_store(path: &Path, is_written: bool) -> Result<(), FileError> {
    if is_written {
        EntryStore::open(path)?.check_writable()
    } else {
        EntryStore::open_to_read(path).map(drop)
    }
}
