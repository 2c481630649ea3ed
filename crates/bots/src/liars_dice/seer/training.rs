//! How the shipped parameters are made: games whose hands are all known, and what is counted in them.
//!
//! Each generation plays games between the published players, sketches of players ([`sketch`]) and the
//! player itself with what it has learned so far. Of each kind of player the chances of a call are
//! counted, and the likelihoods of hands given a bid are fitted by maximum likelihood ([`fit`]). Of the
//! player itself it is counted what became of bids that were raised over. Games between copies of it tell
//! the chance to win from who has how many dice ([`regression`]).
//!
//! It is a function of its seed and of the number of games alone: games are counted by any number of
//! threads, and summed up in whole numbers.

mod fit;
mod population;
mod practice;
mod regression;
mod sketch;
mod tally;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::population::Population;
use self::practice::Company;
use self::tally::Tally;
use super::parameters::{Parameters, ParametersError, RaisedOvers};

/// For so many games with others there is one between copies.
const COPIES: u64 = 4;

/// How long to train, and by which chance.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// From which all chance follows.
    pub seed: u64,
    /// Games of each generation.
    pub games: u64,
    /// How often the player plays with what it has learned before.
    pub generations: u32,
    /// Threads; at least one is used. They change nothing but the time.
    pub jobs: usize,
}

impl Training {
    /// What the shipped parameters are made with, but for the seed, which is 1.
    #[must_use]
    pub const fn of_seed(seed: u64, jobs: usize) -> Self {
        Self { seed, games: 20_000, generations: 4, jobs }
    }

    /// Trains, and returns the parameters' file.
    ///
    /// # Panics
    /// If there are no games or no generations.
    #[must_use]
    pub fn run(&self, mut progress: impl FnMut(u32)) -> String {
        assert!(self.games > 0 && self.generations > 0, "nothing to learn from: {self:?}");
        let mut parameters = Parameters::untrained(self.seed);
        for generation in 0..self.generations {
            let learned = self.generation(generation, parameters);
            // What is stored has fewer digits: the next generation plays with what could be shipped.
            parameters = Parameters::read(&learned.write()).expect("what was written can be read");
            progress(generation + 1);
        }
        parameters.write()
    }

    /// How many of so many other games of practice, with seats drawn in the same way, a player with the parameters of a file wins. It is
    /// a function of all its arguments.
    ///
    /// # Errors
    /// Says why the file holds no parameters.
    pub fn wins(&self, file: &str, games: u64) -> Result<u64, impl std::error::Error + use<>> {
        let parameters = Parameters::read(file)?;
        let population = Population::new(Arc::new(parameters));
        let seed = format!("seer {} examination", self.seed);
        let training = Self { games, ..*self };
        Ok::<_, ParametersError>(training.play(&population, Company::Mixed, &seed).won)
    }

    fn generation(&self, generation: u32, parameters: Parameters) -> Parameters {
        let before = parameters.raised_over;
        let population = Population::new(Arc::new(parameters));
        let seed = format!("seer {} {generation}", self.seed);
        let tally = self.play(&population, Company::Mixed, &seed);
        let copies = Self { games: self.games.div_ceil(COPIES), ..*self };
        let copies = copies.play(&population, Company::Copies, &format!("{seed} copies"));
        let styles = population.kinds().zip(&tally.kinds);
        let share = 1.0 / tally.kinds.len() as f64;
        let styles = styles.map(|(kind, counts)| fit::style(kind.name(), share, counts));
        let win_chance = regression::win_chance(&copies.starts);
        let raised_over = half_way(before, tally.raised_over());
        Parameters::new(self.seed, raised_over, win_chance, styles.collect())
    }

    /// Counts all games.
    fn play(&self, population: &Population, company: Company, seed: &str) -> Tally {
        let jobs = self.jobs.max(1) as u64;
        let part = |job: u64| {
            let mut tally = Tally::new(population.kinds().len());
            for game in (1 + job..=self.games).step_by(jobs as usize) {
                let won = practice::play(population, company, (seed, game), &mut tally);
                tally.won += u64::from(won);
            }
            tally
        };
        std::thread::scope(|scope| {
            let parts: Vec<_> = (0..jobs).map(|job| scope.spawn(move || part(job))).collect();
            let mut all = Tally::new(population.kinds().len());
            for thread in parts {
                all.add(&thread.join().expect("no game panics"));
            }
            all
        })
    }
}

/// What becomes of bids depends on how the player bids, and that on this: with half steps the two settle.
fn half_way(mut before: RaisedOvers, now: RaisedOvers) -> RaisedOvers {
    let classes = before.as_flattened_mut().iter_mut().zip(now.as_flattened());
    for (before, now) in classes {
        before.gains = f64::midpoint(before.gains, now.gains);
        before.losses = f64::midpoint(before.losses, now.losses);
    }
    before
}
