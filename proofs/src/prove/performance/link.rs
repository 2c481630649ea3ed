//! Decisions per second through the judge, compared with a bare loop in the same language, with one and with 64 open
//! requests; and a set between four JVMs.
//!
//! With one open request a bot and its judge take turns, so that the arena keeps them on one core. So does the bare loop: on
//! two cores its round trips take 4 to 60 µs, as the other core happens to be awake or asleep.

pub(crate) mod bare;

use std::error::Error;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use dicehill_arena::{
    BotName, Entrant, Event, Hill, HillDraft, Jobs, Limits, Memory, RunOptions, run,
};
use dicehill_bots::{HouseBot, yahtzee_bots};
use dicehill_link::{BotLog, BotSource, ExternalBot, ExternalBotSettings, Isolation, WireGame};
use dicehill_rules::Game;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use xtask::root;

use crate::figures::{Bound, Figure};
use crate::prove::shipped;

/// Repeats, alternating with the bare loop; the median of the ratios counts.
const REPEATS: usize = 5;
/// The required share of the bare loop's rate, in percent.
const SHARE: f64 = 60.0;
/// Games before those that are measured. As in the qualification before a run, the arena learns from them what answers cost,
/// by which it chooses the compiler of a JVM.
const GAMES_BEFORE: i64 = 10;
/// The argument with which this program runs the bare loop in Rust.
pub(crate) const BARE: &str = "--bare";

/// A language: its bare loop, and a bot that uses our SDK or bridge.
struct Language {
    name: &'static str,
    bare: Vec<String>,
    bot: BotSource,
    /// Games with many open requests: some seconds of play.
    games: i64,
    /// The required share of the bare loop's rate, in percent.
    min_share: f64,
}

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut figures = Vec::new();
    for language in languages()? {
        figures.extend(many_in_flight(&language)?);
        figures.push(one_in_flight(&language)?);
    }
    figures.push(four_jvms()?);
    Ok(figures)
}

fn path(path: &str) -> PathBuf {
    root().join(path)
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn script(interpreter: &str, folder: &str, file: &str) -> BotSource {
    let dir = path(folder);
    // Scripts find each other by relative paths.
    let read = [dir.join(file)].into_iter().filter(|file| !file.starts_with(&dir));
    let read: Vec<_> = read.chain([dir.clone()]).collect();
    let command = words(&[interpreter, file]);
    BotSource::Command { command, base: PathBuf::new(), dir: Some(dir), build: None, read }
}

/// The plain bot in Rust.
pub(super) fn steady() -> Result<BotSource, Box<dyn Error>> {
    shipped::build(&["--package", "dicehill-bot", "--example", "steady"])?;
    let steady = shipped::path("examples/steady").display().to_string();
    let (base, read) = (PathBuf::new(), Vec::new());
    Ok(BotSource::Command { command: vec![steady], base, dir: None, build: None, read })
}

fn languages() -> Result<Vec<Language>, Box<dyn Error>> {
    let executable = std::env::current_exe()?;
    let python = path("proofs/src/prove/performance/link/bare.py").display().to_string();
    let node = path("sdk/javascript/bench/bare.mjs").display().to_string();
    let fixed = path("proofs/src/prove/performance/link/fixed.mjs").display().to_string();
    Ok(vec![
        Language {
            name: "Rust",
            bare: vec![executable.display().to_string(), BARE.to_owned()],
            bot: steady()?,
            games: 30_000,
            min_share: SHARE,
        },
        Language {
            name: "Java",
            bare: java_bare_loop()?,
            bot: BotSource::Java {
                path: path("sdk/java/tests/players/steady_yahtzee/SteadyYahtzee.java"),
                class: None,
                read: Vec::new(),
            },
            games: 20_000,
            min_share: SHARE,
        },
        Language {
            name: "Node",
            bare: vec!["node".to_owned(), node.clone()],
            bot: script("node", "sdk/javascript", &fixed),
            games: 10_000,
            min_share: SHARE,
        },
        // Its decisions take as long as reading and writing, so that nothing is required.
        Language {
            name: "Node, a bot that thinks",
            bare: vec!["node".to_owned(), node],
            bot: script("node", "sdk/javascript", "examples/steady.mjs"),
            games: 10_000,
            min_share: 0.0,
        },
        Language {
            name: "Python",
            bare: vec!["python3".to_owned(), python],
            bot: script("python3", "sdk/python", "examples/steady.py"),
            games: 4000,
            min_share: SHARE,
        },
    ])
}

/// Compiles the Java bare loop against the bridge's classes. It runs with the compiler that the arena chooses for the bot.
fn java_bare_loop() -> Result<Vec<String>, Box<dyn Error>> {
    let classes = path("target/bare-loop");
    let mut javac = Command::new("javac");
    javac.arg("-d").arg(&classes);
    let bridge = path("crates/link/java");
    javac.arg("-cp").arg(&bridge).arg("-sourcepath").arg(&bridge);
    javac.arg(path("sdk/java/tests/speed/BareLoop.java"));
    xtask::run(&mut javac)?;
    let classes = classes.display().to_string();
    let flags = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"];
    Ok(words(&[&["java"], &flags[..], &["-cp", &classes, "BareLoop"]].concat()))
}

/// With 64 open requests: the rate, and its share of the bare loop's.
fn many_in_flight(language: &Language) -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut rates = Vec::new();
    let mut shares = Vec::new();
    let entrant = entrant(language, Memory::Game)?;
    for _ in 0..REPEATS {
        let (decisions, seconds) = through_the_judge(&entrant, Memory::Game, language.games)?;
        let bare = bare_loop(&language.bare, decisions, 64)?;
        rates.push(decisions as f64 / seconds);
        shares.push(100.0 * bare / seconds);
    }
    let name = language.name;
    let mut figures = vec![Figure::of_repeats(
        format!("{name}, 64 in flight, share of the bare loop, %"),
        &mut shares,
        language.min_share,
        Bound::AtLeast,
    )];
    let min_share = if name == "Rust" { 500_000.0 } else { 0.0 };
    let rate = format!("{name}, 64 in flight, decisions a second through the judge");
    figures.push(Figure::of_repeats(rate, &mut rates, min_share, Bound::AtLeast));
    Ok(figures)
}

/// With one open request: the ratio to a bare round trip.
fn one_in_flight(language: &Language) -> Result<Figure, Box<dyn Error>> {
    let mut times = Vec::new();
    let entrant = entrant(language, Memory::Set)?;
    for _ in 0..REPEATS {
        let (decisions, seconds) = through_the_judge(&entrant, Memory::Set, 2000)?;
        let bare = on_one_core(|| bare_loop(&language.bare, decisions, 1))??;
        times.push(seconds / bare);
    }
    let name = format!("{}, one in flight, times a bare round trip on one core", language.name);
    // A bot of which no share is required thinks, and the bare loop does not.
    let (aim, bound) =
        if language.min_share > 0.0 { (2.0, Bound::AtMost) } else { (0.0, Bound::AtLeast) };
    Ok(Figure::of_repeats(name, &mut times, aim, bound))
}

/// What a function returns whose thread, and the children that it starts, use the core of now alone.
fn on_one_core<T>(function: impl FnOnce() -> T) -> std::io::Result<T> {
    let all = sched_getaffinity(None)?;
    let mut only = CpuSet::new();
    only.set(sched_getcpu());
    sched_setaffinity(None, &only)?;
    let returned = function();
    sched_setaffinity(None, &all)?;
    Ok(returned)
}

/// The bot of a language, after some games.
fn entrant(language: &Language, memory: Memory) -> Result<Entrant<Yahtzee>, Box<dyn Error>> {
    let entrant = external("bot", &language.bot, memory)?;
    through_the_judge(&entrant, memory, GAMES_BEFORE)?;
    Ok(entrant)
}

/// Decisions of one process and the seconds that they took, its start included.
fn through_the_judge(
    entrant: &Entrant<Yahtzee>,
    memory: Memory,
    games: i64,
) -> Result<(u64, f64), Box<dyn Error>> {
    let opponent = yahtzee_bots().into_iter().find(|bot| bot.name() == "dummy");
    let opponent = opponent.map(HouseBot::entrant).ok_or("a house bot")?;
    let entrants = vec![entrant.clone(), opponent];
    let hill = Hill::new(HillDraft { games, memory, ..HillDraft::challenge(entrants, "prove") })?;
    let start = Instant::now();
    let decisions = play(&hill, "bot")?;
    Ok((decisions, start.elapsed().as_secs_f64()))
}

fn external<G: WireGame>(
    name: &str,
    source: &BotSource,
    memory: Memory,
) -> Result<Entrant<G>, Box<dyn Error>> {
    external_with::<G>(name, source, memory, Isolation::On)
}

/// An external bot with or without isolation.
pub(super) fn external_with<G: WireGame>(
    name: &str,
    source: &BotSource,
    memory: Memory,
    isolation: Isolation,
) -> Result<Entrant<G>, Box<dyn Error>> {
    let rules = G::Rules::default().to_string();
    let limits = Limits::default();
    let settings = ExternalBotSettings {
        game: G::NAME,
        rules,
        memory,
        limits,
        isolation,
        network: Default::default(),
        secrets: Vec::new(),
        stop: Default::default(),
    };
    let program = ExternalBot::<G>::prepare(name, source, settings, BotLog::default())?;
    Ok(Entrant::new(BotName::new(name)?, Arc::new(program)))
}

/// Plays a hill on one thread; returns the number of decisions of one entrant.
pub(super) fn play<G: Game>(hill: &Hill<G>, bot: &str) -> Result<u64, Box<dyn Error>> {
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: 0,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    let id = hill.ids().find(|id| hill.name_of(*id) == bot).ok_or("an entrant")?;
    let mut decisions = 0;
    run(hill, options, &mut |event| {
        match event {
            Event::Played(played, _) => {
                let record = &played.record;
                let executable = record.fixture.seats.iter().position(|seat| *seat == id);
                decisions += executable.map_or(0, |_| record.moves.len() as u64);
            }
            Event::Barred(bar) => return Err(std::io::Error::other(format!("{bar:?}"))),
            Event::Started(_)
            | Event::Recalled(..)
            | Event::Diverged { .. }
            | Event::Retried(_)
            | Event::MemoryLost { .. }
            | Event::Ended(_) => {}
        }
        Ok(())
    })?;
    // The opponent fills a box at once: thirteen decisions per game.
    Ok(if G::NAME == Yahtzee::NAME { decisions - 13 * hill.games() } else { decisions })
}

/// Seconds in which a bare loop, its start included, answers this many of the golden requests.
fn bare_loop(command: &[String], decisions: u64, in_flight: u64) -> Result<f64, Box<dyn Error>> {
    let golden = std::fs::read_to_string(path("protocol/transcripts/yahtzee.txt"))?;
    let turns = golden.lines().filter_map(|line| line.strip_prefix("> "));
    let turns: Vec<String> =
        turns.filter(|line| line.contains("\"turn\"")).map(|line| format!("{line}\n")).collect();
    let start = Instant::now();
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut requests = child.stdin.take().ok_or("its input")?;
    let mut answers = child.stdout.take().ok_or("its output")?;
    let mut sent = 0;
    let mut answered = 0;
    let mut block = vec![0; 1 << 16];
    let mut next = turns.iter().cycle();
    while answered < decisions {
        let batch_size = (in_flight - (sent - answered)).min(decisions - sent);
        let batch: String = next.by_ref().take(batch_size as usize).map(String::as_str).collect();
        requests.write_all(batch.as_bytes())?;
        sent += batch_size;
        let count = answers.read(&mut block)?;
        if count == 0 {
            return Err("the bare loop ended".into());
        }
        answered += block[..count].iter().filter(|byte| **byte == b'\n').count() as u64;
    }
    let seconds = start.elapsed().as_secs_f64();
    drop(requests);
    child.wait()?;
    Ok(seconds)
}

/// The challenge between four JVMs that play all games of the set.
fn four_jvms() -> Result<Figure, Box<dyn Error>> {
    let player = BotSource::Java {
        path: path("sdk/java/tests/players/steady_liars_dice/SteadyLiar.java"),
        class: None,
        read: Vec::new(),
    };
    let mut seconds = Vec::new();
    for _ in 0..3 {
        let names = ["A", "B", "C", "D"].iter();
        let entrants = names.map(|name| external::<LiarsDice>(name, &player, Memory::Set));
        let entrants = entrants.collect::<Result<Vec<_>, _>>()?;
        let draft = HillDraft { memory: Memory::Set, ..HillDraft::challenge(entrants, "prove") };
        let hill = Hill::new(draft)?;
        let start = Instant::now();
        play(&hill, "A")?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    let name = "1000 games of Liar's Dice, four JVMs, memory = \"set\", seconds".to_owned();
    Ok(Figure::of_repeats(name, &mut seconds, 30.0, Bound::AtMost))
}
