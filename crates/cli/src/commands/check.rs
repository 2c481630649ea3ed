//! `dicehill check`: qualifies bots.

mod old_mistakes;
mod qualifying_hill;
mod watch;

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use dicehill_arena::{Entrant, OwnTerms, ProgressLine, QualificationReport};
use dicehill_store::{BotPreparationError, BotTerms, HillStore, without_os_error};

use crate::args::CheckArgs;
use crate::bots::{BotLoader, Candidate, NamedCandidate, default_terms, game_and_bots};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::qualification::report::CheckReport;
use crate::qualification::{
    GAMES_WITH_NETWORK, QUALIFICATION_TIME, Qualifier, start_error, verdict,
};
use crate::recorded::SavedPosition;
use crate::seed;
use crate::text::{BAD, printable, styled};
use dicehill_rules::{GameName, with_game};
use old_mistakes::ask_again;
use qualifying_hill::QualifyingHill;
use watch::watch;

/// The number of process failures after which a bot is not asked again: each may have taken as long as the
/// clock allows.
const PATIENCE: usize = 5;

/// How many games a bot plays, unless the command line says so.
const fn usual_games(own_terms: &OwnTerms) -> u64 {
    if own_terms.network { GAMES_WITH_NETWORK } else { 50 }
}

pub(crate) fn check(args: &CheckArgs, console: &Console) -> Result<Outcome, Failure> {
    let (game, bots) = game_and_bots_of(args)?;
    if args.watch {
        let seed = master_seed(args, console)?;
        return with_game!(game, G => watch::<G>(bots, args, seed, console));
    }
    let console = &console.of_verdict();
    if let Some(path) = &args.positions {
        return with_game!(game, G => ask_again::<G>(path, bots, args, console));
    }
    with_game!(game, G => check_game::<G>(args, bots, console))
}

/// The game and the bots. A hill and a file of positions have one game, which need not be named.
fn game_and_bots_of(args: &CheckArgs) -> Result<(GameName, &[String]), Failure> {
    let is_game = args.words.first().is_some_and(|word| word.parse::<GameName>().is_ok());
    match (&args.hill, &args.positions) {
        (Some(path), _) if !is_game => Ok((HillStore::open(path)?.hill().game(), &args.words)),
        (_, Some(path)) if !is_game => Ok((SavedPosition::game_of(path)?, &args.words)),
        (_, _) => game_and_bots(&args.words),
    }
}

/// The hill whose new entrants the bots would be, if one is named.
fn store(args: &CheckArgs, named: &str) -> Result<Option<HillStore>, Failure> {
    let Some(path) = &args.hill else { return Ok(None) };
    let store = HillStore::open(path)?;
    let game = store.hill().game();
    if game.name() != named {
        let message = format!("--hill {}: a hill of {game}, not of {named}", path.display());
        return Err(Failure::Usage(message));
    }
    Ok(Some(store))
}

/// The terms on which bots are checked.
fn terms<G: TerminalGame>(
    args: &CheckArgs,
    store: Option<&HillStore>,
) -> Result<BotTerms<G::Rules>, Failure> {
    match store {
        None => Ok(default_terms::<G>(args.variant.rules::<G>()?)),
        Some(store) => Ok(store.hill().bot_terms::<G>(store.path())?),
    }
}

/// The typed seed, or a new one, which is reported at once so that the check can be repeated even if it is interrupted.
fn master_seed(args: &CheckArgs, console: &Console) -> Result<String, Failure> {
    match &args.seed {
        Some(typed) => Ok(typed.clone()),
        None => {
            let drawn = seed::draw()?;
            console.report(format!("seed: {drawn}"));
            Ok(drawn)
        }
    }
}

fn check_game<G: TerminalGame>(
    args: &CheckArgs,
    bots: &[String],
    console: &Console,
) -> Result<Outcome, Failure> {
    let store = store(args, G::NAME)?;
    let terms = terms::<G>(args, store.as_ref())?;
    let loader =
        BotLoader::new(args.logs.folder(), args.isolation, console)?.with_limits_of_hills();
    let loader = match &store {
        Some(store) => loader.with_environments(store)?,
        None => loader,
    };
    let report = args.report.as_deref().map(CheckReport::create).transpose()?;
    let named = loadable(loader.each_named::<G>(bots, terms)?)?;
    let seed = master_seed(args, console)?;
    let qualifying = QualifyingHill::new(store.as_ref(), terms, &seed, &loader)?;
    let positions = G::rare_positions(terms.rules);
    let time = args.games.is_none().then_some(QUALIFICATION_TIME);
    let qualifier = Qualifier { positions, time, patience: PATIENCE, stop: None, console };
    let count = named.len();
    let names_arguments = count > 1;
    let refused = Vec::new();
    let mut checks =
        Checks { args, names_arguments, qualifying, qualifier, report, refused, console };
    for (index, NamedCandidate { spec, loaded }) in named.into_iter().enumerate() {
        match loaded {
            Ok(Candidate { entrant, .. }) => {
                let title = format!("{} ({} of {count})", entrant.name, index + 1);
                checks.check(&spec, &entrant, &title, &seed)?;
            }
            Err(failure) => checks.refuse(&spec, &failure, &seed)?,
        }
    }
    checks.finish(count)
}

/// The bots, of which one at least can be loaded.
///
/// # Errors
/// If none can be loaded, or the machine is at fault.
fn loadable<G: TerminalGame>(
    named: Vec<NamedCandidate<G>>,
) -> Result<Vec<NamedCandidate<G>>, Failure> {
    let is_loaded = named.iter().any(|one| one.loaded.is_ok());
    let is_fatal = |failure: &Failure| !is_loaded || !failure.is_of_input();
    let (fatal, others): (Vec<_>, Vec<_>) =
        named.into_iter().partition(|one| one.loaded.as_ref().is_err_and(is_fatal));
    match fatal.into_iter().find_map(|one| one.loaded.err()) {
        Some(failure) => Err(failure),
        None => Ok(others),
    }
}

/// The bots of one command, checked one after the other.
struct Checks<'a, G: TerminalGame> {
    args: &'a CheckArgs,
    /// Whether a bot with another name than its file is reported with the argument that it comes from.
    names_arguments: bool,
    qualifying: QualifyingHill<'a, G>,
    qualifier: Qualifier<'a, G>,
    report: Option<CheckReport>,
    /// The names of those that do not qualify.
    refused: Vec<String>,
    console: &'a Console,
}

impl<G: TerminalGame> Checks<'_, G> {
    /// Checks a bot, which `spec` names on the command line.
    fn check(
        &mut self,
        spec: &str,
        entrant: &Entrant<G>,
        title: &str,
        seed: &str,
    ) -> Result<(), Failure> {
        let (hill, id) = self.qualifying.with(entrant)?;
        let games = self.args.games.map_or(usual_games(&entrant.own_terms), u64::from);
        let check = self.qualifier.qualify(&hill, id, games, title);
        let check = check.map_err(|error| start_error(&entrant.name, &error))?;
        self.console.emit(&ProgressLine::QualificationFinished {
            bot: entrant.name.to_string(),
            qualified: check.findings.is_empty(),
            findings: check.findings.len() as u64,
        });
        let mut out = self.console.out();
        verdict::write(&mut out, entrant, &check)?;
        for remark in remarks(entrant, &check)? {
            writeln!(out, "  note: {}", printable(&remark))?;
        }
        if self.names_arguments && !is_named_after(entrant, spec) {
            writeln!(out, "  note: this is {}", printable(spec))?;
        }
        if let Some(report) = &mut self.report {
            report.add(spec, entrant, &check, seed)?;
        }
        if !check.findings.is_empty() {
            self.refused.push(entrant.name.to_string());
        }
        Ok(())
    }

    /// Reports that a BOT cannot be loaded.
    fn refuse(&mut self, spec: &str, failure: &Failure, seed: &str) -> Result<(), Failure> {
        let text = without_os_error(&failure.to_string());
        let why = text.strip_prefix(spec).and_then(|rest| rest.strip_prefix(": "));
        let why = why.unwrap_or(&text);
        let verdict = styled(BAD, "not qualified");
        writeln!(self.console.out(), "{}: {verdict}: {}", printable(spec), printable(why))?;
        if let Some(report) = &mut self.report {
            report.add_unloaded(spec, why, seed)?;
        }
        self.refused.push(spec.to_owned());
        Ok(())
    }

    /// How many of several bots qualify, and the outcome.
    fn finish(self, count: usize) -> Result<Outcome, Failure> {
        let Self { refused, console, .. } = self;
        if count > 1 {
            let good = count - refused.len();
            let others = match refused.as_slice() {
                [] => String::new(),
                names => format!("; not qualified: {}", printable(&names.join(", "))),
            };
            writeln!(console.out(), "{good} of {count} bots qualified{others}")?;
        }
        Ok(if refused.is_empty() { Outcome::Done } else { Outcome::Barred })
    }
}

/// Whether the name of a bot is that of its file or folder, or it has none.
fn is_named_after<G: TerminalGame>(entrant: &Entrant<G>, spec: &str) -> bool {
    let name = OsStr::new(entrant.name.as_str());
    let Ok(path) = Path::new(spec).canonicalize() else { return true };
    path.file_stem() == Some(name) || path.iter().any(|part| part == name)
}

/// What the bot's program says of itself.
///
/// # Errors
/// If it could not be asked, unless a finding already says that the bot does not start.
fn remarks<G: TerminalGame>(
    entrant: &Entrant<G>,
    check: &QualificationReport,
) -> Result<Vec<String>, Failure> {
    match entrant.program.remarks() {
        Err(failure) if !failure.reason.is_arena_error() && !check.findings.is_empty() => {
            Ok(Vec::new())
        }
        remarks => remarks.map_err(|failure| {
            let is_arena_error = failure.reason.is_arena_error();
            Failure::not_ready(
                &entrant.name,
                BotPreparationError { why: failure.detail, is_arena_error, key: None },
            )
        }),
    }
}
