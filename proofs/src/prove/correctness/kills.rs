//! Kills the arena at random moments and looks for processes that its bots have left.

use std::error::Error;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dicehill_rules::Chance;
use xtask::root;

use crate::figures::Figure;
use crate::prove::shipped;

/// How often the arena is killed.
const KILLS: u64 = 100;
/// The longest life of an arena, in milliseconds.
const LONGEST: u64 = 1500;
/// How long processes may take to end after the kill.
const PATIENCE: Duration = Duration::from_secs(5);
/// A bot that plays, with a grandchild in its own session that would survive the bot.
const BOT: &str = "\
import json, os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        best = max(message['legal'], key=message['legal'].get)
        print(json.dumps({'id': message['id'], 'category': best}), flush=True)
";

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    shipped::build_dicehill()?;
    let folder = root().join("target/kills");
    fs::create_dir_all(&folder)?;
    let marker = format!("to-be-killed-{}.py", std::process::id());
    fs::write(folder.join(&marker), BOT)?;
    let mut left_behind = 0;
    let mut seen_running = 0;
    let moments = Chance::new("kills");
    for kill in 1..=KILLS {
        let mut arena = Command::new(shipped::path("dicehill"))
            .args(["run", "yahtzee", &marker, &marker, "dummy", "--games", "1000000"])
            .current_dir(&folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        std::thread::sleep(Duration::from_millis(moments.table_size(kill, LONGEST)));
        seen_running += u64::from(!processes(&marker)?.is_empty());
        arena.kill()?;
        arena.wait()?;
        left_behind += u64::from(!all_end(&marker)?);
    }
    Ok(vec![
        Figure {
            name: format!(
                "arenas killed at random moments of which a process was left, of {KILLS}"
            ),
            value: left_behind.to_string(),
            interval: format!("within {} s", PATIENCE.as_secs()),
            aim: "0".to_owned(),
            met: left_behind == 0,
        },
        Figure {
            name: "of them, arenas whose bots were seen running at the kill".to_owned(),
            value: seen_running.to_string(),
            interval: "exact".to_owned(),
            aim: format!("more than {}", KILLS / 2),
            met: seen_running > KILLS / 2,
        },
    ])
}

fn all_end(marker: &str) -> Result<bool, Box<dyn Error>> {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        if processes(marker)?.is_empty() {
            return Ok(true);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(false)
}

/// The processes whose command line contains the marker, except for the arena itself.
fn processes(marker: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc")? {
        // The process may have ended meanwhile.
        let Ok(command) = fs::read(entry?.path().join("cmdline")) else { continue };
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        if command.contains(marker) && !command.contains("1000000") {
            found.push(command);
        }
    }
    Ok(found)
}
