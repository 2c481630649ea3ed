//! The state that all requests share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dicehill_store::ReportAccess;

use crate::entries::admission::UploadAdmission;
use crate::hills::{Hills, Snapshot};
use crate::model::SiteDocument;
use crate::pages::links::Links;
use crate::requests::client_address::ClientAddress;
use crate::requests::client_slots::ClientSlots;
use crate::requests::metrics::Metrics;
use crate::requests::page_cache::{CachedPage, PageCache};
use crate::requests::rate_limit::RateLimit;
use crate::tables::{
    AnyTableSession, Asking, Lobby, LobbyLimits, SeatToken, TableDraft, TableFolder, TableId,
};
use crate::{Config, Problem};

/// Tables that one client may open at once.
const TABLES_AT_ONCE: u32 = 20;
/// The time after which a client may open one more.
const TABLE_PAUSE: Duration = Duration::from_secs(3);

/// The state that all requests share.
#[derive(Clone)]
pub(crate) struct Site(Arc<Shared>);

struct Shared {
    config: Config,
    hills: Hills,
    pages: PageCache,
    metrics: Metrics,
    uploads: UploadAdmission,
    lobby: Lobby,
    new_tables: RateLimit<ClientAddress>,
    requests: ClientSlots,
    streams: ClientSlots,
}

impl Site {
    pub(crate) fn new(config: Config, hills: Hills, uploads: UploadAdmission) -> Self {
        let tables = config.tables.clone().map(TableFolder::open);
        let requests = ClientSlots::new(config.limits.connections_per_client);
        let streams = ClientSlots::new(config.limits.streams_per_client);
        Self(Arc::new(Shared {
            config,
            hills,
            pages: PageCache::new(),
            metrics: Metrics::new(),
            uploads,
            lobby: Lobby::new(LobbyLimits::default(), tables),
            new_tables: RateLimit::new(TABLES_AT_ONCE, TABLE_PAUSE),
            requests,
            streams,
        }))
    }

    /// What distinguishes this server from others in the process.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    pub(crate) fn hills(&self) -> &Hills {
        &self.0.hills
    }

    /// The tables where people play.
    pub(crate) fn lobby(&self) -> &Lobby {
        &self.0.lobby
    }

    /// Who may upload bots, and the queue of those uploaded.
    pub(crate) fn uploads(&self) -> &UploadAdmission {
        &self.0.uploads
    }

    /// The page at this address for this version of its data, rendered by `render` unless it is cached.
    ///
    /// # Errors
    /// Those of `render`.
    pub(crate) async fn cached(
        &self,
        address: String,
        version: u64,
        render: impl FnOnce(&Self) -> Result<CachedPage, Problem> + Send + 'static,
    ) -> Result<CachedPage, Problem> {
        let site = self.clone();
        self.0.pages.get(address, version, move || render(&site)).await
    }

    /// A page that shows the current state of a hill, rendered by `render` unless it is cached. `path` is its path.
    ///
    /// # Errors
    /// If there is no such hill, and those of `render`.
    pub(crate) async fn cached_of_hill(
        &self,
        hill: &str,
        path: impl FnOnce(Links<'_>) -> String,
        render: impl FnOnce(&Self, &Snapshot) -> Result<CachedPage, Problem> + Send + 'static,
    ) -> Result<CachedPage, Problem> {
        let snapshot = self.hills().named(hill)?.latest();
        let path = path(Links::Server { hill, run: None });
        self.cached(path, snapshot.hill.version, move |site| render(site, &snapshot)).await
    }

    /// A page that shows a run of a hill, rendered by `render` unless it is cached. `path` is its path.
    ///
    /// # Errors
    /// If there is no such hill, and those of `render`.
    pub(crate) async fn cached_of_run(
        &self,
        (hill, run): (String, i64),
        path: impl FnOnce(Links<'_>) -> String,
        render: impl FnOnce(&Self, &str) -> Result<CachedPage, Problem> + Send + 'static,
    ) -> Result<CachedPage, Problem> {
        let version = self.version_of(&hill, run)?;
        let path = path(Links::Server { hill: &hill, run: Some(run) });
        self.cached(path, version, move |site| render(site, &hill)).await
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// The requests that clients have in progress.
    pub(crate) fn requests(&self) -> &ClientSlots {
        &self.0.requests
    }

    /// The streams that clients listen to.
    pub(crate) fn streams(&self) -> &ClientSlots {
        &self.0.streams
    }

    /// Opens a table for a client; bots move at once if it is their turn.
    ///
    /// # Errors
    /// If the client opens too many tables, or no such table can be opened.
    pub(crate) fn open_table(
        &self,
        client: ClientAddress,
        draft: &TableDraft,
    ) -> Result<(TableId, SeatToken), Problem> {
        self.check_rate(client)?;
        let (id, token) = self.lobby().open(client, draft, Instant::now())?;
        self.lobby().play_bot_turns(self.lobby().find(&id.to_string(), Instant::now())?);
        Ok((id, token))
    }

    /// Opens the rematch of a finished game for one of its players, or takes a seat there. `seat_of` gives the client's token
    /// at a table. Returns the token of a new seat.
    ///
    /// # Errors
    /// If the client opens too many tables, or there can be no rematch.
    pub(crate) fn rematch<'a>(
        &self,
        id: &str,
        client: ClientAddress,
        seat_of: impl Fn(&str) -> Option<&'a str>,
    ) -> Result<(TableId, Option<SeatToken>), Problem> {
        self.check_rate(client)?;
        let now = Instant::now();
        let (id, token) = self.lobby().rematch(id, Asking { client, now }, seat_of)?;
        self.lobby().play_bot_turns(self.lobby().find(&id.to_string(), now)?);
        Ok((id, token))
    }

    fn check_rate(&self, client: ClientAddress) -> Result<(), Problem> {
        if self.0.new_tables.take(client, Instant::now()) {
            return Ok(());
        }
        let text = "too many tables from your address: try again in a few seconds";
        Err(Problem::RateLimited(text.to_owned()))
    }

    /// Lets bots play for people at tables who are late or away, every second. Does not return.
    pub(crate) async fn enforce_table_times(&self) {
        let mut seconds = tokio::time::interval(Duration::from_secs(1));
        loop {
            seconds.tick().await;
            let replaced: Vec<Arc<dyn AnyTableSession>> = self.lobby().enforce_time(Instant::now());
            replaced.into_iter().for_each(|session| self.lobby().play_bot_turns(session));
        }
    }

    /// All hills, with one line each.
    pub(crate) fn document(&self) -> SiteDocument {
        let hills = self.hills().all().iter();
        let hills = hills.map(|hill| hill.latest().hill.summary.clone()).collect();
        SiteDocument { hills, accepts: self.config().accept }
    }

    /// The version of the data on a run's pages: that of the hill while the run is the last, and afterwards one for each choice
    /// of who may read failures, because older runs do not change.
    fn version_of(&self, address: &str, run: i64) -> Result<u64, Problem> {
        let snapshot = self.hills().named(address)?.latest();
        let is_last = snapshot.latest.as_ref().is_some_and(|latest| latest.run == run);
        Ok(match snapshot.reports {
            _ if is_last => snapshot.hill.version,
            ReportAccess::Author => 0,
            ReportAccess::Public => u64::MAX,
        })
    }
}
