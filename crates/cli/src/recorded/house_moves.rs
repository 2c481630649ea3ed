//! The recorded moves of house bots, compared with what these bots answer.

use std::io;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use dicehill_arena::{
    DifferentAnswer, Entrant, EntrantId, Fixture, GameSource, Hill, InertBot, RecordedGame,
    first_different_answer,
};
use dicehill_rules::Chance;
use dicehill_store::{RecordedBot, RunPlan};

use super::run_entrants::{RunEntrants, recorded_hill};
use crate::bots::BotLoader;
use crate::failure::Failure;
use crate::games::TerminalGame;

/// The house bots of a plan.
pub(crate) struct HouseMoves<G: TerminalGame> {
    hill: Hill<G>,
    house: Vec<EntrantId>,
}

/// A recorded move of a house bot that is not its own.
pub(crate) struct ForeignMove {
    pub(crate) game: u64,
    /// What is recorded, and what the bot plays.
    pub(crate) difference: String,
}

impl<G: TerminalGame> HouseMoves<G> {
    /// The house bots of the plan at `path`.
    ///
    /// # Errors
    /// If the settings are invalid for game `G`, or a house bot is unknown.
    pub(crate) fn new(path: &Path, plan: &RunPlan, loader: &BotLoader) -> Result<Self, Failure> {
        let header = plan.header();
        let terms = header.hill.bot_terms::<G>(path)?;
        let found = RunEntrants::<G>::of_log(header, &[], loader, terms)?;
        let inert = |bot: &RecordedBot| bot.entrant(Arc::new(InertBot(bot.hash.clone())));
        let entrant = |(known, bot): (&Option<Entrant<G>>, &RecordedBot)| {
            known.clone().unwrap_or_else(|| inert(bot))
        };
        let entrants = found.found().iter().zip(&header.bots).map(entrant).collect();
        let hill = recorded_hill(path, header, terms, entrants)?;
        let is_house = found.found().iter().map(Option::is_some);
        let house = hill.ids().zip(is_house).filter_map(|(id, is_house)| is_house.then_some(id));
        let house = house.collect();
        Ok(Self { hill, house })
    }

    /// The names of the house bots.
    pub(crate) fn house(&self) -> Vec<&str> {
        self.house.iter().map(|id| self.hill.name_of(*id)).collect()
    }

    /// The names of the other bots.
    pub(crate) fn others(&self) -> Vec<&str> {
        let others = self.hill.ids().filter(|id| !self.house.contains(id));
        others.map(|id| self.hill.name_of(id)).collect()
    }

    /// Asks the house bots for their moves in these games on `jobs` threads, and returns the first game with another move.
    ///
    /// # Errors
    /// If a game cannot be read.
    pub(crate) fn first_foreign_move(
        &self,
        games: &dyn GameSource,
        fixtures: &[Fixture],
        jobs: usize,
    ) -> io::Result<Option<ForeignMove>> {
        let chance = Chance::new(self.hill.seed());
        let size = fixtures.len().div_ceil(jobs.max(1)).max(1);
        let first_in = |chunk: &[Fixture]| {
            let found = chunk.iter().map(|fixture| self.in_game(games, &chance, fixture));
            found.map(Result::transpose).find_map(|found| found).transpose()
        };
        // Chunks are in the order of games.
        let found: Vec<_> = thread::scope(|scope| {
            let first_in = &first_in;
            let start = |chunk| scope.spawn(move || first_in(chunk));
            let workers: Vec<_> = fixtures.chunks(size).map(start).collect();
            let join = |worker: thread::ScopedJoinHandle<'_, _>| {
                worker.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            workers.into_iter().map(join).collect::<io::Result<_>>()
        })?;
        Ok(found.into_iter().flatten().next())
    }

    fn in_game(
        &self,
        games: &dyn GameSource,
        chance: &Chance,
        fixture: &Fixture,
    ) -> io::Result<Option<ForeignMove>> {
        let Some(line) = games.line(fixture.game)? else { return Ok(None) };
        let recorded = RecordedGame::read(&self.hill, fixture.clone(), line);
        let Some(recorded) = recorded.map_err(io::Error::other)? else { return Ok(None) };
        let different = first_different_answer(&self.hill, chance, &recorded, &self.house)?;
        Ok(different.map(|different| self.foreign(fixture.game, &different)))
    }

    fn foreign(&self, game: u64, different: &DifferentAnswer) -> ForeignMove {
        let DifferentAnswer { entrant, number, recorded, answered } = different;
        let bot = self.hill.name_of(*entrant);
        let difference = format!(
            "game {game}, move {number}: recorded is {recorded}, but {bot} plays {answered}"
        );
        ForeignMove { game, difference }
    }
}
