//! Runs with an attacker, and their results.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::canaries::{Canaries, SECRET, VARIABLE};
use super::table::UnsandboxedOutcome::{AsRoot, Breach, Contained, Depends};
use super::table::{Attack, AttackSettings, LEAVE};
use crate::support::external::bot;
use crate::support::user::{Isolation, User};
use crate::support::{CommandOutput, hill};

/// A finished run.
pub(super) struct AttackRun {
    output: CommandOutput,
    pub(super) took: Duration,
    /// Null if the run was not finished, which bots without isolation can cause.
    document: Value,
    /// The log lines of the counting games.
    games: Vec<String>,
    /// The attacker's reports.
    reports: Vec<String>,
}

impl AttackRun {
    /// Plays a hill of three house bots, an honest external bot, and this attacker, if any.
    #[track_caller]
    pub(super) fn new(
        canaries: &Canaries,
        isolation: Isolation,
        settings: AttackSettings,
        attacker: &str,
    ) -> Self {
        let AttackSettings { game, memory, games, memory_mb } = settings;
        let keys = format!(
            "game = \"{game}\"\ngames = {games}\nseed = \"s\"\nopen_seed = true\nmemory = \"{memory}\"\n[limits]\n\
             start_ms = 120000\nmove_ms = 120000\nmemory_mb = {memory_mb}"
        );
        let house = match game {
            "yahtzee" => ["greedy", "random", "aces-and-eights"],
            _ => ["pirate", "random", "straight-shooter"],
        };
        let house = hill(&keys, &house);
        // Its second file may be read, and must not be readable for other bots.
        let honest = bot("Honest", &["./bot/honest", "none", &canaries.text("bot/plain.py")]);
        let scratch = &canaries.scratch;
        // The attacker comes last, so that the others are already running when it starts.
        scratch.write("hill.toml", format!("# {SECRET}\n{house}{honest}{attacker}"));
        for old in ["logs", "log"] {
            let path = scratch.path(old);
            let _none_yet = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
        }
        let run = ["run", "hill.toml", "--jobs", "1", "--format", "json", "--logs", "logs"];
        let mut command = Command::new(scratch.path("dicehill"));
        command.args(run).args(["--out", "log"]).args(isolation.arguments());
        command.current_dir(scratch.path("")).env(VARIABLE, SECRET);
        command.env("HOME", scratch.path("home")).env("XDG_CACHE_HOME", scratch.path("cache"));
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").stdin(Stdio::null());
        canaries.user.apply_to(&mut command);
        let began = Instant::now();
        let output = CommandOutput::from(command.output().expect("the command starts"));
        let took = began.elapsed();
        let document: Value = serde_json::from_str(&output.out).unwrap_or_default();
        assert!(isolation == Isolation::Off || !document.is_null(), "{attacker}: {}", output.err);
        let log = fs::read_to_string(scratch.path("log")).unwrap_or_default();
        let lines = |text: &str, begin| -> Vec<String> {
            text.lines().filter(|line| line.starts_with(begin)).map(str::to_owned).collect()
        };
        let reports = ["Accomplice", "Attacker"].map(|name| {
            let reports = fs::read(scratch.path(&format!("logs/{name}.log"))).unwrap_or_default();
            String::from_utf8_lossy(&reports).into_owned()
        });
        let reports = reports.concat();
        assert!(!reports.contains("mistake in "), "{reports}");
        let reports = lines(&reports, "attack ");
        let counting = log.rsplit("{\"type\":\"barred\"").next().expect("there is a last part");
        Self { games: lines(counting, "{\"type\":\"game\""), output, took, document, reports }
    }

    /// The standings without the bots' hashes, and the games.
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

    /// Expects of each attack what the attacker should have reported.
    #[track_caller]
    pub(super) fn check_attacks(&self, attacks: &[Attack], isolation: Isolation, user: User) {
        let mut wrong = Vec::new();
        // Only a bot with a single attack may be ended by it; the others have to report every attack.
        let is_one = attacks.iter().filter(|attack| **attack != LEAVE).count() == 1;
        let has_ended = self.barred().is_some() && is_one;
        for (name, outcome) in attacks {
            let begin = format!("attack {name}: ");
            let lines: Vec<_> =
                self.reports.iter().filter(|line| line.starts_with(&begin)).collect();
            assert!(has_ended || !lines.is_empty(), "{name} was not tried: {}", self.output.err);
            let breaches: Vec<_> =
                lines.iter().filter(|line| line.contains(": BREACH: ")).collect();
            let expected = match (isolation, outcome) {
                (Isolation::On, _) | (Isolation::Off, Contained) => Some(false),
                (Isolation::Off, Breach) => Some(true),
                // Users other than root may or may not succeed.
                (Isolation::Off, AsRoot) => user.is_root().then_some(true),
                (Isolation::Off, Depends) => None,
            };
            if expected.is_some_and(|expected| expected == breaches.is_empty()) {
                wrong.push(format!("{name}: {lines:#?}"));
            }
        }
        assert!(wrong.is_empty(), "{isolation:?}, {user:?}: {}", wrong.join("\n"));
    }
}

/// What attacks must not change.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Outcome {
    rows: Vec<Value>,
    games: Vec<String>,
}

impl Outcome {
    /// The outcome for the other bots.
    pub(super) fn without_attacker(mut self) -> Self {
        self.rows.retain(|row| row["bot"] != "Attacker");
        self
    }
}

/// The outcome of a run with these isolated bots without attacks. It is the same each time and for each user, so that
/// it is played once.
#[track_caller]
pub(super) fn outcome_without_attacks(
    canaries: &Canaries,
    settings: AttackSettings,
    kind: &str,
    bots: &str,
) -> Outcome {
    static KNOWN: Mutex<BTreeMap<String, Arc<OnceLock<Outcome>>>> = Mutex::new(BTreeMap::new());
    let AttackSettings { game, memory, games, memory_mb: _ } = settings;
    let key = format!("{game} {memory} {games} {kind}");
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let outcome = Arc::clone(known.entry(key).or_default());
    drop(known);
    let play = || AttackRun::new(canaries, Isolation::On, settings, bots).outcome();
    outcome.get_or_init(play).clone()
}

impl std::fmt::Debug for AttackRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n{}", self.output.err, self.reports.join("\n"))
    }
}
