//! Plays a hill, shows the progress, has it recorded, and prints the standings.

use std::io;
use std::sync::atomic::Ordering;
use std::time::Instant;

use dicehill_arena::{
    FormatName, Hill, MAX_PLAY_OFFS, ProgressLine, ResultDocument, ResumeState, RunEnd, RunOptions,
    RunOutcome, Schedule, StandingBar, run_from,
};
use dicehill_rules::Chance;

use super::answer_totals::AnswerTotals;
use super::recording::Recording;
use super::settings::RunSettings;
use crate::args::{BoardFormat, Style};
use crate::board;
use crate::console::Console;
use crate::console::progress::Progress;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::layout::Printer;
use crate::text::{counted, is_absent, thousands};

/// Plays a hill, from the beginning or from where it was left, and prints the standings.
pub(crate) fn play<G: TerminalGame>(
    hill: &Hill<G>,
    past: ResumeState<'_>,
    mut recording: Option<Recording>,
    settings: RunSettings<'_>,
) -> Result<Outcome, Failure> {
    let chance = Chance::new(hill.seed());
    let games = Schedule::new(hill, &chance, hill.ids().collect()).games();
    let RunSettings { console, .. } = settings;
    console.emit(&run_started(hill, games, recording.as_ref()));
    let mut progress = Progress::new(G::TITLE, games, console);
    let mut totals = AnswerTotals::new(hill);
    let mut end = run_from(hill, past, options(hill, settings), &mut |event| {
        if let Some(Recording { sink, .. }) = &mut recording {
            sink.write(&event)?;
            // What is shown is on disk first.
            if progress.is_due() {
                sink.flush()?;
            }
        }
        totals.add(&event);
        progress.show(hill, &event);
        Ok(())
    });
    if let Some(Recording { sink, stop_watch, .. }) = &mut recording {
        // It reads the store, which the sink closes last.
        drop(stop_watch.take());
        let flushed = sink.flush();
        end = end.and_then(|end| flushed.map(|()| end));
    }
    progress.finish(outcome(&end));
    match end {
        Ok(RunEnd::Done(result)) => done::<G>(settings, &result, recording.as_ref()),
        Ok(RunEnd::Stopped(result)) => {
            report_end_of_time(hill, &totals, settings);
            stopped::<G>(result, [progress.done(), games], recording.as_ref(), console)
        }
        Err(error) => {
            report_failed(recording.as_ref(), console);
            Err(Failure::Failed(error))
        }
    }
}

/// Reports what is left of a recorded run that has failed. A pipe or a device keeps no run in any case.
fn report_failed(recording: Option<&Recording>, console: &Console) {
    let Some(recording) = recording.filter(|recording| recording.sink.run().is_some()) else {
        return;
    };
    match recording.resume_command() {
        Some(command) => console.report(format!("progress is saved; to continue: {command}")),
        None => console.report("no part of the run is stored"),
    }
}

/// The first line about the run for programs.
fn run_started<G: TerminalGame>(
    hill: &Hill<G>,
    games: u64,
    recording: Option<&Recording>,
) -> ProgressLine {
    ProgressLine::RunStarted {
        run: recording.and_then(Recording::number),
        record: recording.and_then(|recording| recording.sink.run()),
        hill: hill.name().to_owned(),
        game: G::NAME.to_owned(),
        games,
    }
}

const fn outcome(end: &io::Result<RunEnd>) -> RunOutcome {
    match end {
        Ok(RunEnd::Done(_)) => RunOutcome::Done,
        Ok(RunEnd::Stopped(_)) => RunOutcome::Interrupted,
        Err(_) => RunOutcome::Failed,
    }
}

/// The options of a run that begins now.
pub(super) fn options<'a, G: TerminalGame>(
    hill: &Hill<G>,
    settings: RunSettings<'a>,
) -> RunOptions<'a> {
    RunOptions {
        jobs: settings.jobs,
        max_play_offs: MAX_PLAY_OFFS,
        stop: settings.stop,
        deadline: hill.limits().run_time().map(|time| Instant::now() + time),
    }
}

/// If a run was interrupted because its time was over, reports that, and which bot has used most of it.
fn report_end_of_time<G: TerminalGame>(
    hill: &Hill<G>,
    totals: &AnswerTotals,
    RunSettings { stop, console, .. }: RunSettings<'_>,
) {
    if stop.load(Ordering::Relaxed) {
        return;
    }
    let run_ms = hill.limits().run_ms.unwrap_or_default();
    console.report(format!("the time limit of the run is reached: run_ms = {run_ms}"));
    totals.slowest(hill).into_iter().for_each(|slowest| console.report(slowest));
}

fn done<G: TerminalGame>(
    settings: RunSettings<'_>,
    result: &ResultDocument,
    recording: Option<&Recording>,
) -> Result<Outcome, Failure> {
    let written = result.as_written::<G>();
    board::write(&mut settings.console.out(), &written, G::TITLE, settings.style)?;
    let is_barred = |bar: &StandingBar| !is_absent(&bar.reason);
    if !result.standings.iter().any(|row| row.barred.as_ref().is_some_and(is_barred)) {
        return Ok(Outcome::Done);
    }
    let shows = match recording {
        Some(recording) => recording.failures_command(),
        None => Some("add --out FILE, and then: dicehill replay FILE --failed".to_owned()),
    };
    if let Some(shows) = shows.filter(|_| !settings.style.public) {
        settings.console.report(format!("to show what a barred bot was asked: {shows}"));
    }
    Ok(Outcome::Barred)
}

/// Prints the standings so far to stderr. They are no result and have no champion.
fn stopped<G: TerminalGame>(
    mut result: ResultDocument,
    [done, games]: [u64; 2],
    recording: Option<&Recording>,
    console: &Console,
) -> Result<Outcome, Failure> {
    (result.champion, result.champion_sure, result.tied) = (None, None, Vec::new());
    // The seed would reveal the dice of the remaining games.
    result.terms.seed = None;
    if result.terms.format == FormatName::Challenge {
        result.games = done;
    }
    let done = thousands(done);
    console.report(format!("interrupted after {done} of {}; so far:", counted(games, "game")));
    let mut board = Vec::new();
    let style = Style { format: BoardFormat::Table, details: false, public: false };
    board::write(
        &mut Printer::new(&mut board, console.width_of_messages()),
        &result,
        G::TITLE,
        style,
    )?;
    console.report(String::from_utf8_lossy(&board).trim_end());
    match recording.and_then(Recording::resume_command) {
        Some(command) => console.report(format!("to continue: {command}")),
        None => console.report("it is not stored: use --out FILE or a hill to keep a run"),
    }
    Ok(Outcome::Interrupted)
}
