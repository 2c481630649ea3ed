//! The listening server and its connections.

use std::future::pending;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::{Extension, Router};
use dicehill_rules::GameName;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio_io_timeout::TimeoutStream;
use tower::Layer;
use tracing::{info, warn};

use super::router::{metrics_router, router};
use crate::Config;
use crate::entries::admission::UploadAdmission;
use crate::hills::{Hills, ServedHill, coaching};
use crate::news::webhooks;
use crate::requests::client_address::ClientAddress;
use crate::requests::client_slots::ClientSlots;
use crate::site::Site;

/// How long open requests may take after the server was asked to end.
const SHUTDOWN_TIME: Duration = Duration::from_secs(5);

/// Connections to the metrics' own address at the same time.
const METRICS_CONNECTIONS: usize = 16;

/// A listening server.
pub(crate) struct Server {
    pages: Listening,
    metrics: Option<Listening>,
    site: Site,
}

/// An address on which the server listens, and what it serves there.
struct Listening {
    listener: TcpListener,
    router: Router,
    /// Places for connections; those that find none wait.
    places: Arc<Semaphore>,
}

/// The addresses on which a server listens.
#[derive(Clone, Copy, Debug)]
pub struct ServedAddresses {
    /// That of the pages, streams and the API.
    pub pages: SocketAddr,
    /// That of the metrics, if they are served.
    pub metrics: Option<SocketAddr>,
}

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A hill cannot be read.
    #[error(transparent)]
    Hill(#[from] dicehill_store::FileError),
    /// The address is in use, or does not belong to this machine.
    #[error("--listen {0}: {1}{hint}", hint = free_port_hint(.1))]
    Listen(SocketAddr, io::Error),
    /// The address of the metrics is in use, or does not belong to this machine.
    #[error("--metrics {0}: {1}")]
    Metrics(SocketAddr, io::Error),
    /// No threads can be started.
    #[error("the server's threads: {0}")]
    Runtime(io::Error),
}

/// What to do about an address in use.
fn free_port_hint(error: &io::Error) -> &'static str {
    if error.kind() == io::ErrorKind::AddrInUse {
        ": another program listens there; --listen 127.0.0.1:0 takes a free port"
    } else {
        ""
    }
}

/// Serves until `stop` is set, and calls `listening` with the addresses once requests are accepted.
///
/// # Errors
/// If a hill cannot be read, or the server cannot listen on an address.
pub fn serve(
    config: Config,
    stop: &AtomicBool,
    listening: impl FnOnce(ServedAddresses),
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(ServeError::Runtime)?;
    let served = runtime.block_on(async {
        let listen = config.listen;
        let server = Server::new(config).await?;
        let addresses = server.addresses().map_err(|error| ServeError::Listen(listen, error))?;
        listening(addresses);
        server.log_start(addresses.pages);
        server.serve(wait_for_stop(stop)).await;
        Ok(())
    });
    runtime.shutdown_background();
    served
}

async fn wait_for_stop(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

impl Server {
    /// Opens the hills and listens.
    ///
    /// # Errors
    /// If a hill cannot be read, or the server cannot listen on the address.
    pub(crate) async fn new(config: Config) -> Result<Self, ServeError> {
        let hills = Hills::open(&config.hills)?;
        let listen = config.listen;
        let metrics = config.metrics;
        let failed = |error| ServeError::Listen(listen, error);
        let listener = TcpListener::bind(listen).await.map_err(failed)?;
        let uploads = UploadAdmission::open(&config, &hills)?;
        let site = Site::new(config, hills, uploads);
        let metrics = match metrics {
            Some(listen) => {
                let failed = |error| ServeError::Metrics(listen, error);
                let listener = TcpListener::bind(listen).await.map_err(failed)?;
                let router = metrics_router(&site, listen);
                Some(Listening::new(listener, router, METRICS_CONNECTIONS))
            }
            None => None,
        };
        warm_up(&site);
        let pages = Listening::new(listener, router(&site), site.config().limits.connections);
        Ok(Self { pages, metrics, site })
    }

    /// The addresses on which it listens.
    ///
    /// # Errors
    /// If the system does not report them.
    pub(crate) fn addresses(&self) -> io::Result<ServedAddresses> {
        let metrics = self.metrics.as_ref().map(|metrics| metrics.listener.local_addr());
        Ok(ServedAddresses {
            pages: self.pages.listener.local_addr()?,
            metrics: metrics.transpose()?,
        })
    }

    fn log_start(&self, address: SocketAddr) {
        let uploads = self.site.uploads().why_closed().unwrap_or("open to token holders");
        info!(%address, uploads, "the server has started");
        let config = self.site.config();
        if let Some(missing) = config.missing.first().filter(|_| config.accept) {
            warn!("bots cannot be uploaded, because this machine cannot sandbox them: {missing}");
        }
        for hill in self.site.hills().all() {
            info!(hill = hill.address(), file = %hill.path().display(), "following the hill");
        }
    }

    /// Serves until `shutdown` completes; open requests get a few seconds more.
    pub(crate) async fn serve(self, shutdown: impl Future<Output = ()>) {
        let Self { pages, metrics, site } = self;
        let closing = watch::Sender::new(false);
        // The log has begun by now.
        site.lobby().load();
        site.lobby().resume();
        webhooks::start(&site);
        let metrics_served = async {
            match &metrics {
                Some(metrics) => metrics.accept(&site, &closing).await,
                None => pending().await,
            }
        };
        tokio::select! {
            () = pages.accept(&site, &closing) => {}
            () = metrics_served => {}
            () = site.enforce_table_times() => {}
            () = shutdown => {}
        }
        drop((pages, metrics));
        info!("the server ends");
        site.hills().close();
        site.lobby().close();
        site.uploads().queue().close().await;
        closing.send_replace(true);
        tokio::select! {
            () = closing.closed() => {}
            () = tokio::time::sleep(SHUTDOWN_TIME) => {}
        }
        let flushed = site.clone();
        let _cancelled = tokio::task::spawn_blocking(move || flushed.lobby().flush()).await;
        let closed = tokio::task::spawn_blocking(move || site.hills().wait_until_closed());
        let _late = tokio::time::timeout(SHUTDOWN_TIME, closed).await;
    }
}

impl Listening {
    fn new(listener: TcpListener, router: Router, places: usize) -> Self {
        Self { listener, router, places: Arc::new(Semaphore::new(places)) }
    }

    /// Accepts connections and serves each in the background. Does not return.
    async fn accept(&self, site: &Site, closing: &watch::Sender<bool>) {
        let clients = ClientSlots::new(site.config().limits.connections_per_client);
        loop {
            let place = Arc::clone(&self.places).acquire_owned().await;
            let Ok((stream, peer)) = self.listener.accept().await else {
                // Most likely no file descriptors are left. Some become free when connections end.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            // A proxy has a connection for each of its clients, whose requests are counted instead.
            let is_proxy = site.config().is_trusted_proxy(peer.ip());
            let slot = clients.take(ClientAddress::direct(peer.ip()));
            if slot.is_none() && !is_proxy {
                continue;
            }
            let connection =
                connection((stream, peer), self.router.clone(), site, closing.subscribe());
            tokio::spawn(async move {
                let _held = (place, slot);
                connection.await;
            });
        }
    }
}

/// Computes in the background what takes a second or two, before the first request needs it.
fn warm_up(site: &Site) {
    let games: Vec<GameName> = site.hills().all().iter().map(ServedHill::game).collect();
    // If no thread can be started, the first request that needs the solution computes it.
    let _thread = std::thread::Builder::new().spawn(move || coaching::prepare(&games));
}

/// Serves the requests of one connection. Timeouts keep a slow client from holding it.
fn connection(
    (stream, peer): (TcpStream, SocketAddr),
    router: Router,
    site: &Site,
    mut closing: watch::Receiver<bool>,
) -> impl Future<Output = ()> + use<> {
    let limits = site.config().limits;
    let _nagle = stream.set_nodelay(true);
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_buf_size(limits.header_bytes.max(8 << 10))
        .max_headers(64)
        .keep_alive(true);
    let service = TowerToHyperService::new(Extension(peer).layer(router));
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.write_time));
    let served = builder.serve_connection(TokioIo::new(Box::pin(stream)), service).with_upgrades();
    async move {
        let mut served = pin!(served);
        tokio::select! {
            _connection_error = served.as_mut() => return,
            () = is_set(&mut closing) => {}
        }
        served.as_mut().graceful_shutdown();
        let _connection_error = served.await;
    }
}

/// Waits until the flag is set.
async fn is_set(flag: &mut watch::Receiver<bool>) {
    let _closed = flag.wait_for(|is_set| *is_set).await;
}
