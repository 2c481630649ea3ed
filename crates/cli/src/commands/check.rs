//! `dicehill check`: qualifies bots.

mod old_mistakes;
mod qualifying_hill;
mod watch;

use std::io::Write;

use dicehill_arena::{Entrant, OwnTerms, ProgressLine, QualificationReport};
use dicehill_store::{BotPreparationError, BotTerms, HillStore};

use crate::args::CheckArgs;
use crate::bots::{BotLoader, default_terms, game_and_bots};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::qualification::report::CheckReport;
use crate::qualification::{GAMES_WITH_NETWORK, Qualifier, start_error, verdict};
use crate::seed;
use crate::text::printable;
use dicehill_rules::with_game;
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
    let (game, bots) = game_and_bots(&args.words)?;
    if let Some(path) = &args.positions {
        return with_game!(game, G => ask_again::<G>(path, bots, args, console));
    }
    if args.watch {
        let seed = master_seed(args, console)?;
        return with_game!(game, G => watch::<G>(bots, args, seed, console));
    }
    with_game!(game, G => check_game::<G>(args, bots, console))
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
    let mut report = args.report.as_deref().map(CheckReport::create).transpose()?;
    let entrants = loader.entrants::<G>(bots, terms)?;
    let seed = master_seed(args, console)?;
    let qualifying = QualifyingHill::new(store.as_ref(), terms, &seed, &loader)?;
    let positions = G::rare_positions(terms.rules);
    let qualifier = Qualifier { positions, patience: PATIENCE, stop: None, console };
    let mut out = console.out();
    let mut outcome = Outcome::Done;
    for (index, entrant) in entrants.iter().enumerate() {
        let title = format!("{} ({} of {})", entrant.name, index + 1, entrants.len());
        let (hill, id) = qualifying.with(entrant)?;
        let games = args.games.map_or(usual_games(&entrant.own_terms), u64::from);
        let check = qualifier.qualify(&hill, id, games, &title);
        let check = check.map_err(|error| start_error(&entrant.name, &error))?;
        console.emit(&ProgressLine::QualificationFinished {
            bot: entrant.name.to_string(),
            qualified: check.findings.is_empty(),
            findings: check.findings.len() as u64,
        });
        verdict::write(&mut out, entrant, &check)?;
        for remark in remarks(entrant, &check)? {
            writeln!(out, "  note: {}", printable(&remark))?;
        }
        if let Some(report) = &mut report {
            report.add(entrant, &check, &seed)?;
        }
        if !check.findings.is_empty() {
            outcome = Outcome::Barred;
        }
    }
    Ok(outcome)
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
