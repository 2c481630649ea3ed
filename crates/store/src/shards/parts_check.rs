//! The check of all games of the parts: each is replayed through the judge.

use dicehill_arena::{Hill, Schedule, entrants_without};
use dicehill_rules::{Chance, Game};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::part_reader::PartReader;
use super::parts::Parts;
use super::run_plan::RunPlan;
use crate::verification::game_check::{GameCheck, misplaced};
use crate::{FileError, json_message};

/// The number of games that are replayed together.
const BATCH: u64 = 2048;

impl Parts {
    /// Replays every game on `jobs` threads: its moves must be legal with the dice of the plan and lead to its results,
    /// between the entrants that the schedule names. `hill` is that of the plan, with the appraiser of its game if the run
    /// is appraised. `show` gets the number of games after each batch.
    ///
    /// # Errors
    /// If a part was altered or cannot be read.
    pub fn check<G: Game>(
        &self,
        plan: &RunPlan,
        hill: &Hill<G>,
        jobs: usize,
        show: &mut dyn FnMut(u64),
    ) -> Result<(), FileError> {
        let chance = &Chance::new(hill.seed());
        let schedule = &Schedule::new(hill, chance, entrants_without(hill, plan.bars()));
        let games = GameCheck { hill, chance, keeps_moves: true, jobs };
        let check = PartsCheck { games, schedule };
        for (games, part) in self.sections() {
            let mut left = games;
            while left.count() > 0 {
                let last = left.last().min(left.first() + BATCH - 1);
                check.batch(part, left.first(), last)?;
                show(last - left.first() + 1);
                left = left.starting_at(last + 1);
            }
        }
        self.readers().iter().try_for_each(PartReader::check_seal)
    }
}

/// What the checks of all batches share.
struct PartsCheck<'a, G: Game> {
    games: GameCheck<'a, G>,
    schedule: &'a Schedule<'a, G>,
}

impl<G: Game> PartsCheck<'_, G> {
    fn batch(&self, part: &PartReader, first: u64, last: u64) -> Result<(), FileError> {
        let lines = (first..=last).map(|game| part.line(game)).collect::<Result<Vec<_>, _>>()?;
        let texts: Vec<_> = lines.iter().map(String::as_str).collect();
        let replayed = self.games.replay(&texts);
        for ((game, line), replayed) in (first..).zip(&texts).zip(replayed) {
            let checked = replayed.and_then(|_| self.check_place(game, line));
            let checked = checked.and_then(|()| self.check_offences(part, game, line));
            checked.map_err(|why| part.altered(game, format_args!("game {game}: {why}")))?;
        }
        Ok(())
    }

    /// Checks the number, the table, the seats and the seed of a game.
    fn check_place(&self, game: u64, line: &str) -> Result<(), String> {
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
        misplaced(self.games.hill, &fixture, line).into_iter().next().map_or(Ok(()), Err)
    }

    /// Checks the recorded requests on which bots failed.
    fn check_offences(&self, part: &PartReader, game: u64, line: &str) -> Result<(), String> {
        let recorded = part.offences(game).map_err(|error| error.to_string())?;
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
