//! Entries as the store has them, with the progress of the one that is being processed.

use std::path::PathBuf;
use std::time::Duration;

use dicehill_store::{EntryState, EntryStore, FileError, HillSettings, HillStore, StoredEntry};

use super::admission::UploadAdmission;
use super::environment_content::EnvironmentContent;
use super::free_disk::FreeDisk;
use super::next_run::{NextRun, next_run};
use super::queue_status::QueueStatus;
use super::viewer::Viewer;
use crate::Problem;
use crate::hills::ServedHill;
use crate::model::entry::{EntriesDocument, EntryDocument, EntryHead};
use crate::model::forecast::{Forecast, OpenEntries};
use crate::model::run_workers::RunWorkers;
use crate::model::time::now;
use crate::requests::run_blocking;

/// The number of entries in a list.
const MAX_LISTED: u32 = 200;

/// The last entries of a hill, latest first.
///
/// # Errors
/// If the store cannot be read.
pub(crate) async fn entries(
    uploads: &UploadAdmission,
    hill: &ServedHill,
) -> Result<EntriesDocument, Problem> {
    let source = EntrySource::new(uploads, hill);
    let read = move || {
        let store = EntryStore::open_to_read(&source.path)?;
        let open = source.open_entries(&store)?;
        let heads = |entries: Vec<StoredEntry>| {
            entries.iter().map(|entry| EntryHead::new(entry, &open)).collect::<Vec<_>>()
        };
        Ok::<_, FileError>([store.entries(MAX_LISTED)?, store.open_entries()?].map(heads))
    };
    let [entries, queue] = run_blocking(read).await?;
    Ok(EntriesDocument {
        hill: hill.address().to_owned(),
        closed: uploads.why_closed_at(hill).map(str::to_owned),
        entries,
        queue,
    })
}

/// An entry of a hill.
///
/// # Errors
/// If there is no such entry, or the store cannot be read.
pub(crate) async fn entry(
    uploads: &UploadAdmission,
    hill: &ServedHill,
    id: i64,
    viewer: &Viewer,
) -> Result<EntryDocument, Problem> {
    let missing = || Problem::NotFound(format!("there is no entry {id} on this hill"));
    EntrySource::new(uploads, hill).find(id, viewer).await?.ok_or_else(missing)
}

/// What an author wants to know before the upload.
pub(crate) struct Outlook {
    pub(crate) settings: HillSettings,
    /// Entries that are waiting or being processed.
    pub(crate) open: usize,
    /// How long the last qualifications usually took.
    pub(crate) qualification: Option<Duration>,
    /// How long the last run that ended took.
    pub(crate) run: Option<Duration>,
    /// When the next run is planned, in seconds since 1970.
    pub(crate) next_run: Option<i64>,
    /// Whether a new bot is placed at once.
    pub(crate) places: bool,
    /// What bots may ask to read.
    pub(crate) environments: Vec<EnvironmentContent>,
}

/// The outlook for a new entry of a hill.
///
/// # Errors
/// If the store cannot be read.
pub(crate) async fn outlook(
    uploads: &UploadAdmission,
    hill: &ServedHill,
) -> Result<Outlook, Problem> {
    let source = EntrySource::new(uploads, hill);
    let read = move || {
        let settings = HillStore::open(&source.path)?.hill().clone();
        let store = EntryStore::open_to_read(&source.path)?;
        let forecast = source.open_entries(&store)?.forecast;
        let run = store.whole_runs()?.last_seconds;
        let is_unfinished = |entry: &StoredEntry| entry.state != EntryState::Ready;
        let environments = settings.entries.environments.iter();
        Ok::<_, FileError>(Outlook {
            environments: environments.map(EnvironmentContent::of).collect(),
            settings,
            open: store.open_entries()?.into_iter().filter(is_unfinished).count(),
            qualification: forecast.check.map(Duration::from_secs_f64),
            run: run.and_then(|seconds| u64::try_from(seconds).ok()).map(Duration::from_secs),
            next_run: forecast.next_run,
            places: forecast.places,
        })
    };
    run_blocking(read).await
}

/// Where the entries of a hill are.
#[derive(Clone)]
pub(crate) struct EntrySource {
    path: PathBuf,
    status: QueueStatus,
    disk: FreeDisk,
}

impl EntrySource {
    pub(crate) fn new(uploads: &UploadAdmission, hill: &ServedHill) -> Self {
        let status = uploads.queue().status(hill.address());
        Self { path: hill.path().to_owned(), status, disk: uploads.free_disk().clone() }
    }

    /// An entry; `None` if there is no such entry.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub(super) async fn find(
        &self,
        id: i64,
        viewer: &Viewer,
    ) -> Result<Option<EntryDocument>, Problem> {
        let (source, viewer) = (self.clone(), viewer.clone());
        let read = move || {
            let store = EntryStore::open_to_read(&source.path)?;
            let open = source.open_entries(&store)?;
            let Some(entry) = store.entry(id)? else { return Ok(None) };
            let document = EntryDocument::new(&entry, &open);
            let may_read = viewer.may_read(&store, &entry)?;
            Ok::<_, FileError>(Some(if may_read {
                document.for_readers(&entry)
            } else {
                document.for_visitors()
            }))
        };
        run_blocking(read).await
    }

    pub(super) fn open_entries(&self, store: &EntryStore) -> Result<OpenEntries, FileError> {
        let open = store.open_entries()?;
        let has = |state: EntryState| open.iter().any(|entry| entry.state == state);
        let is_in_queue =
            |state: EntryState| matches!(state, EntryState::Waiting | EntryState::Checking);
        let waiting = open.iter().filter(|entry| is_in_queue(entry.state));
        let now = now();
        let runs = store.whole_runs()?;
        let will_be_ready =
            has(EntryState::Ready) || open.iter().any(|entry| is_in_queue(entry.state));
        let next = next_run(&store.entry_terms()?, runs, will_be_ready, now);
        let next_run = match next {
            NextRun::At(at) => Some(at),
            NextRun::None | NextRun::Now(_) => None,
        };
        let places = store.places_new_bots()?;
        let placement = if places { store.usual_placement_seconds()?.unwrap_or(0.0) } else { 0.0 };
        let forecast = Forecast {
            now,
            placement,
            check: store.usual_check_time()?.map(|milliseconds| milliseconds as f64 / 1_000.0),
            is_playing: has(EntryState::Playing) || self.status.is_run(),
            next_run,
            is_due: matches!(next, NextRun::Now(_)),
            places,
            lacks_space: self.disk.shortage(&self.path).is_some(),
        };
        let waiting = waiting.map(|entry| entry.id).collect();
        Ok(OpenEntries { waiting, active: self.status.active(), forecast })
    }

    /// The workers that play the run that is being played.
    pub(super) fn workers(&self) -> RunWorkers {
        self.status.workers()
    }
}
