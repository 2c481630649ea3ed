//! The server: its routes, and what one visitor may ask of it.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, Request, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use dicehill_rules::GameName;
use dicehill_rules::yahtzee::YahtzeeRules;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tower::Layer;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use crate::entry;
use crate::entry::door::Door;
use crate::hills::{Hills, ServedHill};
use crate::site::Site;
use crate::{Config, Problem, api, assets, coaching, game_routes, metrics, origin, routes};

/// A server that listens.
pub(crate) struct Server {
    listener: TcpListener,
    router: Router,
    site: Site,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A hill that cannot be shown.
    #[error(transparent)]
    Hill(#[from] dicehill_store::FileError),
    /// The address is taken, or is none of this machine.
    #[error("--listen {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// No threads can be had.
    #[error("the server's threads: {0}")]
    Runtime(io::Error),
}

/// Serves until `stop` is set; `listening` is told the address once requests are taken.
///
/// # Errors
/// If a hill cannot be read, or the address cannot be had.
pub fn serve(
    config: Config,
    stop: &AtomicBool,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(ServeError::Runtime)?;
    let served = runtime.block_on(async {
        let listen = config.listen;
        let server = Server::new(config).await?;
        listening(server.address().map_err(|error| ServeError::Listen(listen, error))?);
        server.serve(stopped(stop)).await;
        Ok(())
    });
    runtime.shutdown_background();
    served
}

async fn stopped(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// How long open requests may go on after the server was asked to end.
const PATIENCE: Duration = Duration::from_secs(5);

impl Server {
    /// Opens the hills and listens.
    ///
    /// # Errors
    /// If a hill cannot be read, or the address cannot be had.
    pub(crate) async fn new(config: Config) -> Result<Self, ServeError> {
        let hills = Hills::open(&config.hills)?;
        let listen = config.listen;
        let failed = |error| ServeError::Listen(listen, error);
        let listener = TcpListener::bind(listen).await.map_err(failed)?;
        let door = Door::open(&config, &hills)?;
        let site = Site::new(config, hills, door);
        warm_up(&site);
        Ok(Self { listener, router: router(&site), site })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not tell.
    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `shutdown` ends, and then what is open for a few seconds more.
    pub(crate) async fn serve(self, shutdown: impl Future<Output = ()>) {
        let Self { listener, router, site } = self;
        let graceful = GracefulShutdown::new();
        let places = Arc::new(Semaphore::new(site.config().limits.connections));
        let mut shutdown = std::pin::pin!(shutdown);
        loop {
            let accepted = async {
                let place = Arc::clone(&places).acquire_owned().await;
                (place, listener.accept().await)
            };
            let (place, accepted) = tokio::select! {
                (place, Ok(accepted)) = accepted => (place, accepted),
                () = &mut shutdown => break,
                else => {
                    // No descriptors are left, most likely: they come back.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            let connection = connection(accepted, router.clone(), &site, &graceful);
            tokio::spawn(async move {
                let _place = place;
                connection.await;
            });
        }
        drop(listener);
        site.hills().close();
        site.door().desk.close().await;
        tokio::select! {
            () = graceful.shutdown() => {}
            () = tokio::time::sleep(PATIENCE) => {}
        }
    }
}

/// What takes a second or two is there before the first visitor asks for it.
fn warm_up(site: &Site) {
    let is_yahtzee = |hill: &ServedHill| hill.game() == GameName::Yahtzee;
    if site.hills().all().iter().any(is_yahtzee) {
        let official = || coaching::optimal(YahtzeeRules::default());
        // Without a thread to spare the first visitor waits.
        let _warming = std::thread::Builder::new().spawn(official);
    }
}

/// Serves what comes by one connection. Who is slow or breaks off harms nobody else.
fn connection(
    (stream, peer): (TcpStream, SocketAddr),
    router: Router,
    site: &Site,
    graceful: &GracefulShutdown,
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
    let served = builder.serve_connection(TokioIo::new(Box::pin(stream)), service);
    let served = graceful.watch(served);
    async move {
        let _broken_off = served.await;
    }
}

pub(crate) fn router(site: &Site) -> Router {
    let (entries, of_entries) = api::entries::routes(site.config()).split_for_parts();
    let (api, mut document) = api::routes().split_for_parts();
    document.merge(of_entries);
    let limits = site.config().limits;
    let bounded = Router::new()
        .merge(api)
        .merge(game_routes::routes())
        .merge(api::about(&document))
        .merge(routes::routes())
        .route("/metrics", get(metrics::figures))
        .route("/healthz", get(async || "ok\n"))
        .route("/assets/{version}/{name}", get(assets::serve))
        .layer(RequestBodyLimitLayer::new(limits.body_bytes))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::SERVICE_UNAVAILABLE,
            limits.request_time,
        ));
    // Uploads have limits of their own.
    let all = bounded.merge(entries).merge(entry::routes::pages(site.config()));
    all.fallback(async || Problem::NotFound("there is no such page here".to_owned()))
        .layer(middleware::from_fn_with_state(site.clone(), origin::checked))
        .layer(middleware::from_fn(secured))
        .layer(middleware::from_fn_with_state(site.clone(), metrics::counted))
        .layer(CatchPanicLayer::new())
        .with_state(site.clone())
}

/// Nothing is loaded from elsewhere, and nothing runs but our own files.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; \
     form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// What every answer carries.
async fn secured(request: Request<axum::body::Body>, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
