//! `dicehill resume`: resumes an interrupted run.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_arena::{Header, Hill, ResultDocument, ResumeState};
use dicehill_store::{
    EntryStore, FileError, HillStore, LogWriter, RecordedBot, RecordedRun, RunSink, RunSource,
    TruncatedTail, command_word,
};

use crate::args::{BoardFormat, HostingArgs, ResumeArgs};
use crate::board;
use crate::bots::BotLoader;
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::qualification::qualify;
use crate::recorded::{RunEntrants, checks, recorded_hill};
use crate::text::{self, thousands};
use crate::tournament::{Recording, RunSettings, StopWatch, check_hosting, play_or_host};
use dicehill_rules::with_game;

/// The recorded games from which on their check is announced.
const MANY_GAMES: u64 = 20_000;

pub(crate) fn resume(args: &ResumeArgs, console: &Console) -> Result<Outcome, Failure> {
    // From here on, a signal ends the command in order, also while many games are read.
    let stop = interrupt::stop_flag(console)?;
    let tail = if args.discard_torn { TruncatedTail::Discard } else { TruncatedTail::Ignore };
    let source = RunSource::open(&args.run, tail)?;
    if stop.load(Ordering::Relaxed) {
        return Ok(Outcome::Interrupted);
    }
    with_game!(source.header().hill.game(), G => resume_run::<G>(&source, args, &stop, console))
}

fn resume_run<G: TerminalGame>(
    source: &RunSource,
    args: &ResumeArgs,
    stop: &Arc<AtomicBool>,
    console: &Console,
) -> Result<Outcome, Failure> {
    if let RecordedRun::Log { path, games } = &**source
        && let Some(bot) = games.excerpt()
    {
        let message = format!("has only the games of {bot}: such a log cannot be resumed");
        return Err(FileError::new(path, message).into());
    }
    if source.has_result() {
        checks::refuse_altered_run::<G>(source)?;
        return show_result::<G>(source, args, console);
    }
    let recorded = source.count();
    if recorded >= MANY_GAMES {
        let (run, games) = (args.run.display(), thousands(recorded));
        console.report(format!("{run}: checking {games} recorded games"));
    }
    let checked = checks::check_of::<G>(source)?.until(stop).refuse_altered();
    if stop.load(Ordering::Relaxed) {
        return Ok(Outcome::Interrupted);
    }
    checked?;
    refuse_barred(source)?;
    let loader = BotLoader::of(&args.external, console)?.with_trust(args.trust);
    let loader = loader.with_environments_of(source)?;
    let (hill, _files) = hill_to_resume::<G>(source, args, &loader, console)?;
    let hosting = (&args.hosting, &loader);
    play_rest(source, &hill, args, RunSettings::of(&args.settings, stop, console), hosting)
}

/// Reports what was removed from the end of a log, which a crash had left there.
fn report_removed(source: &RecordedRun, console: &Console) {
    let RecordedRun::Log { path, games } = source else { return };
    if let Some(torn) = games.torn_tail() {
        console.report(format!("{}: removed: {torn}", path.display()));
    }
}

/// Prints the result of a run that has ended, as its first end did.
fn show_result<G: TerminalGame>(
    source: &RecordedRun,
    args: &ResumeArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    if let RecordedRun::Log { path, games } = source
        && games.torn_tail().is_some()
    {
        drop(LogWriter::resume(path, games)?);
        report_removed(source, console);
    }
    console.report(format!("{}: this run has ended already; its result:", args.run.display()));
    let mut out = console.out();
    let style = args.settings.style;
    let Some(mut result) = source.result_reader() else { return Ok(Outcome::Done) };
    if style.format == BoardFormat::Json {
        io::copy(&mut result, &mut out.verbatim())?;
        writeln!(out.verbatim())?;
        return Ok(Outcome::Done);
    }
    let mut text = String::new();
    result.read_to_string(&mut text)?;
    let document = ResultDocument::read::<G>(&text)
        .map_err(|error| source.error(None, format!("its result: {error}")))?;
    board::write(&mut out, &document, G::TITLE, style)?;
    Ok(Outcome::Done)
}

/// Refuses to resume a run of a hill with an entrant that the host has barred since. What the run has recorded would then be
/// about another set of entrants, so that it cannot continue without the entrant either.
fn refuse_barred(source: &RecordedRun) -> Result<(), Failure> {
    let RecordedRun::Stored { store, run } = source else { return Ok(()) };
    let entries = EntryStore::open_to_read(store.path())?;
    for RecordedBot { name, .. } in &run.header.bots {
        let plays = !run.bars.iter().any(|bar| bar.bot.as_str() == name.as_str());
        if plays && entries.is_barred(name.as_str())? {
            let hill = command_word(store.path());
            let message = format!(
                "the host has barred {:?}, which plays in this run; `dicehill hill run {hill}` plays a run without it, \
                 and `dicehill hill add {hill} BOT` adds it again",
                name.as_str()
            );
            return Err(source.error(None, message).into());
        }
    }
    Ok(())
}

/// The hill of the run as its bots are now, and what keeps their files.
///
/// # Errors
/// If it is not the hill that began the run.
fn hill_to_resume<G: TerminalGame>(
    source: &RunSource,
    args: &ResumeArgs,
    loader: &BotLoader,
    console: &Console,
) -> Result<(Hill<G>, RunEntrants<G>), Failure> {
    let header = source.header();
    if !header.has_hash() {
        console.report(format!("{}: header: {}", args.run.display(), text::NO_HEADER_HASH));
    }
    let terms = header.hill.bot_terms::<G>(&args.run)?;
    let found = RunEntrants::<G>::of(source, &args.bots, loader, terms)?;
    let entrants = found.all(&args.run, header)?;
    let mut hill = recorded_hill(&args.run, header, terms, entrants)?;
    if let RecordedRun::Stored { store, run } = &**source
        && let Some(commitment) = store.commitment_of(run.run)?
    {
        hill = hill.with_commitment(commitment);
    }
    if hill.start_value().is_some() && !hill.has_appraiser() {
        let message =
            "cannot continue as it began: this dicehill cannot appraise its games in the same way";
        return Err(source.error(None, message).into());
    }
    if let Some(difference) = header.difference(&Header::new(&hill)) {
        let message = format!(
            "cannot continue as it began: {difference}; put back what has changed, or start another run"
        );
        return Err(source.error(None, message).into());
    }
    let hill = match &**source {
        RecordedRun::Stored { .. } => hill.with_highlights(),
        RecordedRun::Log { .. } => hill,
    };
    Ok((hill, found))
}

/// Plays the games that are not recorded yet.
fn play_rest<G: TerminalGame>(
    source: &RecordedRun,
    hill: &Hill<G>,
    args: &ResumeArgs,
    settings: RunSettings<'_>,
    hosting: (&HostingArgs, &BotLoader),
) -> Result<Outcome, Failure> {
    check_hosting(hosting.0, hill)?;
    match source {
        RecordedRun::Log { path, games } if games.count() == 0 => {
            // The bars of the qualification may be incomplete: all bots are qualified again.
            let log = LogWriter::resume_after_header(path, games)?;
            report_removed(source, settings.console);
            let bars = qualify(hill, &|_| true, settings.stop, settings.console)?;
            let Some(bars) = bars else { return Ok(Outcome::Interrupted) };
            let recording = recording(RunSink::Log(log), args);
            play_or_host(hill, ResumeState::fresh(bars), Some(recording), settings, hosting)
        }
        RecordedRun::Log { path, games } => {
            let sink = RunSink::Log(LogWriter::resume(path, games)?);
            report_removed(source, settings.console);
            let bars = games.bars().to_vec();
            let recorded = games.count();
            let past =
                ResumeState { bars, games: &**games, is_resumed: true, recorded, records: None };
            play_or_host(hill, past, Some(recording(sink, args)), settings, hosting)
        }
        RecordedRun::Stored { store, run } => {
            // The run is read again once no other process can write.
            let store = HillStore::open_to_write(store.path())?;
            let run = store.run(run.run)?;
            let games = store.games(&run)?;
            let records = run.records_hash(store.path())?;
            let stop_watch = Some(StopWatch::start(store.path(), settings.stop)?);
            // The host may have barred a bot while the others were prepared.
            refuse_barred(source)?;
            let sink = RunSink::Store(store.resume_run(run.run, &games)?);
            let (bars, recorded) = (run.bars, games.count());
            let past = ResumeState { bars, games: &games, is_resumed: true, recorded, records };
            let recording = Recording { stop_watch, ..recording(sink, args) };
            play_or_host(hill, past, Some(recording), settings, hosting)
        }
    }
}

fn recording(sink: RunSink, args: &ResumeArgs) -> Recording {
    Recording { stop_watch: None, sink, sources: args.bots.clone() }
}
