//! The route of the metrics, in the format of Prometheus. It is served on an address of its own: behind a proxy every request
//! comes from this machine, so that the server's own address could not tell a visitor from a local program.

use std::path::{Path, PathBuf};

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use dicehill_store::{EntryState, EntryStore, free_bytes};

use crate::Problem;
use crate::entries::file_stamp::FileStamp;
use crate::model::RunState;
use crate::model::run_workers::RunWorkers;
use crate::requests::metrics::{HillMetrics, StoredCounts};
use crate::requests::run_blocking;
use crate::site::Site;

/// `GET /metrics`
pub(super) async fn metrics(State(site): State<Site>) -> Response {
    for hill in site.hills().all() {
        let latest = hill.latest();
        let progress = latest.latest.as_ref().map(|view| &view.board.progress);
        let RunWorkers { workers, threads, .. } =
            site.uploads().queue().status(hill.address()).workers();
        site.metrics().set_hill(&HillMetrics {
            hill: hill.address(),
            games: progress.map_or(0, |progress| progress.games),
            is_playing: progress.is_some_and(|progress| progress.state == RunState::Playing),
            remote: site
                .uploads()
                .remote()
                .of_hill(hill.address())
                .map_or(0, |bots| bots.connected()),
            workers: [workers, threads],
            stored: stored_counts(hill.path().to_owned()).await,
        });
    }
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], site.metrics().to_text()).into_response()
}

/// What the store of a hill and its disk say. All states are there, also those without entries.
async fn stored_counts(path: PathBuf) -> Option<StoredCounts> {
    let read = move || {
        let store = EntryStore::open_to_read(&path)?;
        let mut entries: Vec<_> =
            EntryState::ALL.iter().map(|state| (state.name().to_owned(), 0)).collect();
        for (state, count) in store.counts()? {
            entries.retain(|(known, _)| *known != state);
            entries.push((state, count));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Ok::<_, Problem>(StoredCounts {
            entries,
            failures: store.failure_counts()?,
            bytes: FileStamp::of(&path).bytes(),
            free_bytes: free_bytes(folder.unwrap_or(Path::new("."))),
        })
    };
    run_blocking(read).await.ok()
}
