//! The entrants of a recorded run, ready to play again.

use std::path::Path;
use std::sync::Arc;

use dicehill_arena::{BotName, Entrant, Hill, Program};
use dicehill_bots::HouseIdentity;
use dicehill_store::{
    BotKind, BotTerms, FileError, HillStore, RecordedBot, RecordedRun, RunHeader, StoredRun,
};

use super::appraisal::as_recorded;
use crate::bots::{BotLoader, StoredBots, UnpreparedBot};
use crate::failure::Failure;
use crate::games::TerminalGame;

/// The entrants of a recorded run, in the order of its header.
pub(crate) struct RunEntrants<G: TerminalGame> {
    /// `None` for a bot that was not found, or cannot be prepared.
    entrants: Vec<Option<Entrant<G>>>,
    unprepared: Vec<UnpreparedBot>,
    /// The bots that were named, if there are some.
    named: Vec<String>,
    /// The unpacked files of bots of a hill.
    _files: Option<StoredBots>,
}

impl<G: TerminalGame> RunEntrants<G> {
    /// The bots of a run: those of a hill from its copies, those of a log as far as they are named or house bots.
    pub(crate) fn of(
        source: &RecordedRun,
        named: &[String],
        loader: &BotLoader,
        terms: BotTerms<G::Rules>,
    ) -> Result<Self, Failure> {
        match source {
            RecordedRun::Log { games, .. } => Self::of_log(games.header(), named, loader, terms),
            RecordedRun::Stored { store, run } => Self::of_hill(store, run, loader, terms),
        }
    }

    /// The bots of a hill's run.
    fn of_hill(
        store: &HillStore,
        run: &StoredRun,
        loader: &BotLoader,
        terms: BotTerms<G::Rules>,
    ) -> Result<Self, Failure> {
        let bots = StoredBots::unpack(store, store.entrants_of(run)?, loader)?;
        let mut unprepared = Vec::new();
        let prepared = bots.entrants::<G>(loader, terms)?.into_iter();
        let entrants = prepared.map(|bot| bot.map_err(|bot| unprepared.push(bot)).ok()).collect();
        Ok(Self { entrants, unprepared, named: Vec::new(), _files: Some(bots) })
    }

    /// The bots of a log: house bots by their identity in the header, all others from `named`.
    pub(super) fn of_log(
        header: &RunHeader,
        named: &[String],
        loader: &BotLoader,
        terms: BotTerms<G::Rules>,
    ) -> Result<Self, Failure> {
        let given = loader.entrants::<G>(named, terms)?;
        let entrant = |bot: &RecordedBot| {
            let given = given.iter().find(|entrant| entrant.name == bot.name);
            match (given, bot.hash.parse::<HouseIdentity>()) {
                (Some(Entrant { program, own_terms, .. }), _) => {
                    let own_terms = own_terms.clone();
                    Ok(Some(Entrant { own_terms, ..bot.entrant(Arc::clone(program)) }))
                }
                (None, Ok(house)) => house_program::<G>(loader, &bot.name, house, terms)
                    .map(|p| Some(bot.entrant(p))),
                (None, Err(_)) => Ok(None),
            }
        };
        let entrants = header.bots.iter().map(entrant).collect::<Result<_, Failure>>()?;
        Ok(Self { entrants, unprepared: Vec::new(), named: named.to_vec(), _files: None })
    }

    /// The bots of a plan that another machine has made: house bots by their identity in the header, all others by what has
    /// arrived.
    #[cfg(feature = "workers")]
    pub(super) fn of_plan(
        header: &RunHeader,
        arrived: &crate::bots::ArrivedBots,
        loader: &BotLoader,
        terms: BotTerms<G::Rules>,
    ) -> Result<Self, Failure> {
        let entrant = |bot: &RecordedBot| {
            let program = match (arrived.kind(&bot.name), bot.hash.parse::<HouseIdentity>()) {
                (Some(kind), _) => loader
                    .load::<G>(&bot.name, kind, terms)
                    .map_err(|not_ready| Failure::not_ready(&bot.name, not_ready))?,
                (None, Ok(house)) => house_program::<G>(loader, &bot.name, house, terms)?,
                (None, Err(_)) => return Ok(None),
            };
            Ok(Some(bot.entrant(program)))
        };
        let entrants = header.bots.iter().map(entrant).collect::<Result<_, Failure>>()?;
        Ok(Self { entrants, unprepared: Vec::new(), named: Vec::new(), _files: None })
    }

    /// Why this bot of a hill cannot be prepared.
    pub(crate) fn why_unprepared(&self, bot: &BotName) -> Option<&str> {
        self.unprepared.iter().find(|one| one.name == *bot).map(|one| one.why.as_str())
    }

    /// By position in the header; `None` for a bot that was not found, or cannot be prepared.
    pub(crate) fn found(&self) -> &[Option<Entrant<G>>] {
        &self.entrants
    }

    /// All entrants.
    ///
    /// # Errors
    /// If a bot was not found, or cannot be prepared.
    pub(crate) fn all(&self, run: &Path, header: &RunHeader) -> Result<Vec<Entrant<G>>, Failure> {
        let missing = |name: &BotName| {
            if let Some(why) = self.why_unprepared(name) {
                return Failure::Usage(format!("{name}: {why}"));
            }
            if header.bots.iter().any(|bot| bot.name == *name && bot.is_callable()) {
                return Failure::Usage(format!(
                    "{}: {name} is a Python function: games with it cannot be played again",
                    run.display()
                ));
            }
            let run = run.display();
            let not_named = match self.named.join(", ") {
                named if named.is_empty() => String::new(),
                named => format!(", and no bot of {named} has this name"),
            };
            Failure::Usage(format!(
                "{run}: does not say where {name} is{not_named}: pass its hill file or the bot after the run"
            ))
        };
        let pairs = self.entrants.iter().zip(&header.bots);
        pairs.map(|(known, bot)| known.clone().ok_or_else(|| missing(&bot.name))).collect()
    }
}

/// The hill of a recorded run between these entrants.
pub(crate) fn recorded_hill<G: TerminalGame>(
    run: &Path,
    header: &RunHeader,
    terms: BotTerms<G::Rules>,
    entrants: Vec<Entrant<G>>,
) -> Result<Hill<G>, Failure> {
    let draft = header.hill.draft::<G>(terms.rules, &header.seed, entrants);
    let hill = Hill::new(draft).map_err(|error| FileError::new(run, error))?;
    Ok(as_recorded(hill, header.start_value))
}

fn house_program<G: TerminalGame>(
    loader: &BotLoader,
    name: &BotName,
    house: HouseIdentity,
    terms: BotTerms<G::Rules>,
) -> Result<Arc<dyn Program<G>>, Failure> {
    Ok(loader.load::<G>(name, &BotKind::House(house.name), terms)?)
}
