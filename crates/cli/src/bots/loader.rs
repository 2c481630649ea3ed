//! Loads the bots that the command line names.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use dicehill_arena::{BotName, Entrant, InertBot, OwnTerms, Program};
use dicehill_link::{
    BotLog, ExternalBot, ExternalBotSettings, Isolation, NetworkAccess, PrepareError, Secret,
    StopFlag, platform_gap, unenforced_limits,
};
use dicehill_store::{
    BotKind, BotOutputFolder, BotPreparationError, BotTerms, Environments, HillFile, HillStore,
    RecordedRun, StoredEntrant, did_you_mean, did_you_mean_file_at,
};

use super::extra_access::ExtraAccess;
use super::house::house;
use super::isolation::missing_guarantees;
use super::source::source_of;
use super::spec::{NamedBot, bot_name, expanded, house_bot_note, in_hill_file, named_bot};
use crate::args::{ExternalBotArgs, IsolationArgs, TrustArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::games::TerminalGame;
use crate::text::printable;

/// The programs that are suggested for a misspelt one.
const INTERPRETERS: [&str; 7] = ["python3", "node", "ruby", "perl", "bash", "sh", "java"];

/// Milliseconds that a remote bot has in addition for its first answer.
const REMOTE_START_MS: u64 = 10_000;
/// Milliseconds that a remote bot has in addition for each later answer.
const REMOTE_MOVE_MS: u64 = 5_000;

/// A bot that is to play.
pub(crate) struct Candidate<G: TerminalGame> {
    pub(crate) entrant: Entrant<G>,
    /// What its program is made of.
    pub(crate) kind: BotKind,
}

impl<G: TerminalGame> Clone for Candidate<G> {
    fn clone(&self) -> Self {
        Self { entrant: self.entrant.clone(), kind: self.kind.clone() }
    }
}

/// A BOT of the command line, loaded or not.
pub(crate) struct NamedCandidate<G: TerminalGame> {
    /// What names it.
    pub(crate) spec: String,
    pub(crate) loaded: Result<Candidate<G>, Failure>,
}

/// What tells a candidate from other versions of it.
struct EntrantIdentity {
    name: BotName,
    hash: String,
    own_terms: OwnTerms,
}

impl<G: TerminalGame> Candidate<G> {
    fn identity(&self) -> EntrantIdentity {
        let Entrant { name, program, own_terms, .. } = self.entrant.clone();
        EntrantIdentity { name, hash: program.identity(), own_terms }
    }
}

/// Loads bots: finds house bots, and prepares the processes of external ones.
pub(crate) struct BotLoader {
    /// Where the logs of external bots go.
    logs: Option<BotOutputFolder>,
    limits: Limits,
    wanted: Wanted,
    isolation: IsolationArgs,
    trust: TrustArgs,
    /// The environments of the hill, if there is one.
    environments: Option<Environments>,
    /// Bots of this command, which a hill may have stored since.
    named_bots: Vec<EntrantIdentity>,
    /// The external bots that were loaded, by name.
    loaded: RefCell<BTreeMap<BotName, BotKind>>,
    /// Whether missing guarantees of isolation have been reported.
    has_reported: Cell<bool>,
    console: Console,
}

/// Which limits hold for a bot of a hill file.
#[derive(Clone, Copy)]
enum Limits {
    /// Those of the run, as for its opponents.
    Usual,
    /// Those of its hill.
    OfHill,
}

/// Which bots are prepared.
#[derive(Clone, Copy)]
enum Wanted {
    All,
    /// Bots that give the same answers again. The others get no process and no secrets.
    Deterministic,
}

impl BotLoader {
    /// A loader with the options of the command line.
    pub(crate) fn of(args: &ExternalBotArgs, console: &Console) -> Result<Self, Failure> {
        Self::new(args.logs.folder(), args.isolation, console)
    }

    /// A loader of bots whose logs go to files in the folder `logs`, or nowhere.
    pub(crate) fn new(
        logs: Option<&Path>,
        isolation: IsolationArgs,
        console: &Console,
    ) -> Result<Self, Failure> {
        let create = |folder: &Path| {
            let failed = |error| Failure::Usage(format!("--logs {}: {error}", folder.display()));
            BotOutputFolder::create(folder).map_err(failed)
        };
        Ok(Self {
            logs: logs.map(create).transpose()?,
            limits: Limits::Usual,
            wanted: Wanted::All,
            isolation,
            trust: TrustArgs::default(),
            environments: None,
            named_bots: Vec::new(),
            loaded: RefCell::default(),
            has_reported: Cell::new(false),
            console: console.clone(),
        })
    }

    /// Gives bots of hill files the limits of their hills.
    pub(crate) fn with_limits_of_hills(self) -> Self {
        Self { limits: Limits::OfHill, ..self }
    }

    /// Prepares no bot that need not be deterministic: an inert one is loaded in its place.
    pub(crate) fn without_nondeterministic(self) -> Self {
        Self { wanted: Wanted::Deterministic, ..self }
    }

    /// Starts bots of a hill that get a network, secrets or files by it only if the command line says so.
    pub(crate) fn with_trust(self, trust: TrustArgs) -> Self {
        Self { trust, ..self }
    }

    /// Gives bots the files of the environments of this hill, if they ask for them.
    ///
    /// # Errors
    /// If an environment has the file of the hill.
    pub(crate) fn with_environments(self, store: &HillStore) -> Result<Self, Failure> {
        let environments = store.hill().entries.environments.clone();
        environments.check_without(store.path())?;
        Ok(Self { environments: Some(environments), ..self })
    }

    /// Gives bots the files of the environments of a run's hill, if they ask for them.
    ///
    /// # Errors
    /// As [`Self::with_environments`].
    pub(crate) fn with_environments_of(self, run: &RecordedRun) -> Result<Self, Failure> {
        match run {
            RecordedRun::Stored { store, .. } => self.with_environments(store),
            RecordedRun::Log { .. } => Ok(self),
        }
    }

    /// Starts these bots, which the command line has named, also once the hill has stored them.
    pub(crate) fn with_named_bots<G: TerminalGame>(self, named: &[Candidate<G>]) -> Self {
        let named_bots = named.iter().map(Candidate::identity).collect();
        Self { named_bots, ..self }
    }

    /// What a stored bot would get in addition to what every bot has, if this loader would start it and the user has not
    /// trusted the hill with that. Its files are in `folder`.
    pub(super) fn untrusted_access(
        &self,
        stored: &StoredEntrant,
        folder: &Path,
    ) -> Option<ExtraAccess> {
        let own_terms = stored.kind.own_terms();
        let is_started = match self.wanted {
            Wanted::All => true,
            Wanted::Deterministic => own_terms.deterministic,
        };
        let is_named = self.named_bots.iter().any(|named| {
            let EntrantIdentity { name, hash, own_terms: named_terms } = named;
            *name == stored.name && *hash == stored.identity && *named_terms == own_terms
        });
        if self.trust.trust_hill || !is_started || is_named {
            return None;
        }
        let access = ExtraAccess::of(&stored.kind.clone().with_files_in(folder), folder)?;
        match &self.environments {
            Some(environments) if self.trust.trust_environments => access.without(environments),
            Some(_) | None => Some(access),
        }
    }

    /// Whether all that an uploaded bot lacks are files, where those of environments are given: an environment gave it these, which the
    /// hill does not have any more.
    pub(super) fn has_lost_environment(&self, lacks: &ExtraAccess) -> bool {
        self.environments.is_some() && self.trust.trust_environments && lacks.is_only_files()
    }

    /// The bots that the command line names; repeated names are numbered.
    pub(crate) fn entrants<G: TerminalGame>(
        &self,
        bots: &[String],
        terms: BotTerms<G::Rules>,
    ) -> Result<Vec<Entrant<G>>, Failure> {
        let candidates = self.candidates(bots, terms)?;
        Ok(candidates.into_iter().map(|Candidate { entrant, .. }| entrant).collect())
    }

    /// The bots that the command line names, with their kinds. A hill file stands for all its bots.
    pub(crate) fn candidates<G: TerminalGame>(
        &self,
        bots: &[String],
        terms: BotTerms<G::Rules>,
    ) -> Result<Vec<Candidate<G>>, Failure> {
        self.each(expanded(bots)?, terms).map(|NamedCandidate { loaded, .. }| loaded).collect()
    }

    /// Each bot that the command line names, or why it cannot be loaded, so that the others can be checked.
    pub(crate) fn each_named<G: TerminalGame>(
        &self,
        bots: &[String],
        terms: BotTerms<G::Rules>,
    ) -> Result<Vec<NamedCandidate<G>>, Failure> {
        Ok(self.each(expanded(bots)?, terms).collect())
    }

    /// Loads one bot after another. Repeated names are numbered.
    fn each<G: TerminalGame>(
        &self,
        specs: Vec<String>,
        terms: BotTerms<G::Rules>,
    ) -> impl Iterator<Item = NamedCandidate<G>> {
        let mut taken: Vec<BotName> = Vec::new();
        specs.into_iter().map(move |spec| {
            let loaded = self.numbered(&spec, &taken, terms);
            taken.extend(loaded.iter().map(|candidate| candidate.entrant.name.clone()));
            NamedCandidate { spec, loaded }
        })
    }

    /// The bot that a BOT stands for, under a name that is not taken yet.
    fn numbered<G: TerminalGame>(
        &self,
        spec: &str,
        taken: &[BotName],
        terms: BotTerms<G::Rules>,
    ) -> Result<Candidate<G>, Failure> {
        let mut bot = named_bot(spec)?;
        if let Some(note) = house_bot_note(spec) {
            self.console.report(note);
        }
        let base = bot.name.to_string();
        let mut number = 2;
        while taken.contains(&bot.name) {
            bot.name = bot_name(&format!("{base}-{number}"))?;
            number += 1;
        }
        self.candidate(spec, bot, terms)
    }

    /// One bot of the command line. One of a hill file is loaded as the file says.
    fn candidate<G: TerminalGame>(
        &self,
        spec: &str,
        NamedBot { name, game, environment, kind, author, url }: NamedBot,
        terms: BotTerms<G::Rules>,
    ) -> Result<Candidate<G>, Failure> {
        if let Some((path, wanted)) = in_hill_file(spec) {
            return self.candidate_of_hill_file(&path, wanted, &name, terms);
        }
        if let Some(game) = game.filter(|game| game.name() != G::NAME) {
            let message = format!("{spec}: plays {game}, as its bot.toml says, not {}", G::NAME);
            return Err(Failure::Usage(message));
        }
        let kind = match environment {
            Some(wanted) => self.in_environment(spec, &wanted, kind)?,
            None => kind,
        };
        let program = self.load::<G>(&name, &kind, terms).map_err(|not_ready| match &kind {
            BotKind::House(_) => not_ready.into(),
            BotKind::Command { .. } | BotKind::Java { .. } | BotKind::Remote { .. } => {
                Failure::not_ready(spec, not_ready)
            }
        })?;
        let own_terms = kind.own_terms();
        let entrant = Entrant { author, url, own_terms, ..Entrant::new(name, program) };
        Ok(Candidate { entrant, kind })
    }

    /// The bot with the files of the environment that it asks for.
    fn in_environment(&self, spec: &str, wanted: &str, kind: BotKind) -> Result<BotKind, Failure> {
        let Some(environments) = &self.environments else {
            let wanted = printable(wanted);
            self.console.report(format!(
                "{spec}: environment {wanted:?} is one of a hill; here the bot reads what is installed"
            ));
            return Ok(kind);
        };
        let unknown = |error| Failure::Usage(format!("{spec}: {error}"));
        Ok(kind.in_environment(environments.named(wanted).map_err(unknown)?))
    }

    /// The bot `wanted` of a hill file, under the name `name`.
    fn candidate_of_hill_file<G: TerminalGame>(
        &self,
        path: &Path,
        wanted: &str,
        name: &BotName,
        terms: BotTerms<G::Rules>,
    ) -> Result<Candidate<G>, Failure> {
        let file = HillFile::read(path)?;
        if file.game().name() != G::NAME {
            let game = file.game();
            let message = format!("{}: a hill of {game}, not of {}", path.display(), G::NAME);
            return Err(Failure::Usage(message));
        }
        let found = RefCell::new(BotKind::House(wanted.to_owned()));
        let load = |_: &BotName, kind: &BotKind, of_hill: BotTerms<G::Rules>| {
            found.replace(kind.clone());
            let limits = match self.limits {
                Limits::Usual => terms.limits,
                Limits::OfHill => of_hill.limits,
            };
            self.load::<G>(name, kind, BotTerms { limits, ..terms })
        };
        let entrant = Entrant { name: name.clone(), ..file.entrant(wanted, &load)? };
        Ok(Candidate { entrant, kind: found.into_inner() })
    }

    /// Loads a bot.
    ///
    /// # Errors
    /// Says why the bot cannot play.
    pub(crate) fn load<G: TerminalGame>(
        &self,
        name: &BotName,
        kind: &BotKind,
        terms: BotTerms<G::Rules>,
    ) -> Result<Arc<dyn Program<G>>, BotPreparationError> {
        if let BotKind::House(house_name) = kind {
            return house::<G>(house_name);
        }
        let own_terms = kind.own_terms();
        match self.wanted {
            Wanted::Deterministic if !own_terms.deterministic => {
                return Ok(Arc::new(InertBot(String::new())));
            }
            Wanted::Deterministic | Wanted::All => {}
        }
        let source = source_of(kind).expect("only house bots have no source");
        self.loaded.borrow_mut().insert(name.clone(), kind.clone());
        let settings = self.settings::<G>(terms, &own_terms)?;
        let log = self.log(name, settings.network);
        let log =
            log.map_err(|error| BotPreparationError::arena_error(format!("its log: {error}")))?;
        let outside = ExternalBot::<G>::prepare(name.as_str(), &source, settings, log);
        Ok(Arc::new(outside.map_err(|error| not_prepared(&error))?))
    }

    /// The kind of the external bot that was loaded under this name.
    #[cfg(feature = "workers")]
    pub(super) fn loaded(&self, name: &BotName) -> Option<BotKind> {
        self.loaded.borrow().get(name).cloned()
    }

    /// The conditions under which a bot with terms of its own plays.
    fn settings<G: TerminalGame>(
        &self,
        terms: BotTerms<G::Rules>,
        own_terms: &OwnTerms,
    ) -> Result<ExternalBotSettings, BotPreparationError> {
        let secret = |name: &String| {
            let secret = Secret::from_environment(name);
            secret.map_err(|error| BotPreparationError::secret_error(format!("{name:?}: {error}")))
        };
        let secrets = own_terms.secrets.iter().map(secret).collect::<Result<_, _>>()?;
        let network = if own_terms.network { NetworkAccess::Host } else { NetworkAccess::None };
        let BotTerms { rules, memory, limits } = terms;
        Ok(ExternalBotSettings {
            game: G::NAME,
            rules: rules.to_string(),
            memory,
            limits: limits_of(own_terms, limits),
            isolation: if own_terms.remote { Isolation::Off } else { self.isolation()? },
            network,
            secrets,
            stop: StopFlag::new(Arc::clone(self.console.stop())),
        })
    }

    /// The isolation of external bots. The first call reports the guarantees that are missing.
    fn isolation(&self) -> Result<Isolation, BotPreparationError> {
        let wanted = if self.isolation.no_isolation { Isolation::Off } else { Isolation::On };
        if let Some(gap) = platform_gap(wanted) {
            return Err(BotPreparationError::bot_error(gap.to_owned()));
        }
        let is_first = !self.has_reported.replace(true);
        if self.isolation.no_isolation {
            if is_first {
                self.console
                    .report("--no-isolation: external bots can read and do whatever you can");
                if let Some(limits) = unenforced_limits() {
                    self.console.report(limits);
                }
            }
            return Ok(Isolation::Off);
        }
        let missing = missing_guarantees()
            .map_err(|error| BotPreparationError::arena_error(error.to_string()))?;
        if self.isolation.require_isolation && !missing.is_empty() {
            let missing = missing.join("; ");
            let why = format!("--require-isolation: this machine cannot guarantee: {missing}");
            return Err(BotPreparationError::bot_error(why));
        }
        if is_first {
            for missing in &missing {
                self.console.report(format!("not guaranteed here: {missing}"));
            }
        }
        Ok(Isolation::On)
    }

    fn log(&self, name: &BotName, network: NetworkAccess) -> std::io::Result<BotLog> {
        let Some(folder) = &self.logs else { return Ok(BotLog::default()) };
        let file = folder.create_file(name.as_str(), "log")?;
        Ok(match network {
            NetworkAccess::None => BotLog::with_file(file),
            NetworkAccess::Host => BotLog::with_long_file(file),
        })
    }
}

/// The error of a bot that cannot be prepared.
fn not_prepared(error: &PrepareError) -> BotPreparationError {
    let (why, is_arena_error) = (with_similar(error), error.is_arena_error());
    BotPreparationError { why, is_arena_error, key: error.key() }
}

/// The text of the error, with a similar name of what is missing, or how to get it.
pub(crate) fn with_similar(error: &PrepareError) -> String {
    let similar = if let PrepareError::NoSuch { path, at, .. } = error {
        did_you_mean_file_at(path, at)
    } else if let PrepareError::NoProgram { program, .. } = error {
        if INTERPRETERS.contains(&program.as_str()) {
            "; install it, or put its folder into the PATH".to_owned()
        } else {
            did_you_mean(program, INTERPRETERS)
        }
    } else {
        String::new()
    };
    format!("{error}{similar}")
}

/// The limits of a bot with terms of its own in a hill with these limits. A remote one has more time, for the network.
fn limits_of(own_terms: &OwnTerms, hill: dicehill_arena::Limits) -> dicehill_arena::Limits {
    let own = own_terms.limits.in_place_of(hill);
    if !own_terms.remote {
        return own;
    }
    dicehill_arena::Limits {
        start_ms: own.start_ms + REMOTE_START_MS,
        move_ms: own.move_ms + REMOTE_MOVE_MS,
        ..own
    }
}

/// The terms of a run that no hill describes.
pub(crate) fn default_terms<G: TerminalGame>(rules: G::Rules) -> BotTerms<G::Rules> {
    BotTerms { rules, memory: Default::default(), limits: Default::default() }
}
