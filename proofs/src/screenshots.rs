//! `cargo xtask screenshots`: the README's pictures of pages of the real server in a browser.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use xtask::{root, run};

/// File name, page, and whether the colours are dark.
const SCREENSHOTS: [(&str, &str, bool); 5] = [
    ("board.png", "/hills/spring", false),
    ("board-dark.png", "/hills/spring", true),
    ("bot.png", "/hills/spring/runs/1/bots/greedy", false),
    ("replay.png", "/hills/liars-dice/runs/1/games/7", false),
    ("head-to-head.png", "/hills/liars-dice/runs/1/head-to-head", false),
];
/// Width and height of the window.
const WINDOW: &str = "1100,800";
/// The largest size of a picture in the README, in bytes.
const LARGEST: u64 = 150_000;
/// How long the server may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

/// Regenerates all screenshots.
pub(crate) fn screenshots() -> Result<(), Box<dyn Error>> {
    run(Command::new(env!("CARGO")).args(["build", "--release", "--package", "dicehill"]))?;
    let folder = root().join("target/screenshots");
    let _nothing_there = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    hills(&folder)?;
    let server = Server::start(&folder)?;
    fs::create_dir_all(root().join("docs/pictures"))?;
    for (file, page, is_dark) in SCREENSHOTS {
        let picture = root().join("docs/pictures").join(file);
        take(&folder, &server.page(page)?, &picture, is_dark)?;
        let bytes = fs::metadata(&picture)?.len();
        if bytes > LARGEST {
            return Err(format!("{file} has {bytes} bytes, more than {LARGEST}").into());
        }
    }
    Ok(())
}

fn dicehill(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(root().join("target/release/dicehill"));
    command.args(arguments).current_dir(folder);
    command
}

/// Hills between house bots: their boards are the same each time, except for their dates.
fn hills(folder: &Path) -> Result<(), Box<dyn Error>> {
    let hills: [(&str, &str, &[&str]); 2] = [
        ("spring.db", "yahtzee", &["greedy", "optimal", "aces-and-eights", "random", "dummy"]),
        (
            "liars-dice.db",
            "liars-dice",
            &["badnomial", "nobody", "straight-shooter", "pirate", "honest", "random"],
        ),
    ];
    for (hill, game, bots) in hills {
        let fixed = ["--games", "2000", "--seed", "spring", "--name", "Spring"];
        let init = [&["hill", "init", hill, game], &fixed[..]].concat();
        let add = [&["hill", "add", hill], bots].concat();
        for arguments in [&init, &add] {
            let output = dicehill(folder, arguments).output()?;
            if !output.status.success() {
                let output = String::from_utf8_lossy(&output.stderr);
                return Err(format!("{arguments:?}: {output}").into());
            }
        }
    }
    Ok(())
}

/// A server that is killed when dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let arguments = ["serve", "spring.db", "liars-dice.db", "--listen", "127.0.0.1:0"];
        let output = folder.join("server.txt");
        let child = dicehill(folder, &arguments).stderr(File::create(&output)?).spawn()?;
        let mut server = Self { child, address: String::new() };
        let deadline = Instant::now() + PATIENCE;
        while server.address.is_empty() {
            let text = fs::read_to_string(&output)?;
            if let Some((address, _)) = text.split_once(" - ") {
                server.address = address.to_owned();
            } else if Instant::now() > deadline {
                return Err(format!("no server: {text}").into());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(server)
    }

    fn page(&self, path: &str) -> Result<String, Box<dyn Error>> {
        if self.address.starts_with("http://") {
            return Ok(format!("{}{path}", self.address));
        }
        Err(format!("{:?} is no address", self.address).into())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill().and_then(|()| self.child.wait());
    }
}

/// Takes a screenshot of a page after it has been rendered.
fn take(folder: &Path, page: &str, picture: &Path, is_dark: bool) -> Result<(), Box<dyn Error>> {
    let plain = [
        "--headless",
        // The sandbox does not work for root; only our own pages are loaded.
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        // A board never finishes loading, because it streams its changes.
        "--timeout=10000",
    ];
    let mut chromium = Command::new("chromium");
    chromium.args(plain).stderr(Stdio::null());
    chromium.arg(format!("--window-size={WINDOW}"));
    chromium.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    chromium.arg(format!("--screenshot={}", picture.display()));
    chromium.arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!is_dark)));
    let status = chromium.arg(page).status().map_err(|error| {
        format!("chromium: {error}; pictures need it, e.g. `apt-get install chromium`")
    })?;
    if status.success() { Ok(()) } else { Err(format!("{page}: chromium: {status}").into()) }
}
