//! The blueprints: as they are shipped, and how they are learnt.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::{iter, thread};

use dicehill_solver::liars_dice::{Blueprint, ReadBlueprintError, Rehearsal, Round};

/// Of each round in turn, by the starter's dice, the length of its blueprint (little-endian) and the blueprint.
const SHIPPED: &[u8] = include_bytes!("blueprints.bin");
/// Divisions of the dice.
const ROUNDS: usize = Round::MOST_DICE as usize - 1;

/// What `duelist` plays in the round that is started with so many of ten dice. It is read when it is first wanted.
///
/// # Panics
/// If nobody starts with so many: they are 1 to 9.
pub fn duelist_blueprint(starter: u8) -> &'static Blueprint {
    static READ: [OnceLock<Blueprint>; ROUNDS] = [const { OnceLock::new() }; ROUNDS];
    let place = usize::from(starter) - 1;
    READ[place].get_or_init(|| {
        let bytes = split(SHIPPED).nth(place).expect("one for each round");
        Blueprint::from_bytes(bytes).expect("what is shipped was tested")
    })
}

/// The parts of a file.
fn split(mut file: &[u8]) -> impl Iterator<Item = &[u8]> {
    iter::from_fn(move || {
        let (length, rest) = file.split_first_chunk()?;
        let (part, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        file = rest;
        Some(part)
    })
}

/// How long to learn. There is no chance in it: the same numbers make the same file on every machine.
#[derive(Clone, Copy, Debug)]
pub struct DuelistTraining {
    /// How often both players of each round learn.
    pub iterations: u32,
    /// Threads; at least one is used. They change nothing but the time.
    pub jobs: usize,
}

impl DuelistTraining {
    /// What the shipped file is made with.
    #[must_use]
    pub const fn new(jobs: usize) -> Self {
        Self { iterations: 140, jobs }
    }

    /// Learns all rounds of ten dice, and returns the file. `progress` hears of each round that is done the starter's dice, what the
    /// starter gets on average, -1 to 1, and the bytes.
    pub fn run(&self, progress: impl Fn(u8, f64, usize) + Sync) -> Vec<u8> {
        // Those that take longest come first.
        let left = Mutex::new((1..Round::MOST_DICE).collect::<Vec<_>>());
        let done = Mutex::new(vec![Vec::new(); ROUNDS]);
        let take = || left.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let work = || {
            while let Some(starter) = take() {
                let (blueprint, value) = self.learn(starter);
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

    fn learn(&self, starter: u8) -> (Blueprint, f64) {
        let round = Round::new(starter, Round::MOST_DICE - starter).expect("ten dice");
        let mut rehearsal = Rehearsal::new(round);
        let value = (0..self.iterations).fold(0.0, |_, _| rehearsal.learn());
        (rehearsal.blueprint(), value)
    }

    /// Checks that a file has a blueprint of each round.
    ///
    /// # Errors
    /// Says what is wrong with the first that cannot be played.
    pub fn check(file: &[u8]) -> Result<(), ReadBlueprintError> {
        let missing = ReadBlueprintError::Meaning("a round is missing");
        let mut parts = split(file);
        for starter in 1..Round::MOST_DICE {
            let read = Blueprint::from_bytes(parts.next().ok_or(missing)?)?;
            if read.round() != Round::new(starter, Round::MOST_DICE - starter).expect("ten dice") {
                return Err(missing);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use dicehill_solver::liars_dice::Exploiter;

    use super::{DuelistTraining, SHIPPED, duelist_blueprint, split};

    #[test]
    fn what_is_shipped_can_be_played() {
        assert_eq!(DuelistTraining::check(SHIPPED), Ok(()));
        let length: usize = split(SHIPPED).map(|part| part.len() + 4).sum();
        assert_eq!(length, SHIPPED.len(), "nothing is left over");
    }

    /// `most` is between what a player gains that knows the blueprint and what it gained when rare actions were left out.
    #[track_caller]
    fn check_gain(starter: u8, most: f64) {
        let blueprint = duelist_blueprint(starter);
        let mut exploiter = Exploiter::new(blueprint);
        exploiter.learn(8);
        let answers = exploiter.answers();
        let gain = f64::midpoint(answers.payoff(blueprint), -blueprint.payoff(&answers));
        assert!((0.0..most).contains(&gain), "{starter} dice begin: {gain}");
    }

    #[test]
    fn a_player_that_knows_it_gains_little_with_five_dice_each() {
        check_gain(5, 0.1);
    }

    #[test]
    fn a_player_that_knows_it_gains_little_with_one_die() {
        check_gain(9, 0.15);
    }

    #[test]
    fn a_file_with_a_round_too_few_is_refused() {
        let last = split(SHIPPED).last().expect("nine rounds").len() + 4;
        assert!(DuelistTraining::check(&SHIPPED[..SHIPPED.len() - last]).is_err());
        assert!(DuelistTraining::check(&[]).is_err());
    }

    #[test]
    fn threads_change_nothing() {
        let training = DuelistTraining { iterations: 1, jobs: 3 };
        let file = training.run(|_, _, _| ());
        let alone = training.learn(6).0.to_bytes();
        assert!(split(&file).nth(5) == Some(&alone[..]));
        assert_eq!(DuelistTraining::check(&file), Ok(()));
    }
}
