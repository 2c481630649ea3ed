//! The training of the blueprints.

use std::sync::{Mutex, PoisonError};
use std::thread;

use dicehill_solver::liars_dice::{Blueprint, BlueprintTrainer, ReadBlueprintError, Round};

use super::blueprints::{ROUNDS, split};

/// The training of `duelist`. It is deterministic: the same settings give the same file on every machine.
#[derive(Clone, Copy, Debug)]
pub struct DuelistTraining {
    /// Iterations for each round.
    pub iterations: u32,
    /// Number of threads, at least one. They do not affect the result.
    pub jobs: usize,
}

impl DuelistTraining {
    /// The settings of the shipped file.
    #[must_use]
    pub const fn new(jobs: usize) -> Self {
        Self { iterations: 140, jobs }
    }

    /// Trains the blueprints of all rounds of ten dice and returns the file. After each round, `progress` is called with the starter's
    /// dice, the starter's mean payoff (-1 to 1) and the length of the blueprint in bytes.
    pub fn run(&self, progress: impl Fn(u8, f64, usize) + Sync) -> Vec<u8> {
        // The longest rounds first.
        let left = Mutex::new((1..Round::MAX_DICE).collect::<Vec<_>>());
        let done = Mutex::new(vec![Vec::new(); ROUNDS]);
        let take = || left.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let work = || {
            while let Some(starter) = take() {
                let (blueprint, value) = self.train(starter);
                let bytes = blueprint.to_bytes();
                progress(starter, value, bytes.len());
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                done[usize::from(starter) - 1] = bytes;
            }
        };
        thread::scope(|scope| {
            (0..self.jobs.clamp(1, ROUNDS)).for_each(|_| {
                scope.spawn(work);
            });
        });
        let parts = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        let length = |part: &[u8]| (part.len() as u32).to_le_bytes();
        parts.iter().flat_map(|part| [&length(part)[..], part].concat()).collect()
    }

    fn train(&self, starter: u8) -> (Blueprint, f64) {
        let round = Round::new(starter, Round::MAX_DICE - starter).expect("ten dice");
        let mut trainer = BlueprintTrainer::new(round);
        let value = (0..self.iterations).fold(0.0, |_, _| trainer.learn());
        (trainer.blueprint(), value)
    }

    /// Checks that a file has a blueprint for each round.
    ///
    /// # Errors
    /// Says what is wrong with the first invalid blueprint.
    pub fn check(file: &[u8]) -> Result<(), ReadBlueprintError> {
        let missing = ReadBlueprintError::Meaning("a round is missing");
        let mut parts = split(file);
        for starter in 1..Round::MAX_DICE {
            let read = Blueprint::from_bytes(parts.next().ok_or(missing)?)?;
            if read.round() != Round::new(starter, Round::MAX_DICE - starter).expect("ten dice") {
                return Err(missing);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::DuelistTraining;
    use crate::liars_dice::duelist::blueprints::{SHIPPED, split};

    #[test]
    fn the_shipped_file_is_valid() {
        assert_eq!(DuelistTraining::check(SHIPPED), Ok(()));
        let length: usize = split(SHIPPED).map(|part| part.len() + 4).sum();
        assert_eq!(length, SHIPPED.len(), "the blueprints are the whole file");
    }

    #[test]
    fn a_file_without_a_round_is_refused() {
        let last = split(SHIPPED).last().expect("nine rounds").len() + 4;
        assert!(DuelistTraining::check(&SHIPPED[..SHIPPED.len() - last]).is_err());
        assert!(DuelistTraining::check(&[]).is_err());
    }

    #[test]
    fn the_result_does_not_depend_on_the_number_of_threads() {
        let training = DuelistTraining { iterations: 1, jobs: 3 };
        let file = training.run(|_, _, _| ());
        let alone = training.train(6).0.to_bytes();
        assert!(split(&file).nth(5) == Some(&alone[..]));
        assert_eq!(DuelistTraining::check(&file), Ok(()));
    }
}
