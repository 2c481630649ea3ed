//! The cost of storing a run of house bots at full speed, and the time to open a large hill.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use dicehill_arena::{Hill, Jobs, MAX_PLAY_OFFS, RunOptions, TournamentGame, run};
use dicehill_bots::{HouseBot, liars_dice_bots, yahtzee_bots};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{HillSettings, HillStore};
use xtask::root;

use crate::figures::Figure;
use crate::prove::cpu::timed;
use crate::prove::hills;
use crate::prove::shipped;

/// Repeats of each run; the median counts.
const REPEATS: usize = 9;

/// Which records of a run are stored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stored {
    Nothing,
    Outcomes,
    Moves,
    /// Moves, and the most remarkable games: what the command stores of a run of a hill.
    Highlights,
}

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    let pair = ["aces-and-eights", "dummy"];
    let four = ["badnomial", "nobody", "pirate", "straight-shooter"];
    let two = || challenge::<Yahtzee>(yahtzee_bots().into(), &pair, 200_000);
    let mut figures = costs("aces-and-eights v dummy", two)?;
    let set = || challenge::<LiarsDice>(liars_dice_bots().into(), &four, 60_000);
    figures.extend(costs("four published bots at Liar's Dice", set)?);
    figures.push(opening()?);
    Ok(figures)
}

fn challenge<G: TournamentGame>(bots: Vec<HouseBot<G>>, names: &[&str], games: i64) -> Hill<G> {
    Hill::new(hills::challenge(bots, names, games)).expect("a hill that can be played")
}

/// The share of the throughput lost, by the CPU time of the same games.
fn costs<G: TournamentGame>(
    name: &str,
    hill: impl Fn() -> Hill<G>,
) -> Result<Vec<Figure>, Box<dyn Error>> {
    let (plain, highlighted) = (hill(), hill().with_highlights());
    let kinds =
        [(Stored::Moves, &plain), (Stored::Outcomes, &plain), (Stored::Highlights, &highlighted)];
    let mut shares = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..REPEATS {
        let bare = cpu_seconds(&plain, Stored::Nothing)?;
        for ((stored, hill), shares) in kinds.into_iter().zip(&mut shares) {
            shares.push(100.0 * (1.0 - bare / cpu_seconds(hill, stored)?));
        }
    }
    let figure = |what: &str, aim: f64, mut shares: Vec<f64>| {
        shares.sort_by(f64::total_cmp);
        let median = shares[REPEATS / 2];
        Figure {
            name: format!("{name}, throughput lost by storing {what}, percent"),
            value: format!("{median:.1}"),
            interval: format!("{:.1} - {:.1} in {REPEATS} repeats", shares[0], shares[REPEATS - 1]),
            aim: format!("at most {aim}"),
            met: median <= aim,
        }
    };
    let [moves, outcomes, highlights] = shares;
    Ok(vec![
        figure("moves", 25.0, moves),
        figure("outcomes", 10.0, outcomes),
        figure("moves and the most remarkable games", 25.0, highlights),
    ])
}

fn cpu_seconds<G: TournamentGame>(hill: &Hill<G>, stored: Stored) -> Result<f64, Box<dyn Error>> {
    let folder = root().join("target/store");
    let (played, seconds) = timed(|| play(hill, &folder, stored));
    played.map(|()| seconds)
}

/// Plays a hill into a new store.
fn play<G: TournamentGame>(
    hill: &Hill<G>,
    folder: &Path,
    stored: Stored,
) -> Result<(), Box<dyn Error>> {
    let _nothing_there = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder)?;
    let record = HillSettings::from_hill(hill, None);
    let writer = match stored {
        Stored::Nothing => None,
        Stored::Outcomes | Stored::Moves | Stored::Highlights => {
            let store = HillStore::create(&folder.join("hill.db"), &record)?;
            Some(store.begin_run(Vec::new(), stored != Stored::Outcomes)?)
        }
    };
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let options = RunOptions {
        jobs: Jobs::Exactly(jobs),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    run(hill, options, &mut |event| match &writer {
        Some(writer) => writer.write(&event),
        None => Ok(()),
    })?;
    Ok(())
}

/// The time to open a hill of a million games and show its board.
fn opening() -> Result<Figure, Box<dyn Error>> {
    let bots =
        challenge::<Yahtzee>(yahtzee_bots().into(), &["aces-and-eights", "dummy"], 1_000_000);
    let folder = root().join("target/store");
    play(&bots, &folder, Stored::Moves)?;
    let program = shipped::path("dicehill");
    shipped::build_dicehill()?;
    let mut seconds = Vec::new();
    for _ in 0..REPEATS {
        let start = Instant::now();
        let output = std::process::Command::new(&program)
            .args(["hill", "show", "hill.db"])
            .current_dir(&folder)
            .output()?;
        seconds.push(start.elapsed().as_secs_f64());
        if !String::from_utf8_lossy(&output.stdout).contains("aces-and-eights") {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
    }
    seconds.sort_by(f64::total_cmp);
    std::fs::remove_dir_all(&folder)?;
    Ok(Figure {
        name: "opening a hill of 1,000,000 games and showing its board, seconds".to_owned(),
        value: format!("{:.3}", seconds[REPEATS / 2]),
        interval: format!("{:.3} - {:.3} in {REPEATS} repeats", seconds[0], seconds[REPEATS - 1]),
        aim: "under 1".to_owned(),
        met: seconds[REPEATS / 2] < 1.0,
    })
}
