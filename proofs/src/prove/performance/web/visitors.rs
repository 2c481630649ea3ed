//! Simulated visitors of a server, all on one thread, each behaving like a browser.

use std::cell::RefCell;
use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use dicehill_rules::Chance;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::task::LocalSet;
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};

/// The viewed pages, besides the watched board.
const PATHS: [&str; 8] = [
    "/",
    "/hills/endless",
    "/hills/endless/runs/1",
    "/hills/endless/runs/1/head-to-head",
    "/hills/live",
    "/hills/live/runs/1",
    "/hills/live/runs/1/bots/pirate",
    "/hills/live/runs/1/head-to-head",
];
/// Connections on which pages are viewed.
const CONNECTIONS: u64 = 100;
/// How long a request may take before it counts as failed.
const PATIENCE: Duration = Duration::from_secs(10);
/// The range in milliseconds within which viewers fetch a change, as in `live.js`.
const SPREAD: u64 = 300;

/// The numbers of visitors.
pub(super) struct Crowd {
    /// Viewers of the live board.
    pub(super) viewers: u64,
    /// Clients that send requests and never read.
    pub(super) stuck: u64,
    /// Page views each second.
    pub(super) views: u64,
}

/// The duration of requests in milliseconds, and the failed ones.
#[derive(Default)]
pub(super) struct Load {
    pub(super) views: Vec<f64>,
    pub(super) fetches: Vec<f64>,
    pub(super) errors: Vec<String>,
}

type Shared = Rc<RefCell<Load>>;

fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Simulates the visitors for this long.
pub(super) fn visit(
    crowd: &Crowd,
    address: SocketAddr,
    time: Duration,
) -> Result<Load, Box<dyn Error>> {
    let load = Shared::default();
    LocalSet::new().block_on(&runtime()?, async {
        let mut stuck = Vec::new();
        for number in 0..crowd.stuck {
            stuck.push(never_read(address, number).await?);
        }
        for viewer in 0..crowd.viewers {
            let load = Rc::clone(&load);
            tokio::task::spawn_local(async move {
                if let Err(error) = watch(address, viewer, &load).await {
                    load.borrow_mut().errors.push(format!("viewer {viewer}: {error}"));
                }
            });
        }
        let start = Instant::now();
        let of = |first| view_pages(address, (first, crowd.views), (start, time), &load);
        let readers: Vec<_> = (0..CONNECTIONS).map(of).map(tokio::task::spawn_local).collect();
        for reader in readers {
            reader.await.map_err(io::Error::other)?;
        }
        io::Result::Ok(())
    })?;
    // The viewers' endless tasks were dropped with the runtime.
    Ok(load.take())
}

/// Requests the changes of the board, or many pages, and reads nothing.
async fn never_read(address: SocketAddr, number: u64) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    let request = match number % 2 {
        0 => request("/hills/endless/live", "gzip"),
        _ => request("/hills/endless", "gzip").repeat(200),
    };
    // As much as the system accepts.
    stream.writable().await?;
    stream.try_write(request.as_bytes())?;
    Ok(stream)
}

/// Fetches the board after each event of a change.
async fn watch(address: SocketAddr, viewer: u64, load: &Shared) -> io::Result<()> {
    let chance = Chance::new("viewers");
    let mut changes = 0;
    let mut next_delay = || {
        changes += 1;
        Duration::from_millis(chance.table_size(viewer * 1_000_000 + changes, SPREAD))
    };
    sleep(next_delay()).await;
    let mut events = Connection::open(address).await?;
    let mut pages = Connection::open(address).await?;
    events.send_request("/hills/endless/live", "gzip").await?;
    loop {
        if events.line().await?.starts_with("data:") {
            sleep(next_delay()).await;
            let start = Instant::now();
            timeout(PATIENCE, pages.get_reopening("/hills/endless/now")).await??;
            load.borrow_mut().fetches.push(milliseconds(start));
        }
    }
}

/// Views every `CONNECTIONS`-th page at its scheduled moment; waiting is measured from that moment.
fn view_pages(
    address: SocketAddr,
    (first, views): (u64, u64),
    (start, time): (Instant, Duration),
    load: &Shared,
) -> impl Future<Output = ()> + use<> {
    let load = Rc::clone(load);
    async move {
        let chance = Chance::new("readers");
        let mut connection = None;
        let pages = views * time.as_secs();
        for page in (first..pages).step_by(CONNECTIONS as usize) {
            let due = start + Duration::from_micros(1_000_000 * page / views);
            sleep_until(due).await;
            let path = PATHS[chance.table_size(page + 1, PATHS.len() as u64) as usize];
            match view_page(&mut connection, address, path, due + PATIENCE).await {
                Ok(()) => load.borrow_mut().views.push(milliseconds(due)),
                Err(error) => {
                    connection = None;
                    load.borrow_mut().errors.push(format!("{path}: {error}"));
                }
            }
        }
    }
}

async fn view_page(
    connection: &mut Option<Connection>,
    address: SocketAddr,
    path: &str,
    until: Instant,
) -> io::Result<()> {
    if connection.is_none() {
        *connection = Some(timeout_at(until, Connection::open(address)).await??);
    }
    let Some(connection) = connection else { return Ok(()) };
    timeout_at(until, connection.get(path)).await??;
    Ok(())
}

fn milliseconds(since: Instant) -> f64 {
    1000.0 * since.elapsed().as_secs_f64()
}

fn request(path: &str, encoding: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: {encoding}\r\n\r\n")
}

/// A connection for consecutive requests.
struct Connection {
    address: SocketAddr,
    stream: BufReader<TcpStream>,
    body: Vec<u8>,
}

impl Connection {
    async fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { address, stream: BufReader::new(stream), body: Vec::new() })
    }

    /// Sends a request and reads up to the body; returns the length of the body, if it is given.
    async fn send_request(&mut self, path: &str, encoding: &str) -> io::Result<Option<usize>> {
        self.stream.get_mut().write_all(request(path, encoding).as_bytes()).await?;
        let status = self.line().await?;
        if !status.starts_with("HTTP/1.1 200 ") {
            return Err(io::Error::other(format!("{path}: {status:?}")));
        }
        let mut length = None;
        loop {
            let line = self.line().await?;
            let Some((name, value)) = line.split_once(": ") else { return Ok(length) };
            if name.eq_ignore_ascii_case("content-length") {
                length = Some(value.parse().map_err(io::Error::other)?);
            }
        }
    }

    async fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }

    /// Fetches a page compressed; returns its length.
    async fn get(&mut self, path: &str) -> io::Result<usize> {
        self.get_as(path, "gzip").await
    }

    /// Fetches a page like a browser, which opens a connection that the server has closed while it was idle once more.
    async fn get_reopening(&mut self, path: &str) -> io::Result<usize> {
        if !self.is_open() {
            *self = Self::open(self.address).await?;
        }
        self.get(path).await
    }

    /// Whether the server has not closed the connection since its last answer.
    fn is_open(&self) -> bool {
        let nothing = self.stream.get_ref().try_read(&mut [0]);
        matches!(nothing, Err(error) if error.kind() == io::ErrorKind::WouldBlock)
    }

    async fn get_as(&mut self, path: &str, encoding: &str) -> io::Result<usize> {
        let length = self.send_request(path, encoding).await?;
        let length = length.ok_or_else(|| io::Error::other(format!("{path} has no length")))?;
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body).await?;
        Ok(length)
    }
}

/// Fetches one page; returns its compressed length.
pub(super) fn first_look(address: SocketAddr, path: &str) -> Result<usize, Box<dyn Error>> {
    let look = async { Connection::open(address).await?.get(path).await };
    Ok(runtime()?.block_on(look)?)
}

/// How often a text is in a page.
pub(super) fn count(address: SocketAddr, path: &str, text: &str) -> Result<usize, Box<dyn Error>> {
    let look = async {
        let mut connection = Connection::open(address).await?;
        connection.get_as(path, "identity").await?;
        String::from_utf8(connection.body).map_err(io::Error::other)
    };
    Ok(runtime()?.block_on(look)?.matches(text).count())
}

/// Waits until the board shows the running run.
pub(super) fn wait_until_played(address: SocketAddr) -> Result<(), Box<dyn Error>> {
    let has_update = async {
        let mut connection = Connection::open(address).await?;
        // The first event is the state of the board at the start, the second is the first change.
        connection.send_request("/hills/endless/live", "gzip").await?;
        let mut events = 0;
        while events < 2 {
            events += usize::from(connection.line().await?.starts_with("data:"));
        }
        io::Result::Ok(())
    };
    let limited = async { timeout(Duration::from_secs(120), has_update).await };
    Ok(runtime()?.block_on(limited)??)
}
