//! Changes of an entry as server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;

use super::followed_command::stopped;
use super::lookup::EntrySource;
use super::viewer::Viewer;
use crate::model::entry::EntryUpdate;

/// The interval of keep-alive comments, by which closed connections are noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// The least time between two events: a check may print many lines at once.
const PAUSE: Duration = Duration::from_millis(200);

/// An entry whose changes are sent to a client.
pub(crate) struct WatchedEntry {
    pub(crate) source: EntrySource,
    pub(crate) id: i64,
    /// Who watches it.
    pub(crate) viewer: Viewer,
    /// Lines of its report that the client has.
    pub(crate) known: usize,
    pub(crate) changes: watch::Receiver<u64>,
    /// Becomes `true` when the server stops.
    pub(crate) stop: watch::Receiver<bool>,
}

type Events = Sse<axum::response::sse::KeepAliveStream<ReceiverStream<Result<Event, Infallible>>>>;

/// The events: each has the state and the new lines, and its id is the number of lines that the client has then.
pub(crate) fn events(watched: WatchedEntry) -> Events {
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        let mut watched = watched;
        while let Some((event, is_last)) = watched.next().await {
            if sender.send(Ok(event)).await.is_err() || is_last {
                return;
            }
            if watched.change().await.is_none() {
                return;
            }
        }
    });
    Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}

impl WatchedEntry {
    /// The next event, and whether it is the last.
    async fn next(&mut self) -> Option<(Event, bool)> {
        self.changes.mark_unchanged();
        let entry = self.source.find(self.id, &self.viewer).await.ok()??;
        let is_last = entry.head.is_final;
        let update = EntryUpdate::after(entry, self.known);
        self.known = update.lines;
        let event = Event::default().id(update.lines.to_string()).json_data(&update).ok()?;
        Some((event, is_last))
    }

    /// Waits until the entry has changed; `None` if the server stops.
    async fn change(&mut self) -> Option<()> {
        tokio::time::sleep(PAUSE).await;
        tokio::select! {
            changed = self.changes.changed() => changed.ok(),
            () = stopped(&mut self.stop) => None,
        }
    }
}
