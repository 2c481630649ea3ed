//! `dicehill resume`: goes on with a run that was left.

use std::io::Write;

use dicehill_arena::{Header, Hill, Past};
use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{BrokenEnd, HillStore, LogWriter, RunSink, RunSource};

use crate::args::ResumeArgs;
use crate::bot_spec::Cast;
use crate::checks;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::players::{Players, hill_of};
use crate::terminal_game::TerminalGame;
use crate::text;
use crate::tournament::{self, Manner, Record};

pub(crate) fn resume(args: &ResumeArgs, console: &Console) -> Result<Outcome, Failure> {
    let source = RunSource::open(&args.run, BrokenEnd::LeaveOut)?;
    match source.header().hill.game {
        GameName::Yahtzee => resume_run::<Yahtzee>(source, args, console),
        GameName::LiarsDice => resume_run::<LiarsDice>(source, args, console),
    }
}

fn resume_run<G: TerminalGame>(
    source: RunSource,
    args: &ResumeArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    if let Some(result) = source.result() {
        checks::refuse_altered_run::<G>(&source)?;
        console.tell(format!("{}: this run has come to its end already", args.run.display()));
        writeln!(console.out(), "{result}")?;
        return Ok(Outcome::Done);
    }
    checks::of_run::<G, _>(&source)?.refuse_altered()?;
    let cast = Cast::of(&args.outside, console)?;
    let header = source.header().clone();
    if !header.has_hash() {
        console.tell(format!("{}: header: {}", args.run.display(), text::NO_HEADER_HASH));
    }
    let terms = header.hill.terms::<G>(&args.run)?;
    let players = Players::<G>::of(&source, &args.bots, &cast, terms)?;
    let entrants = players.everybody(&args.run, &header)?;
    let mut hill = hill_of(&args.run, &header, terms, entrants)?;
    if let RunSource::Stored { store, run, .. } = &source
        && let Some(commitment) = store.commitment_of(run.run)?
    {
        hill = hill.committed(commitment);
    }
    if hill.start_value().is_some() && !hill.has_appraiser() {
        let message = "cannot go on as it began: nobody here appraises its games as they were";
        return Err(source.error(None, message).into());
    }
    if let Some(difference) = header.difference(&Header::new(&hill)) {
        let message = format!("cannot go on as it began: {difference}");
        return Err(source.error(None, message).into());
    }
    let stop = interrupt::stop_flag(console)?;
    let manner = Manner::of(&args.manner, &stop, console);
    match source {
        RunSource::Log { path, games } if games.count() == 0 => {
            // The bars of the qualification may not all be there: it begins anew.
            begin_anew(LogWriter::behind_header(&path, &games)?, &hill, args, manner, console)
        }
        RunSource::Log { path, games } => {
            let sink = RunSink::Log(LogWriter::resume(&path, &games)?);
            let bars = games.bars().to_vec();
            let past = Past { bars, games: &*games, goes_on: true, records: None };
            tournament::play(&hill, past, Some(record(sink, args)), manner)
        }
        RunSource::Stored { store, run, .. } => {
            // Read again once nobody else can write.
            let store = HillStore::open_to_write(store.path())?;
            let run = store.run(run.run)?;
            let games = store.games(&run)?;
            let records = run.records_hash(store.path())?;
            let sink = RunSink::Store(store.resume_run(run.run, &games)?);
            let past = Past { bars: run.bars, games: &games, goes_on: true, records };
            tournament::play(&hill, past, Some(record(sink, args)), manner)
        }
    }
}

fn record(sink: RunSink, args: &ResumeArgs) -> Record {
    Record { sink, sources: args.bots.clone() }
}

fn begin_anew<G: TerminalGame>(
    log: LogWriter,
    hill: &Hill<G>,
    args: &ResumeArgs,
    manner: Manner<'_>,
    console: &Console,
) -> Result<Outcome, Failure> {
    let bars = tournament::qualify(hill, manner.stop, console)?;
    tournament::play(hill, Past::qualified(bars), Some(record(RunSink::Log(log), args)), manner)
}
