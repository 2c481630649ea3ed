//! `dicehill solve`: what optimal play comes to.

mod document;
mod histogram;
mod liars_dice;
mod plot;
mod report;

use std::io::Write;
use std::num::NonZero;
use std::path::Path;
use std::thread;
use std::time::Instant;

use dicehill_solver::yahtzee::{Distribution, Solution, Variant};
use dicehill_store::FileError;

use self::document::SolutionDocument;
use crate::args::{SolveCommand, SolveFormat, SolveYahtzeeArgs};
use crate::console::Console;
use crate::export::target::Target;
use crate::failure::{Failure, Outcome};

pub(crate) fn solve(command: &SolveCommand, console: &Console) -> Result<Outcome, Failure> {
    match command {
        SolveCommand::Yahtzee(args) => solve_yahtzee(args, console),
        SolveCommand::LiarsDice(args) => liars_dice::solve(args, console),
    }
}

/// A game that has been solved, and how long it took.
struct Solved {
    rules: Variant,
    start: f64,
    distribution: Distribution,
    solution_seconds: f64,
    distribution_seconds: f64,
}

impl Solved {
    fn new(rules: Variant) -> Self {
        let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let begun = Instant::now();
        let solution = Solution::new(rules, threads);
        let solution_seconds = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let distribution = Distribution::new(&solution, threads);
        let distribution_seconds = begun.elapsed().as_secs_f64();
        let start = solution.start();
        Self { rules, start, distribution, solution_seconds, distribution_seconds }
    }
}

fn solve_yahtzee(args: &SolveYahtzeeArgs, console: &Console) -> Result<Outcome, Failure> {
    let solved = Solved::new(args.rules());
    if let Some(path) = &args.plot {
        write_plot(&solved, path)?;
    }
    let mut out = console.out();
    match args.format {
        SolveFormat::Text => report::write(&solved, &mut out)?,
        SolveFormat::Json => {
            let document = serde_json::to_string(&SolutionDocument::of(&solved));
            writeln!(out.verbatim(), "{}", document.map_err(std::io::Error::from)?)?;
        }
    }
    Ok(Outcome::Done)
}

/// Writes the picture as a whole, or not at all.
fn write_plot(solved: &Solved, path: &Path) -> Result<(), Failure> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.filter(|name| name.to_ascii_lowercase().ends_with(".svg"));
    let name = name.ok_or_else(|| FileError::new(path, "--plot draws .svg files"))?;
    let picture = plot::draw(solved).map_err(|error| FileError::new(path, error))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let target = Target::new(folder.unwrap_or(Path::new(".")))?;
    target.create(name)?.write_all(picture.as_bytes())?;
    Ok(target.keep(&[name.to_owned()])?)
}
