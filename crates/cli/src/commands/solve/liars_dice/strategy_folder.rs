//! Saved strategies in a folder, with the state from which solving continues.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use dicehill_solver::liars_dice::{
    CertifiedStrategy, Learner, Round, RoundSolver, Side, SolveRoundError, Strategy, Tree,
};
use dicehill_store::FileError;

use crate::console::Console;
use crate::failure::Failure;
use crate::staging::StagedFiles;
use crate::text::printable;

/// The files of a round.
pub(super) struct StrategyFolder<'a> {
    console: &'a Console,
    folder: PathBuf,
    round: Round,
}

impl<'a> StrategyFolder<'a> {
    pub(super) fn new(folder: &Path, round: Round, console: &'a Console) -> Result<Self, Failure> {
        fs::create_dir_all(folder).map_err(|error| FileError::new(folder, error))?;
        Ok(Self { console, folder: folder.to_owned(), round })
    }

    fn name(&self, what: &str, kind: &str) -> String {
        let [starter, responder] = Side::BOTH.map(|side| self.round.dice(side));
        format!("liars-dice-{starter}-{responder}-{what}.{kind}")
    }

    fn strategy(&self, side: Side) -> String {
        self.name(side.name(), "strategy")
    }

    fn learning(&self, number: usize) -> String {
        self.name(&(number + 1).to_string(), "learning")
    }

    /// The saved solver, or `fresh`. Files that cannot be read are reported, and computed again.
    pub(super) fn load(
        &self,
        fresh: RoundSolver,
        bids: Option<usize>,
    ) -> Result<RoundSolver, Failure> {
        let usage = |error: SolveRoundError| Failure::Usage(error.to_string());
        let limits = RoundSolver::limits(self.round, bids).map_err(usage)?;
        let paths = (0..limits.len()).map(|number| self.folder.join(self.learning(number)));
        let mut learners = Vec::new();
        for (path, limits) in paths.zip(limits).filter(|(path, _)| path.exists()) {
            let tree = Tree::new(self.round, limits);
            let file = File::open(&path).map(BufReader::new);
            match file.and_then(|mut file| Learner::read(tree, &mut file)) {
                Ok(learner) => learners.push(learner),
                Err(error) => self.report_damaged(&path, error),
            }
        }
        let iterations: Vec<_> = learners.iter().map(Learner::iterations).collect();
        let is_whole = learners.len() == fresh.learners().len()
            && iterations.iter().all(|count| *count == iterations[0]);
        let mut solver =
            if is_whole { RoundSolver::with_learners(self.round, learners) } else { fresh };
        Side::BOTH.into_iter().filter_map(|side| self.read(side)).for_each(|certified| {
            solver.add_certified(certified);
        });
        Ok(solver)
    }

    /// A saved strategy, if it guarantees what its file says.
    fn read(&self, side: Side) -> Option<CertifiedStrategy> {
        let path = self.folder.join(self.strategy(side));
        let bytes = fs::read(&path).ok()?;
        let damaged = |error: &dyn std::fmt::Display| {
            self.report_damaged(&path, error);
            None
        };
        let (strategy, guarantee) = match Strategy::from_bytes(&bytes) {
            Ok(read) => read,
            Err(error) => return damaged(&error),
        };
        if strategy.round() != self.round || strategy.side() != side {
            return damaged(&"it belongs to another round or side");
        }
        if strategy.guarantee().to_bits() != guarantee.to_bits() {
            return damaged(&"its guarantee does not hold");
        }
        Some(CertifiedStrategy { strategy, guarantee })
    }

    /// Writes all files, as a whole each.
    pub(super) fn write(&mut self, solver: &mut RoundSolver) -> Result<(), Failure> {
        let target = StagedFiles::new(&self.folder)?;
        let mut names = Vec::new();
        for certified in solver.best().iter().flatten() {
            let CertifiedStrategy { strategy, guarantee } = certified;
            let name = self.strategy(strategy.side());
            write(&target, &name, |file| file.write_all(&strategy.to_bytes(*guarantee)))?;
            names.push(name);
        }
        for (number, learner) in solver.learners_mut().iter_mut().enumerate() {
            let name = self.learning(number);
            write(&target, &name, |file| learner.write(file))?;
            names.push(name);
        }
        Ok(target.keep(&names)?)
    }

    fn report_damaged(&self, path: &Path, error: impl std::fmt::Display) {
        let path = printable(&path.display().to_string());
        self.console.report(format!("{path}: {error}; recomputing it"));
    }
}

fn write(
    target: &StagedFiles,
    name: &str,
    of: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut file = BufWriter::new(target.create(name)?);
    of(&mut file)?;
    Ok(file.flush()?)
}
