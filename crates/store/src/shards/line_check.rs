//! The check of games that another machine has played: each is replayed through the judge.

use dicehill_arena::{Hill, Offence, Schedule};
use dicehill_rules::{Chance, Game};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::json_message;
use crate::verification::game_check::{GameCheck, misplaced};

/// Checks games that another machine has played for a run: their moves must be legal with the dice of the run and lead to
/// their results, between the entrants that the schedule names.
pub struct LineCheck<'a, G: Game> {
    games: GameCheck<'a, G>,
    schedule: &'a Schedule<'a, G>,
}

impl<'a, G: Game> LineCheck<'a, G> {
    /// A check on `jobs` threads. `hill` may have entrants that cannot play, and has the appraiser of its game if the run is
    /// appraised.
    #[must_use]
    pub const fn new(
        hill: &'a Hill<G>,
        chance: &'a Chance,
        schedule: &'a Schedule<'a, G>,
        jobs: usize,
    ) -> Self {
        Self {
            games: GameCheck { hill, chance, keeps_moves: true, may_reuse: true, jobs },
            schedule,
        }
    }

    /// Checks each of these lines, without the offences.
    #[must_use]
    pub fn replay(&self, lines: &[&str]) -> Vec<Result<(), String>> {
        self.games.replay(lines).into_iter().map(|replayed| replayed.map(drop)).collect()
    }

    /// Checks what [`LineCheck::replay`] leaves out: the number, the table, the seats and the seed of a game of the schedule,
    /// and the recorded requests on which bots failed.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn check_place(&self, game: u64, line: &str, offences: &[Offence]) -> Result<(), String> {
        #[derive(Deserialize)]
        struct Seed {
            seed: Option<IgnoredAny>,
        }
        let Seed { seed } = serde_json::from_str(line).map_err(|error| json_message(&error))?;
        if seed.is_some() {
            return Err(
                "names a seed of its own, which only a game of an earlier run has".to_owned()
            );
        }
        let fixture = self.schedule.fixture(game);
        misplaced(self.games.hill, &fixture, line).into_iter().next().map_or(Ok(()), Err)?;
        self.check_offences(line, offences)
    }

    fn check_offences(&self, line: &str, recorded: &[Offence]) -> Result<(), String> {
        if recorded.is_empty() && !line.contains("\"failures\"") {
            return Ok(());
        }
        let replay = self.games.checked(line)?;
        let mut play = replay.begin(self.games.hill.rules());
        play = play.with_requests(self.games.hill.request_text());
        replay.moves.iter().for_each(|one| play.repeat(one));
        let requests = play.offences().iter().map(|offence| &offence.request);
        if requests.eq(recorded.iter().map(|offence| &offence.request)) {
            return Ok(());
        }
        Err("the requests on which bots failed are missing or were altered".to_owned())
    }
}
