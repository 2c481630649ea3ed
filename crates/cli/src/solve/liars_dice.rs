//! `dicehill solve liars-dice`: what a round between two is worth, and how it is played.

mod document;
mod excerpt;
mod kept;
mod report;

use std::io::Write;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use dicehill_solver::liars_dice::{Bracket, MatchValue, Round, RoundSolver};
use serde::Serialize;

use self::document::{MatchDocument, RoundDocument};
use self::kept::Kept;
use crate::args::{SolveFormat, SolveLiarsDiceArgs};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::interrupt::stop_flag;
use crate::text::thousands;

/// Iterations before the strategies are certified for the first time; each time after that takes half as many more.
const FIRST_CERTIFIED: u32 = 16;
/// How often what was learnt is written into the folder.
const KEPT_EVERY: Duration = Duration::from_secs(120);
/// Dice on the table of a match.
const MATCH_DICE: u8 = 10;

pub(super) fn solve(args: &SolveLiarsDiceArgs, console: &Console) -> Result<Outcome, Failure> {
    let stop = stop_flag(console)?;
    if args.is_match {
        return solve_match(args, &stop, console);
    }
    let solved = Solved::new(args, args.round()?, &stop, console)?;
    let mut out = console.out();
    match args.format {
        SolveFormat::Text => report::write(&solved, &mut out)?,
        SolveFormat::Json => write_document(&RoundDocument::of(&solved), out.verbatim())?,
    }
    Ok(outcome(&stop))
}

fn solve_match(
    args: &SolveLiarsDiceArgs,
    stop: &Arc<AtomicBool>,
    console: &Console,
) -> Result<Outcome, Failure> {
    let mut rounds = Vec::new();
    for dice in 1..MATCH_DICE {
        let round = Round::new(dice, MATCH_DICE - dice);
        let round = round.map_err(|error| Failure::Usage(error.to_string()))?;
        let solved = Solved::new(args, round, stop, console)?;
        console.tell(format!(
            "  {dice},{}: {}",
            MATCH_DICE - dice,
            report::bracket(solved.bracket())
        ));
        rounds.push(MatchRound::of(&solved));
    }
    let brackets: Vec<_> = rounds.iter().map(|round| round.bracket).collect();
    let value = MatchValue::new(&brackets);
    let mut out = console.out();
    match args.format {
        SolveFormat::Text => report::write_match(&rounds, &value, &mut out)?,
        SolveFormat::Json => write_document(&MatchDocument::of(&rounds, &value), out.verbatim())?,
    }
    Ok(outcome(stop))
}

fn write_document(document: &impl Serialize, out: &mut impl Write) -> Result<(), Failure> {
    let document = serde_json::to_string(document).map_err(std::io::Error::from)?;
    Ok(writeln!(out, "{document}")?)
}

fn outcome(stop: &AtomicBool) -> Outcome {
    if stop.load(Ordering::Relaxed) { Outcome::Interrupted } else { Outcome::Done }
}

/// What is told of a round in a match.
struct MatchRound {
    dice: u8,
    bracket: Bracket,
    seconds: f64,
    iterations: u32,
    bytes: usize,
}

impl MatchRound {
    fn of(solved: &Solved) -> Self {
        Self {
            dice: solved.solver.round().dice(dicehill_solver::liars_dice::Side::Starter),
            bracket: solved.bracket(),
            seconds: solved.seconds,
            iterations: solved.iterations(),
            bytes: solved.bytes(),
        }
    }
}

/// A round as far as it was solved in the time.
struct Solved {
    solver: RoundSolver,
    seconds: f64,
}

impl Solved {
    fn new(
        args: &SolveLiarsDiceArgs,
        round: Round,
        stop: &AtomicBool,
        console: &Console,
    ) -> Result<Self, Failure> {
        let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
        let (time, memory) = (args.time()?, args.memory()?);
        let mut kept =
            args.keep.as_deref().map(|folder| Kept::new(folder, round, console)).transpose()?;
        let solver = RoundSolver::new(round, args.bids, memory).map_err(|error| usage(&error))?;
        let solver = match &kept {
            Some(kept) => kept.take_up(solver, args.bids)?,
            None => solver,
        };
        let mut lesson = Lesson {
            solver,
            begun: Instant::now(),
            time,
            threads: args.jobs.unwrap_or_else(cores),
            last: args.iterations.unwrap_or(u32::MAX),
            stop,
            console,
        };
        lesson.run(&mut kept)?;
        let seconds = lesson.begun.elapsed().as_secs_f64();
        Ok(Self { solver: lesson.solver, seconds })
    }

    fn bracket(&self) -> Bracket {
        self.solver.bracket()
    }

    fn iterations(&self) -> u32 {
        self.solver.learners()[0].iterations()
    }

    fn bytes(&self) -> usize {
        self.solver.learners().iter().map(|learner| learner.tree().bytes()).sum()
    }
}

fn cores() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// A solver at work.
struct Lesson<'a> {
    solver: RoundSolver,
    begun: Instant,
    time: Duration,
    threads: NonZero<usize>,
    last: u32,
    stop: &'a AtomicBool,
    console: &'a Console,
}

impl Lesson<'_> {
    fn run(&mut self, kept: &mut Option<Kept<'_>>) -> Result<(), Failure> {
        let mut written = Instant::now();
        let mut certified = None;
        while !self.is_over() {
            let next = next_certified(self.iterations());
            self.learn_until(next.min(self.last));
            self.solver.certify();
            certified = Some(self.iterations());
            self.tell();
            if let Some(kept) = kept.as_mut().filter(|_| written.elapsed() >= KEPT_EVERY) {
                kept.write(&mut self.solver)?;
                written = Instant::now();
            }
        }
        if certified != Some(self.iterations()) {
            self.solver.certify();
        }
        kept.as_mut().map_or(Ok(()), |kept| kept.write(&mut self.solver))
    }

    fn iterations(&self) -> u32 {
        self.solver.learners()[0].iterations()
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.iterations() >= self.last
            || self.begun.elapsed() >= self.time
    }

    fn learn_until(&mut self, iterations: u32) {
        while self.iterations() < iterations && !self.is_over() {
            self.solver.learn(1, self.threads);
        }
    }

    fn tell(&self) {
        let (iterations, found) = (thousands(self.iterations()), self.solver.bracket());
        let seconds = self.begun.elapsed().as_secs_f64();
        self.console.tell(format!(
            "{seconds:>8.1} s  {iterations:>7} iterations  {}",
            report::bracket(found)
        ));
    }
}

/// When strategies are certified depends on the iterations alone, so that the best of them do too.
fn next_certified(iterations: u32) -> u32 {
    let mut next = FIRST_CERTIFIED;
    while next <= iterations {
        next += next / 2;
    }
    next
}
