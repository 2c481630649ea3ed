//! Runs by one to eight workers, compared with the same run on one machine, and what they cost the host.
//!
//! The workers are processes of this machine. Where they are compared, their bots wait and do not compute, so that they do not
//! compete for processors.

use std::error::Error;
use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::Deserialize;
use xtask::root;

use crate::figures::Figure;
use crate::prove::process::Process;
use crate::prove::shipped;

/// How long the NATS server may take to start.
const PATIENCE: Duration = Duration::from_secs(30);
/// Games that each worker plays if all play the same number.
const SLOW_GAMES: u32 = 900;
/// The numbers of workers.
const WORKERS: [u32; 4] = [1, 2, 4, 8];
/// The share of N times the speed of one machine that N workers have to reach.
const MIN_SHARE: f64 = 0.95;
/// Games of the quick house bots.
const QUICK_GAMES: u32 = 200_000;
/// Games that a thousand simulated workers play.
const SIMULATED_GAMES: u32 = 2_000_000;
/// How long the slow bot waits in a game.
const WAIT: f64 = 0.2;

/// A bot that takes the best box for the first roll, and waits in its first turn of each game.
const SLOW: &str = "\
import json, sys, time
print(json.dumps({'type': 'ready', 'inflight': 1}), flush=True)
for line in sys.stdin:
    turn = json.loads(line)
    if turn['type'] == 'turn':
        if turn['round'] == 1:
            time.sleep(WAIT)
        best = max(turn['legal'], key=turn['legal'].get)
        print(json.dumps({'id': turn['id'], 'category': best}), flush=True)
";

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    shipped::build_dicehill()?;
    let folder = root().join("target/workers");
    let _nothing_there = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("slow.py"), SLOW.replace("WAIT", &WAIT.to_string()))?;
    let broker = Broker::start(&folder)?;
    let mut figures = slow_bots(&broker)?;
    figures.extend(quick_bots(&broker)?);
    figures.extend(simulated_workers()?);
    drop(broker);
    fs::remove_dir_all(&folder)?;
    Ok(figures)
}

/// A NATS server, and the folder in which everything runs.
struct Broker {
    folder: PathBuf,
    address: String,
    _server: Process,
}

/// What a run cost.
struct Cost {
    /// Seconds by the clock from its start to its end.
    time: f64,
    /// CPU seconds of the host.
    cpu: f64,
    /// The peak memory of the host in MiB.
    memory: f64,
}

impl Broker {
    fn start(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let config = format!("listen: 127.0.0.1:{port}\njetstream {{ store_dir: jetstream }}\n");
        fs::write(folder.join("nats.conf"), config)?;
        let mut command = Command::new("nats-server");
        command.args(["--config", "nats.conf", "--log", "nats.log"]).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let started = command.spawn();
        let server = started.map_err(|error| format!("cannot start nats-server: {error}"))?;
        let server = Process::of(server);
        let deadline = Instant::now() + PATIENCE;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if Instant::now() > deadline {
                return Err("nats-server does not listen".into());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let address = format!("nats://127.0.0.1:{port}");
        Ok(Self { folder: folder.to_owned(), address, _server: server })
    }

    /// Starts workers with a thread each.
    fn workers(&self, number: u32) -> Result<Vec<Process>, Box<dyn Error>> {
        let start = |worker: u32| {
            let arguments = ["work", &self.address, "--jobs", "1"];
            Process::start(&self.folder, &arguments, &format!("worker-{worker}.txt"))
        };
        (0..number).map(start).collect()
    }

    /// Plays the hill of a file on this machine, with one thread, or by workers.
    fn play(&self, hill: &str, by_workers: bool) -> Result<Cost, Box<dyn Error>> {
        let name = if by_workers { "workers.jsonl" } else { "alone.jsonl" };
        let _none_yet = fs::remove_file(self.folder.join(name));
        let mut arguments = vec!["run", hill, "--no-luck", "--format", "json", "--out", name];
        if by_workers {
            arguments.extend(["--workers", &self.address]);
        } else {
            arguments.extend(["--jobs", "1"]);
        }
        let begun = Instant::now();
        let run = Process::start(&self.folder, &arguments, "run.txt")?;
        let (cpu, memory) = run.wait()?;
        Ok(Cost { time: begun.elapsed().as_secs_f64(), cpu, memory })
    }

    fn are_same(&self) -> Result<bool, Box<dyn Error>> {
        let read = |name: &str| fs::read(self.folder.join(name));
        Ok(read("workers.jsonl")? == read("alone.jsonl")?)
    }
}

fn slow_hill(folder: &Path, games: u32) -> Result<String, Box<dyn Error>> {
    let name = format!("slow-{games}.toml");
    let text = format!(
        "game = \"yahtzee\"\nseed = \"workers\"\nopen_seed = true\ngames = {games}\n\n\
         [[bot]]\nname = \"greedy\"\nhouse = \"greedy\"\n\n\
         [[bot]]\nname = \"Slow\"\ncommand = [\"python3\", \"slow.py\"]\n"
    );
    fs::write(folder.join(&name), text)?;
    Ok(name)
}

/// Bots that wait in each game.
fn slow_bots(broker: &Broker) -> Result<Vec<Figure>, Box<dyn Error>> {
    let alone = broker.play(&slow_hill(&broker.folder, SLOW_GAMES)?, false)?;
    let rate = f64::from(SLOW_GAMES) / alone.time;
    let mut figures = Vec::new();
    for number in WORKERS {
        let games = number * SLOW_GAMES;
        let _workers = broker.workers(number)?;
        let cost = broker.play(&slow_hill(&broker.folder, games)?, true)?;
        let of_workers = f64::from(games) / cost.time;
        let share = of_workers / (rate * f64::from(number));
        figures.push(Figure {
            name: format!(
                "Speed of {number} workers, of {number} times that of one machine with one thread, whole runs with a bot that \
                 waits {WAIT} s in a game"
            ),
            value: format!("{share:.3}"),
            interval: format!(
                "{of_workers:.2} and {rate:.2} games a second; {games} games in {:.1} s, {SLOW_GAMES} in {:.1} s alone",
                cost.time, alone.time
            ),
            aim: format!("at least {MIN_SHARE}"),
            met: share >= MIN_SHARE,
        });
    }
    Ok(figures)
}

/// A thousand workers in simulated time, with the book of a real host.
fn simulated_workers() -> Result<Vec<Figure>, Box<dyn Error>> {
    let words =
        ["test", "--quiet", "--release", "--package", "dicehill-workers", "--test", "workers"];
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(words).args(["--", "simulation", "--nocapture"]).current_dir(root());
    cargo.env("DICEHILL_SIMULATED_GAMES", SIMULATED_GAMES.to_string());
    let output = cargo.stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8(output.stdout)?;
    let line = text.lines().find(|line| line.starts_with('{'));
    let line = line.filter(|_| output.status.success()).ok_or("the simulation failed")?;
    let simulated: Simulated = serde_json::from_str(line)?;
    let Simulated { time, ideal, played, queue, waiting, judging, book } = simulated;
    let share = ideal / time;
    Ok(vec![Figure {
        name: format!(
            "A thousand simulated workers with four threads each, {SIMULATED_GAMES} games of a second: the part of the time in \
             which something is played that counts"
        ),
        value: format!("{share:.3}"),
        interval: format!(
            "{time:.0} s instead of {ideal:.0} s; {:.1} % of the games played twice; at most {queue} ranges in the queue and \
             {waiting} games that wait for one before them; one thread of the host judges for {:.0} % of the time, and its book \
             takes {book:.1} CPU seconds for a million games",
            100.0 * (played - 1.0),
            100.0 * judging
        ),
        aim: "at least 0.9".to_owned(),
        met: share >= 0.9,
    }])
}

/// What the simulation prints.
#[derive(Deserialize)]
struct Simulated {
    /// Seconds of the run, and what they would be if no worker ever waited.
    time: f64,
    ideal: f64,
    /// Games played, for each game of the run.
    played: f64,
    /// The most ranges in the queue, and the most games that wait for one before them.
    queue: u64,
    waiting: u64,
    /// The part of the time in which a thread of the host judges games.
    judging: f64,
    /// CPU seconds of the book for a million games.
    book: f64,
}

/// House bots, whose games take less than their transport.
fn quick_bots(broker: &Broker) -> Result<Vec<Figure>, Box<dyn Error>> {
    let text = format!(
        "game = \"yahtzee\"\nseed = \"workers\"\ngames = {QUICK_GAMES}\n\n\
         [[bot]]\nname = \"greedy\"\nhouse = \"greedy\"\n\n[[bot]]\nname = \"dummy\"\nhouse = \"dummy\"\n"
    );
    fs::write(broker.folder.join("quick.toml"), text)?;
    let alone = broker.play("quick.toml", false)?;
    let _worker = broker.workers(1)?;
    let cost = broker.play("quick.toml", true)?;
    let is_same = broker.are_same()?;
    let million = 1e6 / f64::from(QUICK_GAMES);
    Ok(vec![
        Figure {
            name: format!(
                "Quick house bots, {QUICK_GAMES} games: is the log of a run by a worker that of one machine?"
            ),
            value: if is_same { "yes" } else { "no" }.to_owned(),
            interval: "byte for byte".to_owned(),
            aim: "yes".to_owned(),
            met: is_same,
        },
        Figure {
            name:
                "Quick house bots: CPU seconds of a host for a million games of workers, and alone"
                    .to_owned(),
            value: format!("{:.1} and {:.1}", cost.cpu * million, alone.cpu * million),
            interval: format!(
                "{:.1} and {:.1} s by the clock; at most {:.0} and {:.0} MiB: bots of less than {:.0} µs a game are played \
                 sooner without workers",
                cost.time * million,
                alone.time * million,
                cost.memory,
                alone.memory,
                cost.cpu * million
            ),
            aim: "reported".to_owned(),
            met: true,
        },
    ])
}
