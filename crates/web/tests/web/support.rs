//! A server on a free port, hills to show, and a client that sends arbitrary bytes.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use dicehill_arena::{
    Entrant, Hill, HillDraft, Jobs, MAX_PLAY_OFFS, RunOptions, TournamentGame, run,
};
use dicehill_bots::HouseBot;
use dicehill_coach::yahtzee::YahtzeeAppraiser;
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_store::{HillSettings, HillStore};
use dicehill_web::{Config, RequestLimits, ServedAddresses};
use tempfile::TempDir;

/// The longest time that a test waits for something that must happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// The address of a proxy that the server trusts, from which tests connect.
pub(crate) const PROXY: &str = "127.0.0.1";

/// A server that stops when it is dropped.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    /// The address of its metrics.
    pub(crate) metrics: SocketAddr,
    folder: TempDir,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A hill of the house bots whose games are appraised.
pub(crate) fn yahtzee(games: i64) -> Hill<Yahtzee> {
    let appraiser = YahtzeeAppraiser::new(YahtzeeRules::Official);
    hill(dicehill_bots::yahtzee_bots().into(), games).with_appraiser(Arc::new(appraiser))
}

fn hill<G: TournamentGame>(bots: Vec<HouseBot<G>>, games: i64) -> Hill<G> {
    let entrants: Vec<Entrant<G>> = bots.into_iter().map(HouseBot::entrant).collect();
    Hill::new(HillDraft { games, ..HillDraft::challenge(entrants, "a seed") }).expect("a hill")
}

/// Creates the store of a hill, with one run.
pub(crate) fn store<G: TournamentGame>(path: &Path, hill: &Hill<G>) {
    let store = HillStore::create(path, &HillSettings::from_hill(hill, None)).expect("a new store");
    let writer = store.begin_run(Vec::new(), true).expect("it can be written");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    run(hill, options, &mut |event| writer.write(&event)).expect("it is played and stored");
    writer.flush().expect("it is stored");
}

impl Served {
    /// A server of a hill of Yahtzee and one of Liar's Dice.
    pub(crate) fn new() -> Self {
        // The first request that needs the values of Yahtzee waits until they are computed.
        let request_time = Duration::from_secs(3600);
        Self::with(RequestLimits { request_time, ..RequestLimits::default() })
    }

    /// The same with these limits.
    pub(crate) fn with(limits: RequestLimits) -> Self {
        let folder = TempDir::new().expect("a folder");
        let [dice, spring] = ["dice.db", "spring.db"].map(|name| folder.path().join(name));
        store(&spring, &yahtzee(60));
        store(&dice, &hill(dicehill_bots::liars_dice_bots().into(), 60));
        Self::showing(folder, vec![spring, dice], limits)
    }

    /// A server of hills in a folder.
    pub(crate) fn showing(folder: TempDir, hills: Vec<PathBuf>, limits: RequestLimits) -> Self {
        let config = Config {
            hills,
            limits,
            metrics: Some(([127, 0, 0, 1], 0).into()),
            trusted_proxies: vec![PROXY.parse().expect("an address")],
            ..Config::default()
        };
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, listening) = mpsc::channel();
        let flag = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let report = |addresses| sender.send(addresses).expect("the test waits for it");
            dicehill_web::serve(config, &flag, report).expect("it can serve");
        });
        let ServedAddresses { pages, metrics } =
            listening.recv_timeout(PATIENCE).expect("it listens");
        let metrics = metrics.expect("they are served");
        Self { address: pages, metrics, folder, stop, thread: Some(thread) }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A connection to the server.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        stream
    }

    /// The response to these bytes, read until the connection is closed.
    pub(crate) fn raw(&self, request: &[u8]) -> Answer {
        Self::raw_to(self.connect(), request)
    }

    /// The response at the metrics' address.
    pub(crate) fn ask_metrics(&self, path: &str, host: &str) -> Answer {
        let stream = TcpStream::connect(self.metrics).expect("it listens");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        Self::raw_to(stream, request.as_bytes())
    }

    fn raw_to(mut stream: TcpStream, request: &[u8]) -> Answer {
        // A server that refuses a request may close the connection before all of it was sent.
        let _sent = stream.write_all(request);
        let mut bytes = Vec::new();
        let _reset = stream.read_to_end(&mut bytes);
        Answer(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The response to a request with these further header lines.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &str) -> Answer {
        let host = self.address;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"
        );
        self.raw(request.as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "")
    }

    /// A document of the API.
    pub(crate) fn json(&self, path: &str) -> serde_json::Value {
        let answer = self.get(path);
        assert_eq!(answer.status(), 200, "{path}: {}", answer.0);
        serde_json::from_str(answer.body()).expect("it is JSON")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(matches!(ended, Some(Ok(()))) || std::thread::panicking(), "the server panicked");
    }
}

/// A raw response.
pub(crate) struct Answer(pub(crate) String);

impl Answer {
    /// The status; 0 if there was no response.
    pub(crate) fn status(&self) -> u16 {
        let word = self.0.split(' ').nth(1).unwrap_or_default();
        word.parse().unwrap_or(0)
    }

    pub(crate) fn head(&self) -> &str {
        self.0.split_once("\r\n\r\n").map_or("", |(head, _)| head)
    }

    pub(crate) fn body(&self) -> &str {
        self.0.split_once("\r\n\r\n").map_or("", |(_, body)| body)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head().lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// Waits until a condition holds.
pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < PATIENCE, "waited too long until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
