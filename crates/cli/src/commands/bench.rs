//! `dicehill bench`: measures a bot against frozen opponents.

mod benchmark;
mod document;
mod signature;
mod signed_line;

use std::io::{self, Write};
use std::time::Instant;

use dicehill_arena::{
    Entrant, Hill, MAX_PLAY_OFFS, ResultDocument, ResumeState, RunEnd, RunOptions, RunOutcome,
    Schedule, run_from,
};
use dicehill_rules::{Chance, with_game};
use dicehill_store::{LogWriter, RunSink};

use self::benchmark::{Benchmark, free_name};
use self::document::{BenchDocument, Estimate};
use self::signature::SigningKey;
pub(crate) use self::signed_line::CheckedResult;
use crate::args::{BenchArgs, TextFormat};
use crate::bots::{BotLoader, default_terms};
use crate::console::progress::Progress;
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::layout::Printer;
use crate::qualification::qualify;
use crate::text::{STRONG, counted, printable, styled};
use crate::tournament::MasterSeed;

pub(crate) fn bench(args: &BenchArgs, console: &Console) -> Result<Outcome, Failure> {
    let benchmark = Benchmark::named(args.benchmark);
    with_game!(benchmark.game, G => measure::<G>(benchmark, args, console))
}

fn measure<G: TerminalGame>(
    benchmark: &Benchmark,
    args: &BenchArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    if args.sign.is_some() && args.format == TextFormat::Text {
        let why = "--sign: only the JSON document can be signed: add --format json";
        return Err(Failure::Usage(why.to_owned()));
    }
    let key = args.sign.as_deref().map(SigningKey::read).transpose()?;
    let opponents = benchmark.entrants::<G>()?;
    let bot = bot::<G>(args, &opponents, console)?;
    let seed = MasterSeed::of(args.seed.as_deref(), None, false)?;
    let for_run = seed.for_run(bot.program.is_outside());
    let draft = benchmark.draft(opponents, bot, &for_run);
    let hill = Hill::new(draft)
        .map_err(|error| Failure::Usage(format!("bench {}: {error}", benchmark.name)))?;
    let hill = match G::appraiser(hill.rules()) {
        Some(appraiser) => hill.with_appraiser(appraiser),
        None => hill,
    };
    let log = args.out.as_deref().map(LogWriter::create).transpose()?;
    seed.report(hill.has_external_bots(), console);
    let Some(result) = play(&hill, log.map(RunSink::Log), args, console)? else {
        console.report("interrupted: a part of a benchmark has no result");
        return Ok(Outcome::Interrupted);
    };
    let document = BenchDocument::new(benchmark, &hill, &result);
    let mut out = console.out();
    match args.format {
        TextFormat::Text => write(&mut out, benchmark, &document)?,
        TextFormat::Json => {
            let line = document.line(key.as_ref())?;
            writeln!(out.verbatim(), "{line}")?;
        }
    }
    Ok(if document.barred.is_some() { Outcome::Barred } else { Outcome::Done })
}

/// The bot that is measured, under a name that no opponent has.
fn bot<G: TerminalGame>(
    args: &BenchArgs,
    opponents: &[Entrant<G>],
    console: &Console,
) -> Result<Entrant<G>, Failure> {
    let loader = BotLoader::of(&args.external, console)?;
    let named = std::slice::from_ref(&args.bot);
    let mut bots = loader.entrants::<G>(named, default_terms::<G>(G::Rules::default()))?;
    match (bots.pop(), bots.len()) {
        (Some(bot), 0) => {
            let name = free_name(bot.name.clone(), opponents);
            Ok(Entrant { name, ..bot })
        }
        (_, others) => {
            let (bot, count) = (&args.bot, others + 1);
            Err(Failure::Usage(format!("{bot}: has {count} bots; name one as {bot}#NAME")))
        }
    }
}

/// Plays the run; `None` if the user interrupts it.
fn play<G: TerminalGame>(
    hill: &Hill<G>,
    mut sink: Option<RunSink>,
    args: &BenchArgs,
    console: &Console,
) -> Result<Option<ResultDocument>, Failure> {
    let stop = interrupt::stop_flag(console)?;
    let Some(bars) = qualify(hill, &|_| true, &stop, console)? else { return Ok(None) };
    let games = Schedule::new(hill, &Chance::new(hill.seed()), hill.ids().collect()).games();
    let mut progress = Progress::new(G::TITLE, games, console);
    let options = RunOptions {
        jobs: args.jobs.jobs(),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: hill.limits().run_time().map(|time| Instant::now() + time),
    };
    let end = run_from(hill, ResumeState::fresh(bars), options, &mut |event| {
        sink.iter_mut().try_for_each(|sink| sink.write(&event))?;
        progress.show(hill, &event);
        Ok(())
    });
    progress.finish(if end.is_ok() { RunOutcome::Done } else { RunOutcome::Failed });
    match end? {
        RunEnd::Done(result) => Ok(Some(result)),
        RunEnd::Stopped(_) => Ok(None),
    }
}

fn write<W: Write>(
    out: &mut Printer<W>,
    benchmark: &Benchmark,
    document: &BenchDocument,
) -> io::Result<()> {
    let BenchDocument { bot, opponents, games, metric, estimate, plain, seed, .. } = document;
    let opponents: Vec<_> = opponents.iter().map(|opponent| opponent.name.as_str()).collect();
    let opponents = opponents.join(", ");
    let (name, games) = (styled(STRONG, benchmark.name), counted(*games, "game"));
    writeln!(out, "{name}: {} in {games} against {opponents}", printable(&bot.name))?;
    if let Some(reason) = &document.barred {
        writeln!(out, "barred: {}", printable(reason))?;
    }
    writeln!(out, "{metric}: {}", in_text(*estimate))?;
    if let Some(plain) = plain {
        writeln!(out, "without luck adjustment: {}", in_text(*plain))?;
    }
    writeln!(out, "seed: {}", printable(seed))
}

/// The value with its 95 % interval: scores to hundredths, shares to ten-thousandths.
fn in_text(estimate: Estimate) -> String {
    let digits = if estimate.value.is_some_and(|value| value >= 2.0) { 2 } else { 4 };
    match estimate {
        Estimate { value: None, .. } => "-".to_owned(),
        Estimate { value: Some(value), ci95: None } => format!("{value:.digits$}"),
        Estimate { value: Some(value), ci95: Some([low, high]) } => {
            format!("{value:.digits$} (95 %: {low:.digits$} to {high:.digits$})")
        }
    }
}
