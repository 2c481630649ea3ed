//! Solves a round of Liar's Dice.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dicehill_solver::liars_dice::{Round, RoundSolver};

use super::report::bracket_text;
use super::solved_round::SolvedRound;
use super::strategy_folder::StrategyFolder;
use crate::args::SolveLiarsDiceArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::text::thousands;
use crate::threads::threads;

/// How often the progress is saved.
const SAVED_EVERY: Duration = Duration::from_secs(120);
/// Solves a round as the command line says.
pub(super) fn solve_round(
    args: &SolveLiarsDiceArgs,
    round: Round,
    stop: &AtomicBool,
    console: &Console,
) -> Result<SolvedRound, Failure> {
    let mut folder =
        args.keep.as_deref().map(|path| StrategyFolder::new(path, round, console)).transpose()?;
    let solver = RoundSolver::new(round, args.bids, args.memory_bytes)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let solver = match &folder {
        Some(folder) => folder.load(solver, args.bids)?,
        None => solver,
    };
    let mut run = SolverRun {
        solver,
        begun: Instant::now(),
        time: args.time,
        threads: args.jobs.unwrap_or_else(threads),
        last: args.iterations.unwrap_or(u32::MAX),
        stop,
        console,
    };
    run.run(&mut folder)?;
    let seconds = run.begun.elapsed().as_secs_f64();
    Ok(SolvedRound { solver: run.solver, seconds })
}

/// Solves a round until the time or the iterations are used up, or the user interrupts it.
struct SolverRun<'a> {
    solver: RoundSolver,
    begun: Instant,
    time: Duration,
    threads: NonZero<usize>,
    last: u32,
    stop: &'a AtomicBool,
    console: &'a Console,
}

impl SolverRun<'_> {
    fn run(&mut self, folder: &mut Option<StrategyFolder<'_>>) -> Result<(), Failure> {
        let mut written = Instant::now();
        let mut certified = None;
        while !self.is_over() {
            let next = self.solver.next_certified();
            self.learn_until(next.min(self.last));
            self.solver.certify();
            certified = Some(self.iterations());
            self.report();
            if let Some(folder) = folder.as_mut().filter(|_| written.elapsed() >= SAVED_EVERY) {
                folder.write(&mut self.solver)?;
                written = Instant::now();
            }
        }
        if certified != Some(self.iterations()) {
            self.solver.certify();
        }
        folder.as_mut().map_or(Ok(()), |folder| folder.write(&mut self.solver))
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

    fn report(&self) {
        let (iterations, found) = (thousands(self.iterations()), self.solver.bracket());
        let seconds = self.begun.elapsed().as_secs_f64();
        self.console.report(format!(
            "{seconds:>8.1} s  {iterations:>7} iterations  {}",
            bracket_text(found)
        ));
    }
}
