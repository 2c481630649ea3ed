//! A tournament on a hill that stands: who plays, with which games that are known, and how it is recorded.

use dicehill_arena::{Bar, Commitment, Entrant, Header, HeaderBot, Hill, Memory, Past, Recall};
use dicehill_store::{
    FileError, HillStore, HillTerms, NewEntrant, RunSink, RunSummary, RunWriter, StoredEntrant,
    StoredGames,
};

use crate::args::TournamentArgs;
use crate::bot_spec::{Candidate, Cast};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::place::Strengths;
use crate::stored_bots::{StoredBots, newcomer};
use crate::terminal_game::TerminalGame;
use crate::text::counted;
use crate::tournament::{self, Manner, Record};
use crate::{interrupt, seed};

/// A tournament that is about to be played on a hill.
pub(crate) struct Tournament<'a, G: TerminalGame> {
    pub(crate) store: HillStore,
    pub(crate) args: &'a TournamentArgs,
    cast: Cast,
    pub(crate) terms: HillTerms<G::Rules>,
    /// From which the seed follows.
    commitment: Option<Commitment>,
    pub(crate) console: &'a Console,
}

impl<'a, G: TerminalGame> Tournament<'a, G> {
    pub(crate) fn new(
        store: HillStore,
        args: &'a TournamentArgs,
        console: &'a Console,
    ) -> Result<Self, Failure> {
        let terms = store.hill().terms::<G>(store.path())?;
        if terms.memory == Memory::Set && args.no_moves {
            let message =
                "--no-moves: under memory = \"set\" the moves are needed to go on with a run";
            return Err(Failure::Usage(message.to_owned()));
        }
        let cast = Cast::of(&args.outside, console)?;
        Ok(Self { store, args, cast, terms, commitment: None, console })
    }

    /// With the seed that follows from this.
    pub(crate) fn committed(self, commitment: Option<Commitment>) -> Self {
        Self { commitment, ..self }
    }

    /// Qualifies newcomers, and plays with those who do.
    pub(crate) fn add(self, bots: &[String]) -> Result<Outcome, Failure> {
        let present = self.store.entrants()?;
        let candidates = self.cast.candidates::<G>(bots, self.terms)?;
        for Candidate { entrant, .. } in &candidates {
            let same = |one: &&StoredEntrant| one.name == entrant.name;
            if let Some(known) = present.iter().find(same) {
                if known.identity == entrant.program.identity() {
                    let message = format!("{} is on the hill already, as it is", entrant.name);
                    return Err(Failure::Usage(message));
                }
                self.console.tell(format!("{}: version {}", entrant.name, known.number + 1));
            }
        }
        match Strengths::of(&self.store)?.filter(|_| !self.args.full) {
            Some(strengths) => self.place_each(&candidates, strengths),
            None => self.play(&candidates),
        }
    }

    /// One after the other, each among those before it too.
    fn place_each(
        self,
        candidates: &[Candidate<G>],
        mut strengths: Strengths,
    ) -> Result<Outcome, Failure> {
        let Self { store, args, console, .. } = self;
        let path = store.path().to_owned();
        let mut stores = Some(store);
        let mut worst = Outcome::Done;
        for candidate in candidates {
            let store = stores.take().map_or_else(|| HillStore::open_to_write(&path), Ok)?;
            match Self::new(store, args, console)?.place(candidate, &strengths)? {
                Outcome::Done => {}
                Outcome::Interrupted => return Ok(Outcome::Interrupted),
                other @ (Outcome::Barred | Outcome::Open | Outcome::Differs) => worst = other,
            }
            if let Some(more) = Strengths::of(&HillStore::open(&path)?)? {
                strengths = more;
            }
        }
        Ok(worst)
    }

    /// Qualifies everybody, and plays a whole tournament.
    pub(crate) fn play(self, candidates: &[Candidate<G>]) -> Result<Outcome, Failure> {
        let stop = interrupt::stop_flag(self.console)?;
        let seed = self.seed()?;
        let is_new = |name: &str| candidates.iter().any(|one| one.entrant.name.as_str() == name);
        let (_files, entrants) = self.field(candidates)?;
        let entrants = in_order(&self.store, entrants)?;
        let Some(hill) = self.hill(&seed, entrants)? else {
            return self.only_add(candidates);
        };
        let bars = tournament::qualify(&hill, &stop, self.console)?;
        let (refused, bars): (Vec<_>, Vec<_>) = bars.into_iter().partition(|bar| is_new(&bar.bot));
        if !refused.is_empty() {
            return Ok(not_added(&refused, self.console));
        }
        let reused = self.games_to_reuse(&hill)?;
        let console = self.console;
        let manner = Manner::of(&self.args.manner, &stop, console);
        let writer = self.begin(candidates)?;
        // The seed stays in the file until the result is there: what this tells may be made public.
        console.tell(format!("run {}", writer.run()));
        let games: &dyn Recall = match &reused {
            Some(games) => games,
            None => &dicehill_arena::Nothing,
        };
        let past = Past { bars, games, goes_on: false, records: None };
        tournament::play(&hill, past, Some(record(writer)), manner)
    }

    /// The entrants of the hill whose places no newcomer takes, and the newcomers behind them; the files of the
    /// former are there for as long as what comes with them.
    pub(crate) fn field(
        &self,
        newcomers: &[Candidate<G>],
    ) -> Result<(StoredBots, Vec<Entrant<G>>), Failure> {
        let mut present = self.store.entrants()?;
        present.retain(|old| newcomers.iter().all(|new| new.entrant.name != old.name));
        let bots = StoredBots::lay_out(&self.store, present)?;
        let mut entrants = bots.entrants::<G>(&self.cast, self.terms)?;
        entrants.extend(newcomers.iter().map(|new| new.entrant.clone()));
        Ok((bots, entrants))
    }

    /// Begins the run with which the newcomers come to the hill.
    pub(crate) fn begin(self, newcomers: &[Candidate<G>]) -> Result<RunWriter, Failure> {
        let newcomers = newcomers.iter().map(newcomer).collect::<Result<Vec<_>, _>>()?;
        let writer = self.store.begin_run(newcomers, !self.args.no_moves)?;
        Ok(match &self.commitment {
            Some(commitment) => writer.committed(commitment),
            None => writer,
        })
    }

    pub(crate) fn seed(&self) -> Result<String, Failure> {
        let fixed = self.args.seed.clone().or_else(|| self.store.hill().seed.clone());
        fixed.map_or_else(seed::draw, Ok)
    }

    /// The tournament; `None` as long as there are too few to play.
    fn hill(&self, seed: &str, entrants: Vec<Entrant<G>>) -> Result<Option<Hill<G>>, Failure> {
        let needed = self.store.hill().seats.unwrap_or(2).max(2) as usize;
        if entrants.len() < needed {
            return Ok(None);
        }
        let draft = self.store.hill().draft::<G>(self.terms.rules, seed.to_owned(), entrants);
        let hill = Hill::new(draft).map_err(|error| FileError::new(self.store.path(), error))?;
        let hill = self.args.luck.appraised(hill);
        Ok(Some(match &self.commitment {
            Some(commitment) => hill.committed(commitment.clone()),
            None => hill,
        }))
    }

    fn only_add(mut self, candidates: &[Candidate<G>]) -> Result<Outcome, Failure> {
        if candidates.is_empty() {
            let count = self.store.entrants()?.len() as u64;
            let message = format!("{} on this hill are too few to play", counted(count, "bot"));
            return Err(FileError::new(self.store.path(), message).into());
        }
        let newcomers = candidates.iter().map(newcomer).collect::<Result<Vec<NewEntrant>, _>>()?;
        self.store.add(&newcomers)?;
        self.console.tell("added; the first tournament is played when there are enough to play");
        Ok(Outcome::Done)
    }

    /// The games of the last run of the same seed, rules and terms: those between the same entrants are
    /// not played again. A committed run plays all of its own.
    fn games_to_reuse(&self, hill: &Hill<G>) -> Result<Option<StoredGames>, FileError> {
        if hill.memory() == Memory::Set || hill.commitment().is_some() {
            return Ok(None);
        }
        let header = Header::new(hill);
        for summary in self.store.runs()?.iter().rev() {
            if is_of_the_same_chance(summary, &header) {
                let run = self.store.run(summary.run)?;
                // Who played in a log that was taken in is only said there.
                if !run.keeps_moves || run.versions.contains(&None) {
                    continue;
                }
                self.store.check_seal(summary.run)?;
                let changed = changed_bots(summary, &header);
                return self.store.games(&run).map(|games| Some(games.between_all_but(changed)));
            }
        }
        Ok(None)
    }
}

/// Where a run of a hill is recorded.
pub(crate) fn record(writer: RunWriter) -> Record {
    Record { sink: RunSink::Store(writer), sources: Vec::new() }
}

/// Says of newcomers that did not qualify that the hill is without them.
pub(crate) fn not_added(bars: &[Bar], console: &Console) -> Outcome {
    bars.iter().for_each(|bar| console.tell(crate::progress::describe_bar(bar)));
    let names: Vec<_> = bars.iter().map(|bar| bar.bot.as_str()).collect();
    console.tell(format!("not added: {}", names.join(", ")));
    Outcome::Barred
}

/// Whether games of a run with the same seats are the same games: same program, rules, seed, terms.
fn is_of_the_same_chance(summary: &RunSummary, header: &Header) -> bool {
    let then = &summary.header;
    then.program == header.program
        && then.seed == header.seed
        && then.hill.rules == header.rules
        && then.hill.format.name() == header.format
        && then.hill.memory.name() == header.memory
        && then.hill.limits == header.limits
        && then.start_value == header.start_value
        && then.hill.games == header.games as i64
}

/// Who plays otherwise than in that run, or did not play in it.
fn changed_bots(summary: &RunSummary, header: &Header) -> Vec<String> {
    let same = |bot: &HeaderBot| {
        let then = summary.header.bots.iter().find(|then| then.name.as_str() == bot.name);
        then.is_some_and(|then| then.hash == bot.hash)
    };
    header.bots.iter().filter(|bot| !same(bot)).map(|bot| bot.name.clone()).collect()
}

/// Everybody in the order of the hill, newcomers last: who comes back in a new version keeps its place.
fn in_order<G: TerminalGame>(
    store: &HillStore,
    mut entrants: Vec<Entrant<G>>,
) -> Result<Vec<Entrant<G>>, Failure> {
    let order: Vec<_> = store.entrants()?.into_iter().map(|entrant| entrant.name).collect();
    let place = |entrant: &Entrant<G>| {
        order.iter().position(|name| *name == entrant.name).unwrap_or(order.len())
    };
    entrants.sort_by_key(place);
    Ok(entrants)
}
