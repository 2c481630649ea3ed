//! Sends the news of hills to a webhook: a request for each run that has ended, in their order, until it is taken.
//!
//! What was sent is in a file next to the hill, so that a restart loses no run. A run is sent once more, as the same delivery, only if the
//! server ends between the answer and the note of it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dicehill_temporary::DraftFile;
use serde::Serialize;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};
use tracing::{error, info, warn};

use super::item::{NewsItem, news};
use super::post::post;
use crate::hills::{ServedHill, Snapshot};
use crate::site::Site;
use crate::webhook::Webhook;

/// The pause after the first failure, which doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(60 * 60);
/// How long a run is sent again before it is given up.
const PATIENCE: Duration = Duration::from_secs(24 * 60 * 60);

/// The body of a request.
#[derive(Serialize)]
struct NewsDocument<'a> {
    schema: &'static str,
    /// The hill's name in addresses, and its name.
    hill: &'a str,
    name: &'a str,
    /// The run that has ended.
    run: i64,
    /// The address of its page; null without a public origin.
    url: Option<String>,
    /// What has happened, the run itself first.
    items: Vec<NewsItem>,
    /// The run as a post in Markdown; null if its board is not there any more.
    post: Option<String>,
}

/// Sends the news of all hills, if there is a webhook. The tasks end with the runtime.
pub(crate) fn start(site: &Site) {
    let Some(webhook) = &site.config().webhook else { return };
    info!(address = webhook.shown, "news are sent to a webhook");
    for hill in site.hills().all() {
        let sender = Sender {
            site: site.clone(),
            webhook: webhook.clone(),
            hill: hill.address().to_owned(),
            cursor: cursor_file(hill),
            changes: hill.changes(),
        };
        tokio::spawn(sender.run());
    }
}

/// The file with the number of the last run that was sent.
fn cursor_file(hill: &ServedHill) -> PathBuf {
    hill.path().with_extension("webhook")
}

struct Sender {
    site: Site,
    webhook: Webhook,
    hill: String,
    cursor: PathBuf,
    changes: watch::Receiver<Arc<Snapshot>>,
}

impl Sender {
    async fn run(mut self) {
        // What ended before there was a webhook is no news.
        let snapshot = self.changes.borrow_and_update().clone();
        let last = news(&snapshot).first().map_or(0, |item| item.run);
        // The runs after it are older than those which were sent if the hill was restored from a backup.
        let mut sent = match read_cursor(&self.cursor) {
            Some(sent) if sent <= last => sent,
            earlier => {
                if let Some(sent) = earlier {
                    warn!(
                        hill = self.hill,
                        sent,
                        last,
                        "the hill is older than its news: news go on after its last run"
                    );
                }
                write_cursor(&self.cursor, last);
                last
            }
        };
        loop {
            let snapshot = self.changes.borrow_and_update().clone();
            let mut items = news(&snapshot);
            items.retain(|item| item.run > sent);
            if let Some(run) = items.iter().map(|item| item.run).min() {
                items.retain(|item| item.run == run);
                self.send(&snapshot, run, items).await;
                sent = run;
                write_cursor(&self.cursor, sent);
            } else if self.changes.changed().await.is_err() {
                return;
            }
        }
    }

    /// Sends a run until it is taken.
    async fn send(&self, snapshot: &Snapshot, run: i64, items: Vec<NewsItem>) {
        let body = self.body(snapshot, run, items).await;
        let delivery = format!("{}-{run}", self.hill);
        let (begun, mut pause) = (Instant::now(), FIRST_PAUSE);
        loop {
            let (webhook, name, text) = (self.webhook.clone(), delivery.clone(), body.clone());
            let sent = spawn_blocking(move || webhook.send(&name, &text)).await;
            let why = match sent.unwrap_or_else(|panicked| Err(panicked.to_string())) {
                Ok(()) => return info!(hill = self.hill, run, "the news of a run are sent"),
                Err(why) => why,
            };
            if begun.elapsed() > PATIENCE {
                return error!(hill = self.hill, run, "the news of a run are given up: {why}");
            }
            warn!(
                hill = self.hill,
                run,
                seconds = pause.as_secs(),
                "the webhook is tried again: {why}"
            );
            sleep(pause).await;
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }

    async fn body(&self, snapshot: &Snapshot, run: i64, items: Vec<NewsItem>) -> String {
        let origin = self.site.config().public_origin().map(str::to_owned);
        let (site, hill, of) = (self.site.clone(), self.hill.clone(), origin.clone());
        // It counts the games of a run that is not cached.
        let post = spawn_blocking(move || {
            let view = site.hills().run(&hill, run).ok()?;
            Some(post(&view.board, of.as_deref()))
        });
        let document = NewsDocument {
            schema: "dicehill.news/1",
            hill: &self.hill,
            name: &snapshot.hill.summary.name,
            run,
            url: origin.map(|origin| format!("{origin}/hills/{}/runs/{run}", self.hill)),
            items,
            post: post.await.ok().flatten(),
        };
        serde_json::to_string(&document).expect("a document of names and texts is JSON")
    }
}

fn read_cursor(path: &Path) -> Option<i64> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// A cursor that cannot be written lets a run be sent again after a restart.
fn write_cursor(path: &Path, sent: i64) {
    let write = || -> std::io::Result<()> {
        let mut draft = DraftFile::new_private(path)?;
        writeln!(draft.file(), "{sent}")?;
        draft.persist().map(drop)
    };
    if let Err(error) = write() {
        warn!("{}: {error}", path.display());
    }
}
