//! How exactly and how fast rounds of Liar's Dice between two are solved, compared with OpenSpiel in the same run.

use std::error::Error;
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use dicehill_solver::liars_dice::{
    Bracket, Learner, MatchValue, Round, RoundSolver, Side, Tree, TreeLimits,
};
use xtask::root;

use crate::figures::Figure;
use crate::prove::cpu::{cores, timed};

/// For each number of dice on the table: the required exploitability, and the CPU seconds that it may take.
const REQUIREMENTS: [(u8, f64, f64); 5] =
    [(2, 1e-4, 1.0), (3, 1e-4, 60.0), (4, 1e-3, 120.0), (5, 5e-3, 240.0), (6, 1e-2, 240.0)];
/// CPU seconds for each round with ten dice.
const TEN_DICE_SECONDS: f64 = 90.0;
const MEMORY: usize = 8 << 30;
/// Timed iterations of OpenSpiel, as in its script.
const OPENSPIEL_ITERATIONS: f64 = 20.0;
const OUR_ITERATIONS: u32 = 500;

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut figures = vec![openspiel()?];
    for (dice, aim, seconds) in REQUIREMENTS {
        for starter in 1..dice {
            figures.push(requirement(Round::new(starter, dice - starter)?, aim, seconds)?);
        }
    }
    figures.extend(ten_dice()?);
    Ok(figures)
}

/// The ratio of CPU time per iteration of OpenSpiel's CFR+ to ours, one die each.
fn openspiel() -> Result<Figure, Box<dyn Error>> {
    let script = root().join("crates/solver/tests/solver/liars_dice/openspiel.py");
    let seconds = openspiel_seconds(&script)? / OPENSPIEL_ITERATIONS;
    let mut learner = Learner::new(Tree::new(Round::new(1, 1)?, TreeLimits::NONE));
    learner.learn(10, NonZero::<usize>::MIN);
    let ((), ours) = timed(|| learner.learn(OUR_ITERATIONS, NonZero::<usize>::MIN));
    let ours = ours / f64::from(OUR_ITERATIONS);
    let ratio = seconds / ours;
    let name = format!(
        "one die each: CPU seconds of an iteration of OpenSpiel's CFR+ ({seconds:.3}) by ours ({ours:.6})"
    );
    Ok(figure(name, format!("{ratio:.0}"), "at least 500", ratio >= 500.0))
}

/// CPU seconds of OpenSpiel's iterations. `PYTHON` names an interpreter that has OpenSpiel.
fn openspiel_seconds(script: &Path) -> Result<f64, Box<dyn Error>> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(&python).arg(script).arg("speed").output()?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        let why = why.lines().last().unwrap_or_default();
        let how = "pip install open_spiel==2.0.2, and PYTHON=... names an interpreter that has it";
        return Err(format!("{python} has no OpenSpiel ({why}): {how}").into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().parse()?)
}

/// A round that was solved until it was exact enough or the time was over.
struct SolvedRound {
    bracket: Bracket,
    cpu: f64,
    clock: f64,
    iterations: u32,
    bytes: usize,
}

fn solve(round: Round, aim: f64, seconds: f64) -> Result<SolvedRound, Box<dyn Error>> {
    let threads = NonZero::new(cores()).unwrap_or(NonZero::<usize>::MIN);
    let mut solver = RoundSolver::new(round, None, MEMORY)?;
    let (start, mut cpu, mut next) = (Instant::now(), 0.0, 16);
    while cpu < seconds && solver.bracket().exploitability() > aim {
        let iterations = solver.learners()[0].iterations();
        let step = || {
            solver.learn((next - iterations).min(8), threads);
            if solver.learners()[0].iterations() >= next {
                solver.certify();
                next += next / 4;
            }
        };
        cpu += timed(step).1;
    }
    let ((), last_seconds) = timed(|| {
        solver.certify();
    });
    let bytes = solver.learners().iter().map(|learner| learner.tree().memory_bytes()).sum();
    let [starter, responder] = Side::BOTH.map(|side| round.dice(side));
    eprintln!("  {starter} against {responder} dice: {}", interval(solver.bracket()));
    Ok(SolvedRound {
        bracket: solver.bracket(),
        cpu: cpu + last_seconds,
        clock: start.elapsed().as_secs_f64(),
        iterations: solver.learners()[0].iterations(),
        bytes,
    })
}

/// The first round of a match of ten dice in which the starter has this many.
fn solve_ten_dice(starter: u8) -> Result<SolvedRound, Box<dyn Error>> {
    solve(Round::new(starter, Round::MAX_DICE - starter)?, 0.0, TEN_DICE_SECONDS)
}

fn requirement(round: Round, aim: f64, seconds: f64) -> Result<Figure, Box<dyn Error>> {
    let found = solve(round, aim, seconds)?;
    let exploitability = found.bracket.exploitability();
    let aim_text = format!("at most {aim:e} in {seconds} CPU seconds");
    let met = exploitability <= aim && found.cpu <= 1.1 * seconds;
    Ok(Figure {
        interval: interval(found.bracket),
        ..figure(name(round, &found), format!("{exploitability:.1e}"), &aim_text, met)
    })
}

fn name(round: Round, found: &SolvedRound) -> String {
    let [starter, responder] = Side::BOTH.map(|side| round.dice(side));
    let SolvedRound { cpu, clock, iterations, bytes, .. } = found;
    let mebibytes = *bytes as f64 / f64::from(1 << 20);
    format!(
        "{starter} against {responder} dice: certified exploitability after {iterations} iterations, {cpu:.1} CPU seconds ({clock:.1} s), {mebibytes:.0} MiB"
    )
}

fn interval(bracket: Bracket) -> String {
    format!("value {:+.6} to {:+.6}", bracket.lower, bracket.upper)
}

fn ten_dice() -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut figures = Vec::new();
    let mut brackets = Vec::new();
    for starter in 1..Round::MAX_DICE {
        let found = solve_ten_dice(starter)?;
        let round = Round::new(starter, Round::MAX_DICE - starter)?;
        let value = format!("{:.1e}", found.bracket.exploitability());
        let met = found.bracket.exploitability() < 1.0;
        let interval = interval(found.bracket);
        figures.push(Figure {
            interval,
            ..figure(name(round, &found), value, "a bracket, as narrow as it is", met)
        });
        brackets.push(found.bracket);
    }
    let value = MatchValue::new(&brackets);
    for starter in 1..Round::MAX_DICE {
        let (least, most) = value.starter(starter);
        let name = format!("match of ten dice: chance of who starts with {starter}, %");
        let value = format!("{:.2} to {:.2}", 100.0 * least, 100.0 * most);
        figures.push(figure(name, value, "a bracket, as narrow as it is", least <= most));
    }
    Ok(figures)
}

fn figure(name: String, value: String, aim: &str, met: bool) -> Figure {
    Figure { name, value, interval: "exact".to_owned(), aim: aim.to_owned(), met }
}
