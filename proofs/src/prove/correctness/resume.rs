//! Runs that are killed at random moments, repeatedly, end with the bytes of an uninterrupted run.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use dicehill_rules::Chance;
use rusqlite::Connection;
use xtask::root;

use crate::figures::Figure;
use crate::prove::shipped;

/// A plain bot, slow enough that its run can be killed.
const BOT: &str = "\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        best = max(message['legal'], key=message['legal'].get)
        print(json.dumps({'id': message['id'], 'category': best}), flush=True)
";

/// Runs of one kind.
struct Kind {
    name: &'static str,
    kills: u64,
    /// The hill file.
    hill: &'static str,
    no_moves: bool,
    /// The longest life of a run after it has begun, in milliseconds.
    longest: u64,
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "house bots",
        kills: 80,
        hill: "game = \"yahtzee\"\nseed = \"s\"\ngames = 150000\n\
            [[bot]]\nname = \"A\"\nhouse = \"aces-and-eights\"\n\
            [[bot]]\nname = \"B\"\nhouse = \"dummy\"\n",
        no_moves: false,
        longest: 120,
    },
    Kind {
        name: "house bots, outcomes only",
        kills: 40,
        hill: "game = \"liars-dice\"\nseed = \"s\"\ngames = 40000\n\
            [[bot]]\nname = \"A\"\nhouse = \"badnomial\"\n\
            [[bot]]\nname = \"B\"\nhouse = \"nobody\"\n\
            [[bot]]\nname = \"C\"\nhouse = \"pirate\"\n",
        no_moves: true,
        longest: 120,
    },
    Kind {
        name: "a bot in Python",
        kills: 50,
        hill: "game = \"yahtzee\"\nseed = \"s\"\ngames = 400\n\
            [[bot]]\nname = \"A\"\ncommand = [\"python3\", \"bot.py\"]\n\
            [[bot]]\nname = \"B\"\nhouse = \"dummy\"\n",
        no_moves: false,
        longest: 500,
    },
    Kind {
        name: "a bot in Python that serves the whole run",
        kills: 30,
        hill: "game = \"yahtzee\"\nseed = \"s\"\ngames = 200\nmemory = \"set\"\n\
            [[bot]]\nname = \"A\"\ncommand = [\"python3\", \"bot.py\"]\n\
            [[bot]]\nname = \"B\"\nhouse = \"dummy\"\n",
        no_moves: false,
        longest: 500,
    },
];

/// The results of the kills.
#[derive(Default)]
struct Tally {
    kills: u64,
    /// Kills of running processes.
    while_running: u64,
    lost: u64,
    duplicated: u64,
    corrupt: u64,
    different_bytes: u64,
    finished_runs: u64,
}

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    shipped::build_dicehill()?;
    let mut tally = Tally::default();
    for (index, kind) in KINDS.iter().enumerate() {
        eprintln!("  {}", kind.name);
        Trial::new(kind, index)?.test(kind, &mut tally)?;
    }
    let figure = |name: &str, value: u64, aim: &str, met: bool| Figure {
        name: name.to_owned(),
        value: value.to_string(),
        interval: format!("{} kills, {} runs to their ends", tally.kills, tally.finished_runs),
        aim: aim.to_owned(),
        met,
    };
    let none = |name: &str, value: u64| figure(name, value, "0", value == 0);
    let half = tally.kills / 2;
    Ok(vec![
        none("games lost by kills at random moments", tally.lost),
        none("games stored twice", tally.duplicated),
        none("stores in which SQLite found something wrong after a kill", tally.corrupt),
        none(
            "runs that ended with other bytes than those of a run that was not killed",
            tally.different_bytes,
        ),
        figure(
            "of the kills, those that hit a run under way",
            tally.while_running,
            &format!("more than {half}"),
            tally.while_running > half,
        ),
    ])
}

struct Trial {
    folder: PathBuf,
    moments: Chance,
    expected: Vec<u8>,
}

impl Trial {
    fn new(kind: &Kind, index: usize) -> Result<Self, Box<dyn Error>> {
        let folder = root().join(format!("target/resume/{index}"));
        let _nothing_there = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("hill.toml"), kind.hill)?;
        fs::write(folder.join("bot.py"), BOT)?;
        let expected =
            dicehill(&folder, &["run", "hill.toml", "--format", "json"]).output()?.stdout;
        Ok(Self { folder, moments: Chance::new(kind.name), expected })
    }

    /// Kills runs until there were enough kills, and resumes each run to its end.
    fn test(&self, kind: &Kind, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
        let store = self.folder.join("hill.db");
        let target = tally.kills + kind.kills;
        while tally.kills < target {
            for end in ["hill.db", "hill.db-wal", "hill.db-shm"] {
                let _not_there = fs::remove_file(self.folder.join(end));
            }
            dicehill(&self.folder, &["hill", "init", "hill.db", "hill.toml"]).output()?;
            let mut add = vec!["hill", "add", "hill.db", "hill.toml"];
            add.extend(kind.no_moves.then_some("--no-moves"));
            self.kill(&add, kind, tally, || Ok(runs(&store)? > 0))?;
            self.check(&store, tally)?;
            while tally.kills < target && !has_ended(&store)? {
                self.kill(&["resume", "hill.db#1"], kind, tally, || Ok(true))?;
                self.check(&store, tally)?;
            }
            let resume = ["resume", "hill.db#1", "--format", "json"];
            let ended = dicehill(&self.folder, &resume).output()?;
            tally.finished_runs += 1;
            tally.different_bytes += u64::from(ended.stdout != self.expected);
            self.check(&store, tally)?;
        }
        fs::remove_dir_all(&self.folder)?;
        Ok(())
    }

    /// Starts a command and kills it at a random moment after `is_under_way`.
    fn kill(
        &self,
        arguments: &[&str],
        kind: &Kind,
        tally: &mut Tally,
        is_under_way: impl Fn() -> Result<bool, Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        tally.kills += 1;
        let life = 20 + self.moments.table_size(tally.kills, kind.longest);
        let mut child = dicehill(&self.folder, arguments).stdout(Stdio::null()).spawn()?;
        while child.try_wait()?.is_none() && !is_under_way()? {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(life));
        tally.while_running += u64::from(child.try_wait()?.is_none());
        child.kill()?;
        child.wait()?;
        Ok(())
    }

    fn check(&self, store: &Path, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
        let database = Connection::open(store)?;
        let integrity: String =
            database.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
        tally.corrupt += u64::from(integrity != "ok");
        let (games, distinct, last): (u64, u64, u64) = database.query_row(
            "SELECT coalesce(sum(last - first + 1), 0), count(DISTINCT first),
                 coalesce(max(last), 0) FROM page",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        let pages: u64 = database.query_row("SELECT count(*) FROM page", [], |row| row.get(0))?;
        tally.duplicated += (pages - distinct) + games.saturating_sub(last);
        tally.lost += last.saturating_sub(games);
        Ok(())
    }
}

fn dicehill(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(shipped::path("dicehill"));
    command.args(arguments).current_dir(folder).stderr(Stdio::null());
    command.stdin(Stdio::null()).env("TMPDIR", folder);
    command
}

fn runs(store: &Path) -> rusqlite::Result<u64> {
    Connection::open(store)?.query_row("SELECT count(*) FROM run", [], |row| row.get(0))
}

fn has_ended(store: &Path) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) > 0 FROM run WHERE result IS NOT NULL";
    Connection::open(store)?.query_row(sql, [], |row| row.get(0))
}
