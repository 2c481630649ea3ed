//! Who played in a recorded run, ready to play again.

use std::path::Path;
use std::sync::Arc;

use dicehill_arena::{BotName, Entrant, Hill, Program};
use dicehill_store::{
    BotKind, FileError, HillStore, HillTerms, LogBot, LogHeader, RunSource, StoredRun,
};

use crate::appraisers;
use crate::bot_spec::Cast;
use crate::failure::Failure;
use crate::stored_bots::StoredBots;
use crate::terminal_game::TerminalGame;

/// Who played in a recorded run, in the order of its header.
pub(crate) struct Players<G: TerminalGame> {
    /// `None` of whoever is not known here.
    entrants: Vec<Option<Entrant<G>>>,
    /// The files of those that a hill has copies of.
    _files: Option<StoredBots>,
}

impl<G: TerminalGame> Players<G> {
    /// Those of a run of a hill as it has them, those of a log as far as they are named or house bots.
    pub(crate) fn of(
        source: &RunSource,
        named: &[String],
        cast: &Cast,
        terms: HillTerms<G::Rules>,
    ) -> Result<Self, Failure> {
        match source {
            RunSource::Log { games, .. } => Self::of_log(games.header(), named, cast, terms),
            RunSource::Stored { store, run, .. } => Self::of_hill(store, run, cast, terms),
        }
    }

    /// Those of a hill's run.
    pub(crate) fn of_hill(
        store: &HillStore,
        run: &StoredRun,
        cast: &Cast,
        terms: HillTerms<G::Rules>,
    ) -> Result<Self, Failure> {
        let bots = StoredBots::lay_out(store, store.entrants_of(run)?)?;
        let entrants = bots.entrants::<G>(cast, terms)?.into_iter().map(Some).collect();
        Ok(Self { entrants, _files: Some(bots) })
    }

    /// Those of a log: house bots are known by what the header says of them, all others are named again.
    pub(crate) fn of_log(
        header: &LogHeader,
        named: &[String],
        cast: &Cast,
        terms: HillTerms<G::Rules>,
    ) -> Result<Self, Failure> {
        let named = cast.entrants::<G>(named, terms)?;
        let entrant = |bot: &LogBot| {
            let given = named.iter().find(|entrant| entrant.name == bot.name);
            let program = match (given, house_name(&bot.hash)) {
                (Some(entrant), _) => Arc::clone(&entrant.program),
                (None, Some(house)) => house_program::<G>(cast, &bot.name, house, terms)?,
                (None, None) => return Ok(None),
            };
            Ok(Some(entrant_of(bot, program)))
        };
        let entrants = header.bots.iter().map(entrant).collect::<Result<_, Failure>>()?;
        Ok(Self { entrants, _files: None })
    }

    /// By place in the header; `None` of whoever is not known here.
    pub(crate) fn known(&self) -> &[Option<Entrant<G>>] {
        &self.entrants
    }

    /// All of them.
    ///
    /// # Errors
    /// If somebody is not known here.
    pub(crate) fn everybody(
        &self,
        run: &Path,
        header: &LogHeader,
    ) -> Result<Vec<Entrant<G>>, Failure> {
        let missing = |name: &BotName| {
            Failure::Usage(format!(
                "{}: says what {name} is, and not where: name its hill file or the bot behind the run",
                run.display()
            ))
        };
        let pairs = self.entrants.iter().zip(&header.bots);
        pairs.map(|(known, bot)| known.clone().ok_or_else(|| missing(&bot.name))).collect()
    }
}

/// The entrant of a header with what it plays with.
pub(crate) fn entrant_of<G: TerminalGame>(
    bot: &LogBot,
    program: Arc<dyn Program<G>>,
) -> Entrant<G> {
    let LogBot { name, author, url, votes, .. } = bot.clone();
    Entrant { name, program, author, url, votes }
}

/// The hill of a recorded run between these entrants.
pub(crate) fn hill_of<G: TerminalGame>(
    run: &Path,
    header: &LogHeader,
    terms: HillTerms<G::Rules>,
    entrants: Vec<Entrant<G>>,
) -> Result<Hill<G>, Failure> {
    let draft = header.hill.draft::<G>(terms.rules, header.seed.clone(), entrants);
    let hill = Hill::new(draft).map_err(|error| FileError::new(run, error))?;
    Ok(appraisers::as_recorded(hill, header.start_value))
}

fn house_program<G: TerminalGame>(
    cast: &Cast,
    name: &BotName,
    house: &str,
    terms: HillTerms<G::Rules>,
) -> Result<Arc<dyn Program<G>>, Failure> {
    Ok(cast.ready::<G>(name, &BotKind::House(house.to_owned()), terms)?)
}

/// The house bot whose identity this is: `house:NAME@VERSION`.
fn house_name(hash: &str) -> Option<&str> {
    Some(hash.strip_prefix("house:")?.split_once('@')?.0)
}
