//! What a BOT on the command line stands for.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dicehill_arena::{BotName, Entrant, Program};
use dicehill_link::{BotLog, GUARANTEES, Guarantee, Isolation, Outside, Source, Terms};
use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{BotFile, BotFolder, BotKind, HillFile, HillTerms, NotReady};

use crate::args::{Apart, OutsideArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::terminal_game::TerminalGame;
use crate::text::printable;

/// Somebody who wants to play.
pub(crate) struct Candidate<G: TerminalGame> {
    pub(crate) entrant: Entrant<G>,
    /// What it plays with.
    pub(crate) kind: BotKind,
}

/// What a bot outside is made of; `None` of a house bot.
pub(crate) fn source(kind: &BotKind) -> Option<Source> {
    match kind.clone() {
        BotKind::House(_) => None,
        BotKind::Command { command, base, dir, build, read } => {
            Some(Source::Command { command, base, dir, build, read })
        }
        BotKind::Java { path, class, read } => Some(Source::Java { path, class, read }),
    }
}

/// The house bot with this name.
fn house<G: TerminalGame>(name: &str) -> Result<Arc<dyn Program<G>>, NotReady> {
    match G::house_bots().into_iter().find(|bot| bot.name() == name) {
        Some(bot) => Ok(Arc::new(bot)),
        None => Err(NotReady::of_bot(format!("{name:?}: {}", why_unknown::<G>(name)))),
    }
}

fn why_unknown<G: TerminalGame>(name: &str) -> String {
    match GameName::ALL.into_iter().find(|game| house_names(*game).contains(&name)) {
        Some(other) => format!("this house bot plays {other}, not {}", G::NAME),
        None => {
            let names = names::<G>().join(", ");
            format!("no such house bot; those for {} are {names}", G::NAME)
        }
    }
}

fn house_names(game: GameName) -> Vec<&'static str> {
    match game {
        GameName::Yahtzee => names::<Yahtzee>(),
        GameName::LiarsDice => names::<LiarsDice>(),
    }
}

fn names<G: TerminalGame>() -> Vec<&'static str> {
    G::house_bots().iter().map(dicehill_bots::House::name).collect()
}

/// The games that a BOT of the command line can play, as far as can be told without starting it.
pub(crate) fn games_of(spec: &str) -> Result<Vec<GameName>, Failure> {
    if let Some((path, _)) = from_hill(spec) {
        return Ok(vec![HillFile::read(&path)?.game()]);
    }
    let BotKind::House(name) = named(spec)?.kind else { return Ok(GameName::ALL.into()) };
    let plays = |game: &GameName| house_names(*game).contains(&name.as_str());
    let games: Vec<_> = GameName::ALL.into_iter().filter(plays).collect();
    if games.is_empty() {
        let message = format!("{name:?}: no such house bot; `dicehill bots` lists them");
        return Err(Failure::Usage(message));
    }
    Ok(games)
}

/// How bots are made ready.
pub(crate) struct Cast {
    /// Where their logs go.
    logs: Option<BotFolder>,
    limits: WhoseLimits,
    apart: Apart,
    /// Whether it has been said how far bots outside are kept apart.
    told: Cell<bool>,
    console: Console,
}

/// What a bot from a hill file may use.
#[derive(Clone, Copy)]
enum WhoseLimits {
    /// What everybody may: they play against each other.
    Everybodys,
    /// What its hill allows.
    ItsHills,
}

/// A bot that the command line names, not made ready yet.
struct Named {
    name: BotName,
    kind: BotKind,
    author: Option<String>,
    url: Option<String>,
}

impl Cast {
    /// Bots outside run as the command line says.
    pub(crate) fn of(args: &OutsideArgs, console: &Console) -> Result<Self, Failure> {
        Self::new(args.logs.folder(), args.apart, console)
    }

    /// Bots whose logs go to files in `logs`, or nowhere.
    pub(crate) fn new(
        logs: Option<&Path>,
        apart: Apart,
        console: &Console,
    ) -> Result<Self, Failure> {
        let create = |folder: &Path| {
            let failed = |error| Failure::Usage(format!("--logs {}: {error}", folder.display()));
            BotFolder::create(folder).map_err(failed)
        };
        let (logs, limits) = (logs.map(create).transpose()?, WhoseLimits::Everybodys);
        Ok(Self { logs, limits, apart, told: Cell::new(false), console: console.clone() })
    }

    /// Bots from hill files may use what their hills allow.
    pub(crate) fn with_limits_of_hills(self) -> Self {
        Self { limits: WhoseLimits::ItsHills, ..self }
    }

    /// Everybody that the command line names; who is named twice is numbered.
    pub(crate) fn entrants<G: TerminalGame>(
        &self,
        bots: &[String],
        terms: HillTerms<G::Rules>,
    ) -> Result<Vec<Entrant<G>>, Failure> {
        let candidates = self.candidates(bots, terms)?;
        Ok(candidates.into_iter().map(|Candidate { entrant, .. }| entrant).collect())
    }

    /// The same with what each plays with. A hill file stands for all its bots.
    pub(crate) fn candidates<G: TerminalGame>(
        &self,
        bots: &[String],
        terms: HillTerms<G::Rules>,
    ) -> Result<Vec<Candidate<G>>, Failure> {
        let mut candidates: Vec<Candidate<G>> = Vec::new();
        for spec in all_of_hills(bots)? {
            let mut bot = named(&spec)?;
            let base = bot.name.to_string();
            let mut number = 2;
            while candidates.iter().any(|other| other.entrant.name == bot.name) {
                bot.name = bot_name(&format!("{base}-{number}"))?;
                number += 1;
            }
            candidates.push(self.candidate(&spec, bot, terms)?);
        }
        Ok(candidates)
    }

    fn candidate<G: TerminalGame>(
        &self,
        spec: &str,
        Named { name, kind, author, url }: Named,
        terms: HillTerms<G::Rules>,
    ) -> Result<Candidate<G>, Failure> {
        if let Some((path, wanted)) = from_hill(spec) {
            let file = HillFile::read(&path)?;
            if file.game().name() != G::NAME {
                let game = file.game();
                let message = format!("{}: a hill of {game}, not of {}", path.display(), G::NAME);
                return Err(Failure::Usage(message));
            }
            let found = RefCell::new(kind);
            let ready = |_: &BotName, kind: &BotKind, of_hill: HillTerms<G::Rules>| {
                found.replace(kind.clone());
                let limits = match self.limits {
                    WhoseLimits::Everybodys => terms.limits,
                    WhoseLimits::ItsHills => of_hill.limits,
                };
                self.ready::<G>(&name, kind, HillTerms { limits, ..terms })
            };
            let entrant = Entrant { name: name.clone(), ..file.entrant(wanted, &ready)? };
            return Ok(Candidate { entrant, kind: found.into_inner() });
        }
        let program = self.ready::<G>(&name, &kind, terms).map_err(|not_ready| match &kind {
            BotKind::House(_) => not_ready.into(),
            BotKind::Command { .. } | BotKind::Java { .. } => Failure::not_ready(spec, not_ready),
        })?;
        let entrant = Entrant { author, url, ..Entrant::new(name, program) };
        Ok(Candidate { entrant, kind })
    }

    /// Makes a bot ready, or says why that cannot be.
    pub(crate) fn ready<G: TerminalGame>(
        &self,
        name: &BotName,
        kind: &BotKind,
        terms: HillTerms<G::Rules>,
    ) -> Result<Arc<dyn Program<G>>, NotReady> {
        if let BotKind::House(house_name) = kind {
            return house::<G>(house_name);
        }
        let source = source(kind).expect("all others are outside");
        let isolation = self.isolation()?;
        let log = self.log(name);
        let log = log.map_err(|error| NotReady::of_arena(format!("its log: {error}")))?;
        let HillTerms { rules, memory, limits } = terms;
        let game = G::NAME;
        let terms = Terms { game, rules: rules.to_string(), memory, limits, isolation };
        let outside = Outside::<G>::prepare(name.as_str(), &source, terms, log);
        Ok(Arc::new(outside.map_err(|error| NotReady {
            why: error.to_string(),
            is_arena_error: error.is_arena_error(),
        })?))
    }

    /// How far bots outside are kept apart, which is said once: whatever cannot be had, and how to get it.
    fn isolation(&self) -> Result<Isolation, NotReady> {
        let is_first = !self.told.replace(true);
        if self.apart.no_isolation {
            if is_first {
                self.console.tell("--no-isolation: bots outside can read and do whatever you can");
            }
            return Ok(Isolation::Off);
        }
        let missing =
            missing_guarantees().map_err(|error| NotReady::of_arena(error.to_string()))?;
        if self.apart.require_isolation && !missing.is_empty() {
            let missing = missing.join("; ");
            let why = format!("--require-isolation: this machine cannot guarantee: {missing}");
            return Err(NotReady::of_bot(why));
        }
        if is_first {
            for missing in &missing {
                self.console.tell(format!("not guaranteed here: {missing}"));
            }
        }
        Ok(Isolation::On)
    }

    fn log(&self, name: &BotName) -> std::io::Result<BotLog> {
        let Some(folder) = &self.logs else { return Ok(BotLog::default()) };
        Ok(BotLog::in_file(folder.begin(name.as_str(), "log")?))
    }
}

/// What this machine cannot guarantee of bots outside, why, and how it could.
///
/// # Errors
/// If that could not be tried.
pub(crate) fn missing_guarantees() -> std::io::Result<Vec<String>> {
    let absent = dicehill_link::survey()?;
    let missing = |guarantee: &Guarantee| {
        let lacking = guarantee.prevented_by(absent);
        let first = lacking.first()?;
        let names: Vec<_> = lacking.iter().map(|absent| absent.mechanism.name()).collect();
        let (what, names, why) = (guarantee.what, names.join(", "), printable(&first.why));
        Some(format!("{what} (no {names}: {why}); to get it: {}", first.mechanism.remedy()))
    };
    Ok(GUARANTEES.iter().filter_map(missing).collect())
}

/// The terms of a game that nobody says anything else about.
pub(crate) fn usual_terms<G: TerminalGame>(rules: G::Rules) -> HillTerms<G::Rules> {
    HillTerms { rules, memory: Default::default(), limits: Default::default() }
}

fn bot_name(text: &str) -> Result<BotName, Failure> {
    BotName::new(text).map_err(|error| Failure::Usage(error.to_string()))
}

/// The BOTs, with `HILL.toml#NAME` for each bot of a hill file that is named as a whole.
fn all_of_hills(bots: &[String]) -> Result<Vec<String>, Failure> {
    let mut all = Vec::new();
    for spec in bots {
        let path = Path::new(spec);
        if path.extension().is_some_and(|extension| extension == "toml") && path.is_file() {
            let file = HillFile::read(path)?;
            all.extend(file.names().map(|name| format!("{spec}#{name}")));
        } else {
            all.push(spec.clone());
        }
    }
    Ok(all)
}

/// The parts of HILL.toml#NAME.
fn from_hill(spec: &str) -> Option<(PathBuf, &str)> {
    let (path, name) = spec.split_once(".toml#")?;
    Some((PathBuf::from(format!("{path}.toml")), name))
}

/// What a BOT stands for: what has the form of one kind is of that kind, and all else is a house
/// bot's name.
fn named(spec: &str) -> Result<Named, Failure> {
    let path = Path::new(spec);
    let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let plain =
        |name: &str, kind| Ok(Named { name: bot_name(name)?, kind, author: None, url: None });
    if let Some((_, name)) = from_hill(spec) {
        return plain(name, BotKind::House(name.to_owned()));
    }
    if path.is_dir() && spec.contains(['/', '.']) || path.join(BotFile::NAME).is_file() {
        let BotFile { name, kind, author, url } = BotFile::read(path)?;
        return Ok(Named { name, kind, author, url });
    }
    let script = |interpreter: &str| command(vec![interpreter.to_owned(), spec.to_owned()]);
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_line = spec.contains(char::is_whitespace) && !path.is_file();
    if let Some("java" | "jar" | "py" | "js" | "mjs" | "cjs") = extension
        && !is_line
        && !path.is_file()
    {
        return Err(Failure::Usage(format!("{spec}: no such file")));
    }
    match extension {
        _ if is_line => {
            let words = shell_words::split(spec)
                .map_err(|error| Failure::Usage(format!("{spec:?}: {error}")))?;
            plain(&name_of_command(&words), command(words))
        }
        Some("java" | "jar") => {
            let (path, read) = (path.to_owned(), Vec::new());
            plain(&stem(), BotKind::Java { path, class: None, read })
        }
        Some("py") => plain(&stem(), script("python3")),
        Some("js" | "mjs" | "cjs") => plain(&stem(), script("node")),
        Some(_) | None if path.is_file() && spec.contains('/') => {
            plain(&stem(), command(vec![spec.to_owned()]))
        }
        Some(_) | None => plain(spec, BotKind::House(spec.to_owned())),
    }
}

/// A command whose files lie where the user is.
fn command(command: Vec<String>) -> BotKind {
    BotKind::Command { command, base: PathBuf::new(), dir: None, build: None, read: Vec::new() }
}

/// The first file among the arguments names a bot, or else the program does.
fn name_of_command(words: &[String]) -> String {
    let file = words.iter().skip(1).find(|word| Path::new(word).is_file());
    let named = file.or(words.first()).map(Path::new).and_then(Path::file_stem);
    named.unwrap_or_default().to_string_lossy().into_owned()
}
