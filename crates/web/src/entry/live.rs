//! What comes to an entry while somebody looks, as server-sent events.

use std::convert::Infallible;
use std::path::PathBuf;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use dicehill_store::EntryBook;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;

use super::desk::off_the_loop;
use crate::Problem;
use crate::model::entry::{EntryDocument, EntryNews};

/// How often something is sent where nothing happens, so that whoever has gone is noticed.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);
/// The least time between two events: a bot's check may tell much at once.
const PAUSE: Duration = Duration::from_millis(200);

/// An entry that somebody looks at.
pub(crate) struct Watched {
    pub(crate) path: PathBuf,
    pub(crate) id: i64,
    /// Lines of its report that are known.
    pub(crate) known: usize,
    pub(crate) changes: watch::Receiver<u64>,
    pub(crate) end: watch::Receiver<bool>,
}

type Events = Sse<axum::response::sse::KeepAliveStream<ReceiverStream<Result<Event, Infallible>>>>;

/// The events: each has the state and the lines that have come, and its id is how many lines are known then.
pub(crate) fn events(watched: Watched) -> Events {
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
    Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE))
}

impl Watched {
    /// What is known now; whether nothing more comes.
    async fn next(&mut self) -> Option<(Event, bool)> {
        self.changes.mark_unchanged();
        let (path, id) = (self.path.clone(), self.id);
        let read = move || Ok(EntryBook::open_to_read(&path)?.entry(id)?);
        let entry =
            off_the_loop::<_>(move || read().map_err(|error: Problem| error)).await.ok()??;
        let is_last = entry.state.is_final();
        let news = EntryNews::behind(EntryDocument::from(entry), self.known);
        self.known = news.lines;
        let event = Event::default().id(news.lines.to_string()).json_data(&news).ok()?;
        Some((event, is_last))
    }

    /// Waits until something has changed; `None` if the server ends.
    async fn change(&mut self) -> Option<()> {
        tokio::time::sleep(PAUSE).await;
        tokio::select! {
            changed = self.changes.changed() => changed.ok(),
            () = super::clerk::ending(&mut self.end) => None,
        }
    }
}
