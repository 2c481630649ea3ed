//! Plays a hill, shows how far it is, has it recorded, and prints the standings.

use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Bar, BotName, Hill, MOST_PLAY_OFFS, Past, ResultDocument, RunEnd, RunOptions, Schedule,
    run_from,
};
use dicehill_rules::Chance;
use dicehill_store::RunSink;

use crate::args::{BoardFormat, MannerArgs, Style};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::layout::Printer;
use crate::progress::Progress;
use crate::terminal_game::TerminalGame;
use crate::text::{counted, printable, thousands};
use crate::{board, check};

/// How a tournament is carried out.
#[derive(Clone, Copy)]
pub(crate) struct Manner<'a> {
    /// Threads that play.
    pub(crate) jobs: usize,
    /// How the standings are printed.
    pub(crate) style: Style,
    /// Set when somebody interrupts it.
    pub(crate) stop: &'a AtomicBool,
    /// Where it is shown.
    pub(crate) console: &'a Console,
}

impl<'a> Manner<'a> {
    /// As the command line says.
    pub(crate) fn of(args: &MannerArgs, stop: &'a AtomicBool, console: &'a Console) -> Self {
        Self { jobs: jobs(args.jobs), style: args.style, stop, console }
    }
}

/// Where it is recorded.
pub(crate) struct Record {
    pub(crate) sink: RunSink,
    /// What the command that goes on with it names beside the run.
    pub(crate) sources: Vec<String>,
}

impl Record {
    /// The one command that goes on with the run; `None` if nothing of it stays.
    fn command(&self) -> Option<String> {
        let begin = vec!["dicehill".to_owned(), "resume".to_owned(), self.sink.run()?];
        Some(printable(&shell_words::join([begin, self.sources.clone()].concat())))
    }
}

/// Threads that play: as many as somebody wishes, or all cores.
pub(crate) fn jobs(wished: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    wished.map_or_else(cores, usize::from)
}

/// Who does not qualify; what else is found is told.
///
/// # Errors
/// If a bot could not be prepared or started.
pub(crate) fn qualify<G: TerminalGame>(
    hill: &Hill<G>,
    stop: &AtomicBool,
    console: &Console,
) -> Result<Vec<Bar>, Failure> {
    Ok(told(check::qualify(hill, &|_| true, stop, console)?, console))
}

/// The same of one alone: the others have qualified before.
///
/// # Errors
/// If the bot could not be prepared or started.
pub(crate) fn qualify_one<G: TerminalGame>(
    hill: &Hill<G>,
    one: &BotName,
    stop: &AtomicBool,
    console: &Console,
) -> Result<Vec<Bar>, Failure> {
    Ok(told(check::qualify(hill, &|name| name == one, stop, console)?, console))
}

fn told(qualification: check::Qualification, console: &Console) -> Vec<Bar> {
    qualification.remarks.into_iter().for_each(|remark| console.tell(remark));
    qualification.bars
}

/// Plays a hill from where it was left and prints the standings.
pub(crate) fn play<G: TerminalGame>(
    hill: &Hill<G>,
    past: Past<'_>,
    mut record: Option<Record>,
    manner: Manner<'_>,
) -> Result<Outcome, Failure> {
    let chance = Chance::new(hill.seed());
    let games = Schedule::new(hill, &chance, hill.ids().collect()).games();
    let Manner { console, .. } = manner;
    let mut progress = Progress::new(G::TITLE, games, console);
    let options =
        RunOptions { jobs: manner.jobs, most_play_offs: MOST_PLAY_OFFS, stop: manner.stop };
    let mut end = run_from(hill, past, options, &mut |event| {
        if let Some(Record { sink, .. }) = &mut record {
            sink.write(&event)?;
            // What is shown is on disk.
            if progress.is_due() {
                sink.flush()?;
            }
        }
        progress.show(hill, &event);
        Ok(())
    });
    progress.clear();
    if let Some(Record { sink, .. }) = &mut record {
        let flushed = sink.flush();
        end = end.and_then(|end| flushed.map(|()| end));
    }
    match end {
        Ok(RunEnd::Done(result)) => done::<G>(manner, &result),
        Ok(RunEnd::Stopped(result)) => {
            stopped::<G>(result, [progress.done(), games], record.as_ref(), console)
        }
        Err(error) => {
            if let Some(command) = record.as_ref().and_then(Record::command) {
                console.tell(format!("what is stored stays; once there is a remedy: {command}"));
            }
            Err(Failure::Failed(error))
        }
    }
}

fn done<G: TerminalGame>(manner: Manner<'_>, result: &ResultDocument) -> Result<Outcome, Failure> {
    board::write(&mut manner.console.out(), result, G::TITLE, manner.style)?;
    let barred = result.standings.iter().any(|row| row.barred.is_some());
    Ok(if barred { Outcome::Barred } else { Outcome::Done })
}

/// What has been played is not a result: it goes to stderr, and nobody is its champion.
fn stopped<G: TerminalGame>(
    mut result: ResultDocument,
    [done, games]: [u64; 2],
    record: Option<&Record>,
    console: &Console,
) -> Result<Outcome, Failure> {
    (result.champion, result.champion_sure, result.tied) = (None, None, Vec::new());
    // It gives away the dice of the games to come.
    result.seed = String::new();
    if result.pairings.is_empty() {
        result.games = done;
    }
    let done = thousands(done);
    console.tell(format!("interrupted after {done} of {}; so far:", counted(games, "game")));
    let mut board = Vec::new();
    let style = Style { format: BoardFormat::Table, details: false };
    board::write(
        &mut Printer::new(&mut board, console.width_of_messages()),
        &result,
        G::TITLE,
        style,
    )?;
    console.tell(String::from_utf8_lossy(&board).trim_end());
    match record.and_then(Record::command) {
        Some(command) => console.tell(format!("to go on: {command}")),
        None => console.tell("nothing of it is stored: --out FILE or a hill keeps a run"),
    }
    Ok(Outcome::Interrupted)
}
