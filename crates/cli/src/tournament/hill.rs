//! Tournaments of a hill: their entrants, the games that are reused, and how they are recorded.

use std::io;
use std::path::Path;

use dicehill_arena::{
    Bar, BotName, Commitment, Entrant, FormatName, GameSource, Header, HeaderBot, Hill, Memory,
    ProgressLine, ResumeState, Terms, may_reuse, reused_line,
};
use dicehill_rules::SeedParts;
use dicehill_store::{
    BotTerms, EntryState, EntryStore, FileError, HillSettings, HillStore, Host, NewEntrant,
    RunSink, RunSummary, RunWriter, StoredGames, command_word,
};

use super::appraisal::appraised;
use super::hosting::{check_hosting, play_or_host};
use super::master_seed::MasterSeed;
use super::recording::Recording;
use super::settings::RunSettings;
use super::stop_watch::StopWatch;
use super::strengths::Strengths;
use crate::args::{HillAddArgs, HostingArgs, TournamentArgs, TrustArgs};
use crate::bots::{
    BotLoader, Candidate, ExtraAccess, StoredBots, UnpreparedBot, given, new_entrant, trust_option,
};
use crate::console::progress::describe_bar;
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::qualification::qualify;
use crate::text::{self, counted};

/// A tournament that is about to be played on a hill.
pub(crate) struct HillTournament<'a, G: TerminalGame> {
    store: HillStore,
    args: &'a TournamentArgs,
    loader: BotLoader,
    terms: BotTerms<G::Rules>,
    /// The commitment from which the seed follows, if there is one.
    commitment: Option<Commitment>,
    /// The entry whose bot is added, if there is one.
    entry: Option<i64>,
    /// Whether the queue of the server plays the run.
    is_queued: bool,
    /// Whether all entrants have qualified already.
    is_qualified: bool,
    console: &'a Console,
}

/// The two kinds of tournament.
#[derive(Clone, Copy)]
enum Plan<'a> {
    /// All entrants play.
    Whole,
    /// A gauntlet that places one new entrant among those whose strengths are known, in few games.
    Placement { of: &'a BotName, strengths: &'a Strengths },
}

impl Plan<'_> {
    /// The message with which the run of this number begins.
    fn announcement(self, run: i64) -> String {
        match self {
            Self::Whole => format!("run {run}"),
            Self::Placement { of, .. } => {
                format!("run {run}: placing {of}; --full plays all games")
            }
        }
    }
}

/// The message on candidates that are on the hill as they are.
fn already_there<G: TerminalGame>(same: &[Candidate<G>]) -> String {
    let names: Vec<_> = same.iter().map(|one| one.entrant.name.as_str()).collect();
    let are = if names.len() == 1 { "is" } else { "are" };
    format!("{} {are} already on the hill, unchanged", names.join(", "))
}

/// Adds to the log of hosts' actions which of the candidates are now on the hill. Bots that were barred are not.
fn log_added<G: TerminalGame>(
    hill: &Path,
    host: &Host,
    candidates: &[Candidate<G>],
) -> Result<(), FileError> {
    let entrants = HillStore::open(hill)?.entrants()?;
    let mut actions = EntryStore::open(hill)?;
    for Candidate { entrant, .. } in candidates {
        let now = entrants.iter().find(|one| one.name == entrant.name);
        if let Some(now) = now.filter(|now| now.identity == entrant.program.identity()) {
            let version = format!("version {}", now.number);
            actions.log_action(host, ["add", entrant.name.as_str(), &version])?;
        }
    }
    Ok(())
}

impl<'a, G: TerminalGame> HillTournament<'a, G> {
    pub(crate) fn new(
        store: HillStore,
        args: &'a TournamentArgs,
        console: &'a Console,
    ) -> Result<Self, Failure> {
        let terms = store.hill().bot_terms::<G>(store.path())?;
        if terms.memory == Memory::Set && args.no_moves {
            let message = "--no-moves: under memory = \"set\" the moves are needed to resume a run";
            return Err(Failure::Usage(message.to_owned()));
        }
        if let (Some(address), true) = (&args.hosting.workers, args.no_moves) {
            let message = format!(
                "--no-moves: the games of the workers at {address} are checked by their moves"
            );
            return Err(Failure::Usage(message));
        }
        let loader = BotLoader::of(&args.external, console)?.with_trust(args.trust);
        let loader = loader.with_environments(&store)?;
        Ok(Self {
            store,
            args,
            loader,
            terms,
            commitment: None,
            entry: None,
            is_queued: false,
            is_qualified: false,
            console,
        })
    }

    /// Derives the seed from this commitment.
    pub(crate) fn with_commitment(self, commitment: Option<Commitment>) -> Self {
        Self { commitment, ..self }
    }

    /// Marks the run as one of the server's queue.
    pub(crate) fn of_queue(self) -> Self {
        Self { is_queued: true, ..self }
    }

    /// Adds the bot of this entry of the queue.
    fn for_entry(self, entry: Option<i64>) -> Self {
        Self { entry, is_queued: entry.is_some(), ..self }
    }

    /// Starts these bots of the command line also as bots of the hill.
    fn with_named_bots(self, named: &[Candidate<G>]) -> Self {
        Self { loader: self.loader.with_named_bots(named), ..self }
    }

    /// Plays a whole tournament between the entrants of the hill.
    pub(crate) fn play(self) -> Result<Outcome, Failure> {
        self.hold(&[], Plan::Whole)
    }

    /// Adds bots to the hill: places each in a few games where the strengths of all others are known, and
    /// else plays a whole tournament with them, unless they play in the next one.
    pub(crate) fn add(self, args: &HillAddArgs, host: &Host) -> Result<Outcome, Failure> {
        let this = self.for_entry(args.entry);
        let candidates =
            this.new_or_changed(this.loader.candidates::<G>(&args.bots, this.terms)?)?;
        if candidates.is_empty() {
            // To add an entrant again changes nothing; an entry without a new bot is refused.
            return Ok(if args.entry.is_some() { Outcome::Barred } else { Outcome::Done });
        }
        this.check_entry(&candidates)?;
        let outcome = match Strengths::of(&this.store)?.filter(|_| !this.args.full) {
            Some(strengths) => this.place_each(&candidates, strengths),
            None if args.next_run => this.add_for_next_run(&candidates),
            None => this.hold(&candidates, Plan::Whole),
        }?;
        if args.entry.is_none() {
            log_added(&args.hill, host, &candidates)?;
        }
        Ok(outcome)
    }

    /// Checks that the entry is being qualified, and has the bot that is added.
    fn check_entry(&self, candidates: &[Candidate<G>]) -> Result<(), Failure> {
        let Some(id) = self.entry else { return Ok(()) };
        let refused = |why: &str| Err(Failure::Usage(format!("--entry {id}: {why}")));
        let entry = EntryStore::open_to_read(self.store.path())?.entry(id)?;
        let Some(entry) = entry else { return refused("the hill has no such entry") };
        let [candidate] = candidates else { return refused("an entry has one bot") };
        if entry.state != EntryState::Checking {
            return refused(&format!("the entry is {}, not being qualified", entry.state));
        }
        if candidate.entrant.name.as_str() != entry.bot {
            return refused("the entry has a bot of another name");
        }
        Ok(())
    }

    /// Adds the candidates, which play in the next run.
    fn add_for_next_run(mut self, candidates: &[Candidate<G>]) -> Result<Outcome, Failure> {
        let new = self.new_entrants(candidates)?;
        self.store.add(&new)?;
        self.console.report("added; it plays in the next run");
        Ok(Outcome::Done)
    }

    /// The candidates without those that are on the hill as they are, which are reported.
    fn new_or_changed(&self, candidates: Vec<Candidate<G>>) -> Result<Vec<Candidate<G>>, Failure> {
        let present = self.store.entrants()?;
        let known = |Candidate { entrant, .. }: &Candidate<G>| {
            present.iter().find(|one| one.name == entrant.name)
        };
        let (same, others): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|candidate| {
            let Candidate { entrant, .. } = candidate;
            known(candidate).is_some_and(|known| {
                known.kind.own_terms() == entrant.own_terms
                    && known.identity == entrant.program.identity()
            })
        });
        if !same.is_empty() {
            let there = already_there(&same);
            self.console.report(match self.entry {
                Some(_) => text::error(&format!("{there}: nothing to add")),
                None => there,
            });
        }
        for candidate in &others {
            if let Some(known) = known(candidate) {
                let name = &candidate.entrant.name;
                self.console.report(format!("{name}: version {}", known.number + 1));
            }
        }
        Ok(others)
    }

    /// Places one candidate after another, each also among those before it.
    fn place_each(
        self,
        candidates: &[Candidate<G>],
        mut strengths: Strengths,
    ) -> Result<Outcome, Failure> {
        let Self { store, args, entry, console, .. } = self;
        let path = store.path().to_owned();
        let is_public = args.settings.style.public;
        let mut stores = Some(store);
        let mut worst = Outcome::Done;
        for (index, candidate) in candidates.iter().enumerate() {
            let store = stores.take().map_or_else(|| HillStore::open_to_write(&path), Ok)?;
            let plan = Plan::Placement { of: &candidate.entrant.name, strengths: &strengths };
            let tournament = Self::new(store, args, console)?.for_entry(entry);
            let tournament = tournament.with_named_bots(&candidates[..index]);
            match tournament.hold(std::slice::from_ref(candidate), plan)? {
                Outcome::Done => {}
                Outcome::Interrupted => return Ok(Outcome::Interrupted),
                other @ (Outcome::Barred | Outcome::Open | Outcome::Differs) => worst = other,
            }
            if let Some(more) = Strengths::of(&HillStore::open(&path)?)? {
                strengths = more;
            }
        }
        if !is_public {
            console.report(format!(
                "the board of all bots: dicehill hill show {}",
                command_word(&path)
            ));
        }
        Ok(worst)
    }

    /// Qualifies and plays a tournament, with which the candidates come to the hill. Those that do not qualify are left out.
    fn hold(self, candidates: &[Candidate<G>], plan: Plan<'_>) -> Result<Outcome, Failure> {
        let stop = interrupt::stop_flag(self.console)?;
        // Before the entrants are read: a bot that the host bars meanwhile must not play.
        let stop_watch = StopWatch::start(self.store.path(), &stop)?;
        let is_new = |name: &str| candidates.iter().any(|one| one.entrant.name.as_str() == name);
        let (_files, entrants) = self.entrants(candidates)?;
        let seed = self.seed(&entrants)?;
        let Some(hill) = self.planned_hill(plan, &seed, entrants)? else {
            drop(stop_watch);
            return self.only_add(candidates);
        };
        let hosting = self.hosting(plan);
        check_hosting(&hosting, &hill)?;
        // In a placement, all others have qualified before.
        let qualifies = |name: &BotName| {
            !self.is_qualified && (matches!(plan, Plan::Whole) || is_new(name.as_str()))
        };
        let Some(bars) = qualify(&hill, &qualifies, &stop, self.console)? else {
            return Ok(Outcome::Interrupted);
        };
        let (refused, bars): (Vec<_>, Vec<_>) = bars.into_iter().partition(|bar| is_new(&bar.bot));
        if !refused.is_empty() {
            report_not_added(&refused, self.console);
            let rest: Vec<_> = candidates
                .iter()
                .filter(|one| !is_refused(&refused, one))
                .map(Candidate::clone)
                .collect();
            if rest.is_empty() {
                return Ok(Outcome::Barred);
            }
            // An entrant that has failed now must do so in the run without them too.
            let without = Self { is_qualified: bars.is_empty(), ..self };
            return Ok(match without.hold(&rest, plan)? {
                Outcome::Done => Outcome::Barred,
                other @ (Outcome::Barred
                | Outcome::Open
                | Outcome::Differs
                | Outcome::Interrupted) => other,
            });
        }
        let reused = match plan {
            Plan::Whole => self.games_to_reuse(&hill)?,
            Plan::Placement { .. } => None,
        };
        let console = self.console;
        let settings = RunSettings::of(&self.args.settings, &stop, console);
        let (writer, loader) = self.begin(candidates)?;
        // The seed stays in the file until the result is there: this message may be made public.
        console.report(plan.announcement(writer.run()));
        let games: &dyn GameSource = match &reused {
            Some(games) => games,
            None => &dicehill_arena::NoGames,
        };
        let hill = hill.with_highlights();
        let past = ResumeState { bars, games, is_resumed: false, recorded: 0, records: None };
        let recording = Recording {
            stop_watch: Some(stop_watch),
            sink: RunSink::Store(writer),
            sources: Vec::new(),
        };
        play_or_host(&hill, past, Some(recording), settings, (&hosting, &loader))
    }

    /// The hill of the tournament; `None` if its entrants are too few for a whole one.
    fn planned_hill(
        &self,
        plan: Plan<'_>,
        seed: &str,
        entrants: Vec<Entrant<G>>,
    ) -> Result<Option<Hill<G>>, Failure> {
        match plan {
            Plan::Whole => self.whole_hill(seed, in_order(&self.store, entrants)?),
            Plan::Placement { of, strengths } => {
                let mut record = self.store.hill().clone();
                record.terms = Terms {
                    format: FormatName::Gauntlet,
                    seats: None,
                    challenger: Some(of.to_string()),
                    strengths: Some(strengths.in_order(&entrants)),
                    ..record.terms
                };
                self.hill_of(&record, seed, entrants).map(Some)
            }
        }
    }

    /// The entrants of the hill that no candidate replaces, and the candidates after them. The files of the
    /// former exist as long as the first value returned.
    fn entrants(
        &self,
        candidates: &[Candidate<G>],
    ) -> Result<(StoredBots, Vec<Entrant<G>>), Failure> {
        let mut present = self.store.entrants()?;
        present.retain(|old| candidates.iter().all(|new| new.entrant.name != old.name));
        let bots = StoredBots::unpack(&self.store, present, &self.loader)?;
        let mut entrants = Vec::new();
        for prepared in bots.entrants::<G>(&self.loader, self.terms)? {
            match prepared {
                Ok(entrant) => entrants.push(entrant),
                Err(unprepared) => self.report_left_out(unprepared),
            }
        }
        entrants.extend(candidates.iter().map(|new| new.entrant.clone()));
        Ok((bots, entrants))
    }

    fn report_left_out(&self, UnpreparedBot { name, why }: UnpreparedBot) {
        let line = format!("{name} is left out of this run: {why}");
        let bot = name.to_string();
        self.console.report_as(line, |_| ProgressLine::LeftOut { bot, why });
    }

    /// Whether workers play the run. The opponents of a placement depend on its results, so that it is played here.
    fn hosting(&self, plan: Plan<'_>) -> HostingArgs {
        match plan {
            Plan::Whole => self.args.hosting.clone(),
            Plan::Placement { .. } => {
                if self.args.hosting.workers.is_some() {
                    self.console.report("workers do not play placements; --full plays all games");
                }
                HostingArgs::default()
            }
        }
    }

    /// Begins the run with which the candidates come to the hill. The loader keeps its bots.
    fn begin(self, candidates: &[Candidate<G>]) -> Result<(RunWriter, BotLoader), Failure> {
        let new = self.new_entrants(candidates)?;
        let writer = self.store.begin_run(new, !self.args.no_moves)?;
        let writer = if self.is_queued { writer.of_queue() } else { writer };
        let writer = match &self.commitment {
            Some(commitment) => writer.with_commitment(commitment),
            None => writer,
        };
        Ok((writer, self.loader))
    }

    /// The candidates as the hill stores them. Those that later commands start only with --trust-hill are reported.
    fn new_entrants(&self, candidates: &[Candidate<G>]) -> Result<Vec<NewEntrant>, Failure> {
        let mut new = candidates.iter().map(new_entrant).collect::<Result<Vec<_>, _>>()?;
        new.iter_mut().for_each(|new| new.entry = self.entry);
        let TrustArgs { trust_hill, trust_environments } = self.args.trust;
        let environments = &self.store.hill().entries.environments;
        let access = |new: &NewEntrant| {
            let access = ExtraAccess::of(&new.kind, Path::new(""))?;
            let rest = if trust_environments { access.without(environments)? } else { access };
            Some((new.name.clone(), rest))
        };
        let access: Vec<_> = new.iter().filter_map(access).collect();
        if !access.is_empty() && !trust_hill {
            let given = given(&self.store, &access);
            let option = trust_option(&access, environments);
            self.console.report(format!("{given}: from now on its runs need {option}"));
        }
        Ok(new)
    }

    /// The master seed of a run between these entrants. A text that is typed for one run of a hill replaces the hill's text.
    fn seed(&self, entrants: &[Entrant<G>]) -> Result<String, Failure> {
        let hill = self.store.hill();
        let text = self.args.seed.as_deref().or(hill.terms.seed.as_deref());
        let seed = MasterSeed::of(None, text, hill.open_seed)?;
        Ok(seed.for_run(entrants.iter().any(|entrant| entrant.program.is_outside())))
    }

    /// The hill of a whole tournament; `None` if the entrants are too few to play.
    fn whole_hill(
        &self,
        seed: &str,
        entrants: Vec<Entrant<G>>,
    ) -> Result<Option<Hill<G>>, Failure> {
        let needed = self.store.hill().terms.seats.unwrap_or(2).max(2) as usize;
        if entrants.len() < needed {
            return Ok(None);
        }
        self.hill_of(self.store.hill(), seed, entrants).map(Some)
    }

    fn hill_of(
        &self,
        record: &HillSettings,
        seed: &str,
        entrants: Vec<Entrant<G>>,
    ) -> Result<Hill<G>, Failure> {
        let draft = record.draft::<G>(self.terms.rules, seed, entrants);
        let hill = Hill::new(draft).map_err(|error| FileError::new(self.store.path(), error))?;
        let hill = appraised(hill, self.args.luck, self.console)?;
        Ok(match &self.commitment {
            Some(commitment) => hill.with_commitment(commitment.clone()),
            None => hill,
        })
    }

    /// Adds the candidates without a tournament, as the entrants are too few to play.
    fn only_add(mut self, candidates: &[Candidate<G>]) -> Result<Outcome, Failure> {
        if candidates.is_empty() {
            let count = self.store.entrants()?.len() as u64;
            let message = format!(
                "has {}, too few to play; `dicehill hill add` adds bots",
                counted(count, "entrant")
            );
            return Err(FileError::new(self.store.path(), message).into());
        }
        let new = self.new_entrants(candidates)?;
        self.store.add(&new)?;
        self.console.report("added; the first run is played once there are enough bots");
        Ok(Outcome::Done)
    }

    /// The games of the last run of the same text, rules and terms: those between the same entrants are
    /// not played again. A committed run plays all of its own.
    fn games_to_reuse(&self, hill: &Hill<G>) -> Result<Option<ReusedGames>, FileError> {
        if hill.memory() == Memory::Set || hill.commitment().is_some() {
            return Ok(None);
        }
        let header = Header::new(hill);
        for summary in self.store.runs()?.iter().rev() {
            if has_same_chance(summary, &header) {
                let run = self.store.run(summary.run)?;
                // The store does not have the entrants of imported runs.
                if !run.keeps_moves || run.versions.contains(&None) {
                    continue;
                }
                self.store.check_seal(summary.run)?;
                // A bot that failed wherever it was about to lose would otherwise play only those games again.
                let failed =
                    self.store.failures(summary.run)?.into_iter().map(|one| one.bot.to_string());
                let changed = changed_bots(summary, &header).into_iter().chain(failed).collect();
                let games = self.store.games(&run)?.without_bots(changed);
                let (from, to) = (run.header.seed, hill.seed().to_owned());
                return Ok(Some(ReusedGames { games, from, to }));
            }
        }
        Ok(None)
    }
}

/// Reports the candidates that did not qualify and so are not added.
fn report_not_added(bars: &[Bar], console: &Console) {
    for bar in bars {
        let bot = bar.bot.clone();
        console.report_as(describe_bar(bar), |text| ProgressLine::Remark { bot, text });
    }
    let names: Vec<_> = bars.iter().map(|bar| bar.bot.as_str()).collect();
    console.report(format!("not added: {}", names.join(", ")));
    console.report("`dicehill check BOT` shows what a bot is asked and how it fails");
}

fn is_refused<G: TerminalGame>(refused: &[Bar], candidate: &Candidate<G>) -> bool {
    refused.iter().any(|bar| bar.bot == candidate.entrant.name.as_str())
}

/// Games of an earlier run, as lines of a run with another seed.
struct ReusedGames {
    games: StoredGames,
    /// The seed of the earlier run.
    from: String,
    /// The seed of the run.
    to: String,
}

impl GameSource for ReusedGames {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        let line = self.games.line(game)?;
        Ok(line.map(|line| reused_line(line, &self.from, &self.to)))
    }
}

/// Whether the games of an earlier run may stand in a run of the seed `now`: they have the same seed, or the run has a secret
/// and the same text. Then the earlier run must have ended, since this run shows its secret.
fn may_reuse_run(summary: &RunSummary, now: &str) -> bool {
    let then = &summary.header.seed;
    let has_secret = SeedParts::of(now).secret.is_some();
    then == now || (has_secret && summary.result.is_some() && may_reuse(now, then))
}

/// Whether games with the same seats are the same games in both runs: same program, rules, seats and terms.
fn has_same_chance(summary: &RunSummary, header: &Header) -> bool {
    let then = &summary.header;
    let (before, now) = (&then.hill.terms, &header.terms);
    then.program == header.program
        && may_reuse_run(summary, now.seed.as_deref().unwrap_or_default())
        && before.rules == now.rules
        && before.format == now.format
        && before.memory == now.memory
        && then.hill.limits.are_same_for_bots(header.limits)
        && then.start_value == header.start_value
        && then.hill.games == header.games as i64
}

/// The bots that have changed since that run, or did not play in it.
fn changed_bots(summary: &RunSummary, header: &Header) -> Vec<String> {
    let is_unchanged = |bot: &HeaderBot| {
        let then = summary.header.bots.iter().find(|then| then.name.as_str() == bot.name);
        then.is_some_and(|then| then.hash == bot.hash && then.own_terms == bot.own_terms)
    };
    header.bots.iter().filter(|bot| !is_unchanged(bot)).map(|bot| bot.name.clone()).collect()
}

/// The entrants in the order of the hill, new ones last. A new version of an entrant keeps its place.
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
