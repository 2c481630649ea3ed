//! The training of the shipped parameters, from games whose hands are all known.
//!
//! Each generation plays games between the published players, synthetic players ([`synthetic_player`]) and the bot itself with the
//! parameters of the generation before. For each kind of player, the frequencies of calls are counted and the likelihoods of hands
//! given a bid are fitted by maximum likelihood ([`fit`]). For the bot itself, the outcomes of bids that were raised over are counted.
//! Games between copies of the bot give the win probability at the start of a round ([`regression`]).
//!
//! The result is a function of the seed and of the number of games alone: counts are whole numbers, so that their sums do not depend
//! on the number of threads.

mod fit;
mod population;
mod regression;
mod synthetic_player;
#[cfg(test)]
mod tests;
mod training_counts;
mod training_game;

use std::sync::Arc;

use self::population::Population;
use self::training_counts::TrainingCounts;
use self::training_game::OpponentSet;
use crate::liars_dice::seer::model::ParameterFileError;
use crate::liars_dice::seer::model::parameters::{Parameters, RaiseOutcomes};

/// One game between copies for this many games with other players.
const GAMES_PER_GAME_OF_COPIES: u64 = 4;

/// The training of `seer`: its length and its seed.
#[derive(Clone, Copy, Debug)]
pub struct SeerTraining {
    /// The seed of all games.
    pub seed: u64,
    /// Games in each generation.
    pub games: u64,
    /// Number of generations.
    pub generations: u32,
    /// Number of threads, at least one. They do not affect the result.
    pub jobs: usize,
}

impl SeerTraining {
    /// The settings of the shipped parameters, whose seed is 1.
    #[must_use]
    pub const fn with_seed(seed: u64, jobs: usize) -> Self {
        Self { seed, games: 20_000, generations: 4, jobs }
    }

    /// Trains and returns the parameter file. `progress` is called with the number of generations done.
    ///
    /// # Panics
    /// If there are no games or no generations.
    #[must_use]
    pub fn run(&self, mut progress: impl FnMut(u32)) -> String {
        assert!(self.games > 0 && self.generations > 0, "nothing to learn from: {self:?}");
        let mut parameters = Parameters::untrained(self.seed);
        for generation in 0..self.generations {
            let learned = self.generation(generation, parameters);
            // Through the file, which has fewer digits: each generation plays with parameters that could be shipped.
            parameters = Parameters::read(&learned.write()).expect("what was written can be read");
            progress(generation + 1);
        }
        parameters.write()
    }

    /// The number of wins, out of `games` evaluation games, of a bot with the parameters of a file. The games have seeds of their own
    /// and are seated as in training. The result is a function of the arguments.
    ///
    /// # Errors
    /// Says why the file holds no parameters.
    pub fn count_wins(
        &self,
        file: &str,
        games: u64,
    ) -> Result<u64, impl std::error::Error + use<>> {
        let parameters = Parameters::read(file)?;
        let population = Population::new(Arc::new(parameters));
        let seed = format!("seer {} examination", self.seed);
        let training = Self { games, ..*self };
        Ok::<_, ParameterFileError>(training.play(&population, OpponentSet::Mixed, &seed).won)
    }

    fn generation(&self, generation: u32, parameters: Parameters) -> Parameters {
        let before = parameters.raise_outcomes;
        let population = Population::new(Arc::new(parameters));
        let seed = format!("seer {} {generation}", self.seed);
        let counts = self.play(&population, OpponentSet::Mixed, &seed);
        let copies = Self { games: self.games.div_ceil(GAMES_PER_GAME_OF_COPIES), ..*self };
        let copies = copies.play(&population, OpponentSet::Copies, &format!("{seed} copies"));
        let styles = population.kinds().zip(&counts.kinds);
        let share = 1.0 / counts.kinds.len() as f64;
        let styles = styles.map(|(kind, counts)| fit::fit_style(kind.name(), share, counts));
        let win_probability = regression::fit_win_probability(&copies.starts);
        let raise_outcomes = average_outcomes(before, counts.raise_outcomes());
        Parameters::new(self.seed, raise_outcomes, win_probability, styles.collect())
    }

    /// Plays all games and sums up their counts.
    fn play(&self, population: &Population, opponents: OpponentSet, seed: &str) -> TrainingCounts {
        let jobs = self.jobs.max(1) as u64;
        let part = |job: u64| {
            let mut counts = TrainingCounts::new(population.kinds().len());
            for game in (1 + job..=self.games).step_by(jobs as usize) {
                let won = training_game::play(population, opponents, (seed, game), &mut counts);
                counts.won += u64::from(won);
            }
            counts
        };
        std::thread::scope(|scope| {
            let parts: Vec<_> = (0..jobs).map(|job| scope.spawn(move || part(job))).collect();
            let mut all = TrainingCounts::new(population.kinds().len());
            for thread in parts {
                all.add(&thread.join().expect("no game panics"));
            }
            all
        })
    }
}

/// The mean of old and new outcomes: outcomes depend on how the bot bids, and its bids on them, so that half steps are needed to converge.
fn average_outcomes(mut before: RaiseOutcomes, now: RaiseOutcomes) -> RaiseOutcomes {
    let outcomes = before.as_flattened_mut().iter_mut().zip(now.as_flattened());
    for (before, now) in outcomes {
        before.gains = f64::midpoint(before.gains, now.gains);
        before.losses = f64::midpoint(before.losses, now.losses);
    }
    before
}
