//! The plan of a run that several machines play, with its bots.

use std::path::Path;

use dicehill_arena::{Entrant, Header, Hill, PROGRAM};
use dicehill_store::{BotTerms, FileError, RecordedBot, RunPlan};

use super::appraisal::as_recorded;
use super::run_entrants::{RunEntrants, recorded_hill};
use crate::bots::BotLoader;
use crate::console::Console;
use crate::failure::Failure;
use crate::games::TerminalGame;

/// The plan of a run, and its file.
pub(crate) struct PlannedRun<'a> {
    pub(crate) path: &'a Path,
    pub(crate) plan: RunPlan,
}

impl<'a> PlannedRun<'a> {
    /// Reads the plan, and warns if other users can read it too.
    ///
    /// # Errors
    /// If it is not a plan, or another version of the program made it.
    pub(crate) fn read(path: &'a Path, console: &Console) -> Result<Self, FileError> {
        let plan = RunPlan::read(path)?;
        if plan.exposes_secret() {
            let path = path.display();
            console.report(format!(
                "{path}: other users of this machine can read the secret of the run, from which all dice follow: chmod 600 {path}"
            ));
        }
        Self::of(path, plan)
    }

    /// A plan, which errors call by this path.
    ///
    /// # Errors
    /// If another version of the program made it.
    pub(crate) fn of(path: &'a Path, plan: RunPlan) -> Result<Self, FileError> {
        let made_by = &plan.header().program;
        if made_by != PROGRAM {
            let message = format!(
                "{made_by} made this plan, and only that version plays it: this is {PROGRAM}"
            );
            return Err(FileError::new(path, message));
        }
        Ok(Self { path, plan })
    }

    /// The hill of the plan with entrants that cannot play, and the appraiser of its game if the run is appraised.
    ///
    /// # Errors
    /// If the plan is not one of game `G`.
    pub(crate) fn inert_hill<G: TerminalGame>(&self) -> Result<Hill<G>, FileError> {
        let hill = self.plan.inert_hill(self.path)?;
        Ok(as_recorded(hill, self.plan.header().start_value))
    }

    /// The bots that `named` names, or else those with which the plan was made.
    pub(crate) fn sources<'b>(&'b self, named: &'b [String]) -> &'b [String] {
        if named.is_empty() { self.plan.sources() } else { named }
    }

    /// The hill of the plan as its bots are now.
    ///
    /// # Errors
    /// If a bot is not found, or is not the one of the plan.
    pub(crate) fn hill<G: TerminalGame>(
        &self,
        named: &[String],
        loader: &BotLoader,
    ) -> Result<Hill<G>, Failure> {
        let header = self.plan.header();
        let terms = header.hill.bot_terms::<G>(self.path)?;
        let found = RunEntrants::<G>::of_log(header, self.sources(named), loader, terms)?;
        self.hill_between(&found, terms)
    }

    /// The hill of the plan with the bots that have arrived from another machine.
    ///
    /// # Errors
    /// If a bot is missing, cannot be started, or is not the one of the plan.
    #[cfg(feature = "workers")]
    pub(crate) fn arrived_hill<G: TerminalGame>(
        &self,
        arrived: &crate::bots::ArrivedBots,
        loader: &BotLoader,
    ) -> Result<Hill<G>, Failure> {
        let header = self.plan.header();
        let terms = header.hill.bot_terms::<G>(self.path)?;
        let found = RunEntrants::<G>::of_plan(header, arrived, loader, terms)?;
        self.hill_between(&found, terms)
    }

    /// The hill of the plan between these entrants.
    fn hill_between<G: TerminalGame>(
        &self,
        found: &RunEntrants<G>,
        terms: BotTerms<G::Rules>,
    ) -> Result<Hill<G>, Failure> {
        let header = self.plan.header();
        let pairs = found.found().iter().zip(&header.bots);
        let known = |(known, bot): (&Option<Entrant<G>>, &RecordedBot)| {
            known.clone().ok_or_else(|| self.missing(bot))
        };
        let entrants = pairs.map(known).collect::<Result<_, _>>()?;
        let hill = recorded_hill(self.path, header, terms, entrants)?;
        if hill.start_value().is_some() && !hill.has_appraiser() {
            let message = "this dicehill cannot appraise the games of this plan in the same way";
            return Err(FileError::new(self.path, message).into());
        }
        // The secret of a commitment is the seed's, which the header has.
        let now = Header { commitment: header.commitment.clone(), ..Header::new(&hill) };
        match header.difference(&now) {
            None => Ok(hill),
            Some(difference) => {
                let message = format!("cannot be played as planned: {difference}");
                Err(FileError::new(self.path, message).into())
            }
        }
    }

    fn missing(&self, bot: &RecordedBot) -> Failure {
        let RecordedBot { name, .. } = bot;
        let sources = self.plan.sources().join(" ");
        let message = format!("{name} is not in {sources:?}: name the bot or its hill file");
        FileError::new(self.path, message).into()
    }
}
