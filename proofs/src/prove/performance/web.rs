//! Many visitors of a board during its run: their waiting times, their cost to the run, and the first view of a large
//! board.

mod browser;
mod served;
mod visitors;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dicehill_store::HillStore;

use crate::figures::{Bound, Figure};
use crate::prove::cpu::timed;
use crate::prove::process::{Process, dicehill};
use crate::prove::shipped;
use browser::Browser;
use served::serve;
use visitors::{Crowd, Load, first_look};
use xtask::root;

/// How long the run is measured without visitors, and then with them.
const DURATION: Duration = Duration::from_secs(60);
/// How often both are measured, alternating.
const REPEATS: usize = 3;
/// The visitors.
const CROWD: Crowd = Crowd { viewers: 500, stuck: 50, views: 1000 };
/// How long the run may take to begin.
const PATIENCE: Duration = Duration::from_secs(30);
/// Games of the watched run: more than can be played meanwhile.
const ENDLESS: &str = "1000000000";
/// Milliseconds within which 99 of 100 requests have to be answered.
const MAX_WAIT_MS: f64 = 250.0;
/// The share of its speed that the run has to keep, in percent.
const MIN_RATE: f64 = 90.0;
/// MiB that the server may use.
const MAX_MEMORY_MIB: f64 = 256.0;

/// A large board: its entrants, the games between each two, and the number of server starts after which it is viewed
/// first.
const ENTRANTS: usize = 200;
const GAMES: usize = 52;
const STARTS: usize = 9;

/// The factor by which the processor of a slow machine is slowed down.
const SLOWDOWN: f64 = 4.0;
/// Milliseconds within which a slow machine has to show the first content of the large board.
const MAX_FIRST_CONTENT_MS: f64 = 1000.0;
/// Compressed kB that the scripts of a page may have.
const MAX_SCRIPTS_KB: f64 = 60.0;
/// Pages of each kind that has scripts.
const SCRIPTED: [&str; 6] = [
    "/hills/live",
    "/hills/live/runs/1",
    "/hills/live/runs/1/bots/pirate",
    "/hills/live/runs/1/head-to-head",
    "/hills/live/runs/1/games/7",
    "/play",
];

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    shipped::build_dicehill()?;
    let folder = root().join("target/web");
    let _nothing_there = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let mut figures = live_board(&folder)?;
    figures.extend(large_board(&folder)?);
    figures.extend(in_browser(&folder)?);
    fs::remove_dir_all(&folder)?;
    Ok(figures)
}

/// The measurements of one repeat.
struct Repeat {
    load: Load,
    /// The run's games per second of its own CPU time, without visitors and with them.
    rates: [f64; 2],
    /// The peak memory of the server in MiB.
    memory: f64,
    /// CPU seconds of this process, which simulates the visitors, and of the server.
    cpu: [f64; 2],
}

fn live_board(folder: &Path) -> Result<Vec<Figure>, Box<dyn Error>> {
    let live = folder.join("live.db");
    let bots = ["badnomial", "nobody", "pirate", "straight-shooter"];
    dicehill(folder, &["hill", "init", "live.db", "liars-dice", "--games", "2000"])?;
    dicehill(folder, &[&["hill", "add", "live.db"], &bots[..]].concat())?;
    dicehill(folder, &["hill", "init", "endless.db", "liars-dice", "--games", ENDLESS])?;
    let add = [&["hill", "add", "endless.db"], &bots[..], &["--no-moves"]].concat();
    let run = Process::start(folder, &add, "run.txt")?;
    let endless = folder.join("endless.db");
    let deadline = Instant::now() + PATIENCE;
    while games(&endless)? == 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(50));
    }
    let mut repeats = Vec::new();
    for _ in 0..REPEATS {
        repeats.push(repeat(&run, &endless, &live)?);
    }
    Ok(figures_of(&repeats))
}

fn repeat(run: &Process, endless: &Path, ended: &Path) -> Result<Repeat, Box<dyn Error>> {
    let (rate_alone, ()) = rate(run, endless, || {
        std::thread::sleep(DURATION);
        Ok(())
    })?;
    let (server, address) = serve(&[endless.to_owned(), ended.to_owned()])?;
    visitors::wait_until_played(address)?;
    let before = server.cpu_seconds()?;
    let (rate_with_visitors, (load, own_seconds)) = rate(run, endless, || {
        let (load, own_seconds) = timed(|| visitors::visit(&CROWD, address, DURATION));
        Ok((load?, own_seconds))
    })?;
    let cpu = [own_seconds, server.cpu_seconds()? - before];
    Ok(Repeat { load, rates: [rate_alone, rate_with_visitors], memory: server.peak_memory()?, cpu })
}

/// The run's games per second of its own CPU time during `work`.
fn rate<R>(
    run: &Process,
    store: &Path,
    work: impl FnOnce() -> Result<R, Box<dyn Error>>,
) -> Result<(f64, R), Box<dyn Error>> {
    let (games, cpu) = (games(store)?, run.cpu_seconds()?);
    let result = work()?;
    let (games, cpu) = (self::games(store)? - games, run.cpu_seconds()? - cpu);
    Ok((games as f64 / cpu, result))
}

/// The stored games of the last run; none before it has begun.
fn games(store: &Path) -> Result<u64, Box<dyn Error>> {
    let runs = HillStore::open(store)?.runs_from(1)?;
    Ok(runs.last().map_or(0, |run| run.games))
}

fn figures_of(repeats: &[Repeat]) -> Vec<Figure> {
    let sum = |part: fn(&Repeat) -> usize| repeats.iter().map(part).sum::<usize>();
    let errors = sum(|repeat| repeat.load.errors.len());
    let answered = sum(|repeat| repeat.load.views.len() + repeat.load.fetches.len());
    for error in repeats.iter().flat_map(|repeat| &repeat.load.errors).take(10) {
        eprintln!("  {error}");
    }
    let Crowd { viewers, stuck, views } = CROWD;
    let seconds = DURATION.as_secs();
    let crowd =
        format!("{viewers} viewers, {stuck} stuck, {views} page views a second for {seconds} s");
    let share = |place: usize| {
        repeats
            .iter()
            .map(|repeat| 100.0 * repeat.cpu[place] / DURATION.as_secs_f64())
            .fold(0.0, f64::max)
    };
    vec![
        Figure {
            name: format!("{crowd}: requests that went wrong"),
            value: errors.to_string(),
            interval: format!("of {} in {REPEATS} repeats", answered + errors),
            aim: "0".to_owned(),
            met: errors == 0,
        },
        wait_figure("page views: 99 of 100 within, ms", repeats, |load| &load.views),
        wait_figure("the board's changes: 99 of 100 within, ms", repeats, |load| &load.fetches),
        Figure::of_repeats(
            "the run's games for a second of its own CPU, percent of those without visitors"
                .to_owned(),
            &mut values_of(repeats, |repeat| 100.0 * repeat.rates[1] / repeat.rates[0]),
            MIN_RATE,
            Bound::AtLeast,
        ),
        Figure::of_repeats(
            format!(
                "the server's memory at most, MiB (at most {:.0} % of a core; the visitors {:.0} %)",
                share(1),
                share(0)
            ),
            &mut values_of(repeats, |repeat| repeat.memory),
            MAX_MEMORY_MIB,
            Bound::AtMost,
        ),
    ]
}

fn values_of(repeats: &[Repeat], value: impl Fn(&Repeat) -> f64) -> Vec<f64> {
    repeats.iter().map(value).collect()
}

/// The 99th percentile of the waiting times, the median of the repeats.
fn wait_figure(name: &str, repeats: &[Repeat], of: fn(&Load) -> &Vec<f64>) -> Figure {
    let at_99 = |repeat: &Repeat| {
        let mut waits = of(&repeat.load).clone();
        waits.sort_by(f64::total_cmp);
        waits.get(waits.len() * 99 / 100).copied().unwrap_or(f64::INFINITY)
    };
    Figure::of_repeats(name.to_owned(), &mut values_of(repeats, at_99), MAX_WAIT_MS, Bound::AtMost)
}

/// The first view of a board of many entrants and games, each time on a newly started server.
fn large_board(folder: &Path) -> Result<Vec<Figure>, Box<dyn Error>> {
    let store = large_hill(folder)?;
    let (mut bytes, mut milliseconds) = (0, Vec::new());
    for _ in 0..STARTS {
        let (_server, address) = serve(std::slice::from_ref(&store))?;
        let start = Instant::now();
        bytes = first_look(address, "/hills/large")?;
        milliseconds.push(1000.0 * start.elapsed().as_secs_f64());
        let rows = visitors::count(address, "/hills/large", "/runs/1/bots/")?;
        if rows != ENTRANTS {
            return Err(format!("the board shows {rows} entrants").into());
        }
    }
    let of = format!("the board of {ENTRANTS} entrants and {} games", games(&store)?);
    let kilobytes = bytes as f64 / 1000.0;
    Ok(vec![
        Figure {
            name: format!("{of}, compressed, kB"),
            value: format!("{kilobytes:.1}"),
            interval: "exact".to_owned(),
            aim: "under 100".to_owned(),
            met: kilobytes < 100.0,
        },
        Figure::of_repeats(
            format!("{of}, the first look at it, ms"),
            &mut milliseconds,
            100.0,
            Bound::AtMost,
        ),
    ])
}

/// What a browser on a slow machine shows of the large board, each time on a newly started server, and the scripts that it
/// loads.
fn in_browser(folder: &Path) -> Result<Vec<Figure>, Box<dyn Error>> {
    let browser = Browser::start(folder, SLOWDOWN)?;
    let large = folder.join("large.db");
    let mut milliseconds = Vec::new();
    for _ in 0..STARTS {
        let (_server, address) = serve(std::slice::from_ref(&large))?;
        milliseconds.push(browser.first_content(&format!("http://{address}/hills/large"))?);
    }
    let (_server, address) = serve(&[folder.join("live.db")])?;
    let sizes =
        SCRIPTED.iter().map(|path| browser.script_bytes(&format!("http://{address}{path}")));
    let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
    let largest = sizes.into_iter().fold(0.0, f64::max) / 1000.0;
    Ok(vec![
        Figure::of_repeats(
            format!("its first content on a phone with a processor slowed down by {SLOWDOWN}, ms"),
            &mut milliseconds,
            MAX_FIRST_CONTENT_MS,
            Bound::AtMost,
        ),
        Figure {
            name: "the scripts of a page at most, compressed, kB".to_owned(),
            value: format!("{largest:.1}"),
            interval: format!("of {} pages", SCRIPTED.len()),
            aim: format!("under {MAX_SCRIPTS_KB:.0}"),
            met: largest < MAX_SCRIPTS_KB,
        },
    ])
}

/// A hill of entrants most of which differ only in their names.
fn large_hill(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let house = |number: usize| if number.is_multiple_of(4) { "aces-and-eights" } else { "dummy" };
    let bot =
        |number| format!("[[bot]]\nname = \"Entrant {number}\"\nhouse = \"{}\"\n", house(number));
    let bots: String = (1..=ENTRANTS).map(bot).collect();
    let keys =
        format!("game = \"yahtzee\"\nformat = \"duel\"\ngames = {GAMES}\nseed = \"large\"\n");
    fs::write(folder.join("large.toml"), format!("{keys}{bots}"))?;
    dicehill(folder, &["hill", "init", "large.db", "large.toml"])?;
    let options = ["--full", "--no-moves", "--no-luck"];
    dicehill(folder, &[&["hill", "add", "large.db", "large.toml"], &options[..]].concat())?;
    Ok(folder.join("large.db"))
}
