//! Runs with an attacker, and what they came to.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::canaries::{Canaries, SECRET, VARIABLE};
use super::table::Bare::{AsRoot, Breach, Contained, Depends};
use super::table::{Attack, LEAVE, Terms};
use crate::support::external::bot;
use crate::support::user::{Mode, User};
use crate::support::{Ran, hill};

/// A finished run.
pub(super) struct Held {
    ran: Ran,
    pub(super) took: Duration,
    /// Nothing where the run has not come to an end, which bots without isolation can bring about.
    document: Value,
    /// The lines of the games that count.
    games: Vec<String>,
    /// What the attacker had to say.
    said: Vec<String>,
}

impl Held {
    /// Plays a hill of three house bots, an honest one outside, and this one, if any.
    #[track_caller]
    pub(super) fn new(canaries: &Canaries, mode: Mode, terms: Terms, attacker: &str) -> Self {
        let Terms { game, memory, games, memory_mb } = terms;
        let keys = format!(
            "game = \"{game}\"\ngames = {games}\nseed = \"s\"\nmemory = \"{memory}\"\n[limits]\n\
             start_ms = 120000\nmove_ms = 120000\nmemory_mb = {memory_mb}"
        );
        let house = match game {
            "yahtzee" => ["greedy", "random", "aces-and-eights"],
            _ => ["pirate", "random", "straight-shooter"],
        };
        let house = hill(&keys, &house);
        // Its second file is there to be read by others.
        let honest = bot("Honest", &["./bot/honest", "none", &canaries.text("bot/plain.py")]);
        let scratch = &canaries.scratch;
        // The attacker comes last, so that the others are there when it begins.
        scratch.write("hill.toml", format!("# {SECRET}\n{house}{honest}{attacker}"));
        for old in ["logs", "log"] {
            let path = scratch.path(old);
            let _none_yet = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
        }
        let run = ["run", "hill.toml", "--jobs", "1", "--format", "json", "--logs", "logs"];
        let mut command = Command::new(scratch.path("dicehill"));
        command.args(run).args(["--out", "log"]).args(mode.arguments());
        command.current_dir(scratch.path("")).env(VARIABLE, SECRET);
        command.env("HOME", scratch.path("home")).env("XDG_CACHE_HOME", scratch.path("cache"));
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").stdin(Stdio::null());
        canaries.user.becomes(&mut command);
        let began = Instant::now();
        let ran = Ran::from(command.output().expect("the command starts"));
        let took = began.elapsed();
        let document: Value = serde_json::from_str(&ran.out).unwrap_or_default();
        assert!(mode == Mode::Bare || !document.is_null(), "{attacker}: {}", ran.err);
        let log = fs::read_to_string(scratch.path("log")).unwrap_or_default();
        let lines = |text: &str, begin| -> Vec<String> {
            text.lines().filter(|line| line.starts_with(begin)).map(str::to_owned).collect()
        };
        let said = ["Accomplice", "Attacker"].map(|name| {
            let said = fs::read(scratch.path(&format!("logs/{name}.log"))).unwrap_or_default();
            String::from_utf8_lossy(&said).into_owned()
        });
        let said = said.concat();
        assert!(!said.contains("mistake in "), "{said}");
        let said = lines(&said, "attack ");
        let counting = log.rsplit("{\"type\":\"barred\"").next().expect("there is a last part");
        Self { games: lines(counting, "{\"type\":\"game\""), ran, took, document, said }
    }

    /// What is told of everybody, apart from what they are made of, and the games.
    pub(super) fn outcome(&self) -> Outcome {
        Outcome { rows: self.rows(), games: self.games.clone() }
    }

    fn rows(&self) -> Vec<Value> {
        let mut rows = self.document["standings"].as_array().expect("standings").clone();
        for row in &mut rows {
            row.as_object_mut().expect("a row").remove("hash");
        }
        rows
    }

    pub(super) fn barred(&self) -> Option<&str> {
        let rows = self.document["standings"].as_array()?;
        let attacker = rows.iter().find(|row| row["bot"] == "Attacker")?;
        attacker["barred"]["reason"].as_str()
    }

    /// Expects this of each attack, by what the attacker said.
    #[track_caller]
    pub(super) fn came_to(&self, attacks: &[Attack], mode: Mode, user: User) {
        let mut wrong = Vec::new();
        // Only who attacks in one way may end by it; the others would not all be tried.
        let is_one = attacks.iter().filter(|attack| **attack != LEAVE).count() == 1;
        let has_ended = self.barred().is_some() && is_one;
        for (name, bare) in attacks {
            let begin = format!("attack {name}: ");
            let lines: Vec<_> = self.said.iter().filter(|line| line.starts_with(&begin)).collect();
            assert!(has_ended || !lines.is_empty(), "{name} was not tried: {}", self.ran.err);
            let got: Vec<_> = lines.iter().filter(|line| line.contains(": BREACH: ")).collect();
            let expected = match (mode, bare) {
                (Mode::Isolated, _) | (Mode::Bare, Contained) => Some(false),
                (Mode::Bare, Breach) => Some(true),
                // Others than root may or may not.
                (Mode::Bare, AsRoot) => user.is_root().then_some(true),
                (Mode::Bare, Depends) => None,
            };
            if expected.is_some_and(|expected| expected == got.is_empty()) {
                wrong.push(format!("{name}: {lines:#?}"));
            }
        }
        assert!(wrong.is_empty(), "{mode:?}, {user:?}: {}", wrong.join("\n"));
    }
}

/// What attacks must not change.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Outcome {
    rows: Vec<Value>,
    games: Vec<String>,
}

impl Outcome {
    /// What it is for everybody but the attacker.
    pub(super) fn of_others(mut self) -> Self {
        self.rows.retain(|row| row["bot"] != "Attacker");
        self
    }
}

/// The outcome with these isolated bots, which attack nobody. It is the same each time and for each user: a run that was
/// seen once is not played again.
#[track_caller]
pub(super) fn peaceful(canaries: &Canaries, terms: Terms, kind: &str, bots: &str) -> Outcome {
    static KNOWN: Mutex<BTreeMap<String, Arc<OnceLock<Outcome>>>> = Mutex::new(BTreeMap::new());
    let Terms { game, memory, games, memory_mb: _ } = terms;
    let key = format!("{game} {memory} {games} {kind}");
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let outcome = Arc::clone(known.entry(key).or_default());
    drop(known);
    let play = || Held::new(canaries, Mode::Isolated, terms, bots).outcome();
    outcome.get_or_init(play).clone()
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n{}", self.ran.err, self.said.join("\n"))
    }
}
