//! `dicehill resume`: goes on with a run that was left.

use std::io::Write;
use std::sync::Arc;

use dicehill_arena::{BotName, Entrant, Header, Hill, Past, Program};
use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{
    BotKind, BrokenEnd, FileError, HillStore, HillTerms, LogHeader, LogWriter, RunSink, RunSource,
};

use crate::args::ResumeArgs;
use crate::board::Style;
use crate::bot_spec::Cast;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::stored_bots::StoredBots;
use crate::terminal_game::TerminalGame;
use crate::text::tell;
use crate::tournament::{self, Manner, Record, jobs};

pub(crate) fn resume(args: &ResumeArgs) -> Result<Outcome, Failure> {
    let source = RunSource::open(&args.run, BrokenEnd::LeaveOut)?;
    match source.header().hill.game {
        GameName::Yahtzee => resume_run::<Yahtzee>(source, args),
        GameName::LiarsDice => resume_run::<LiarsDice>(source, args),
    }
}

fn resume_run<G: TerminalGame>(source: RunSource, args: &ResumeArgs) -> Result<Outcome, Failure> {
    if let Some(result) = source.result() {
        tell(format!("{}: this run has come to its end already", args.run.display()));
        writeln!(anstream::stdout(), "{result}")?;
        return Ok(Outcome::Done);
    }
    let cast = Cast::new(args.logs.as_deref(), args.apart)?;
    let header = source.header().clone();
    let terms = header.hill.terms::<G>(&args.run)?;
    let (entrants, stored_bots) = match &source {
        RunSource::Log { .. } => (from_the_command_line::<G>(&cast, &header, terms, args)?, None),
        RunSource::Stored { store, run, .. } => {
            let bots = StoredBots::lay_out(store, store.entrants_of(run)?)?;
            (bots.entrants::<G>(&cast, terms)?, Some(bots))
        }
    };
    let draft = header.hill.draft::<G>(terms.rules, header.seed.clone(), entrants);
    let hill = Hill::new(draft).map_err(|error| FileError::new(&args.run, error))?;
    if let Some(difference) = header.difference(&Header::new(&hill)) {
        let message = format!("cannot go on as it began: {difference}");
        return Err(source.error(None, message).into());
    }
    let stop = interrupt::stop_flag()?;
    let style = Style { format: args.format, details: args.details };
    let manner = Manner { jobs: jobs(args.jobs), style, stop: &stop };
    let outcome = match source {
        RunSource::Log { path, games } if games.count() == 0 => {
            // The bars of the qualification may not all be there: it begins anew.
            begin_anew(LogWriter::behind_header(&path, &games)?, &hill, args, manner)
        }
        RunSource::Log { path, games } => {
            let sink = RunSink::Log(LogWriter::resume(&path, &games)?);
            let bars = games.bars().to_vec();
            let past = Past { bars, games: &games, goes_on: true, records: None };
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
    };
    drop(stored_bots);
    outcome
}

fn record(sink: RunSink, args: &ResumeArgs) -> Record {
    Record { sink, sources: args.bots.clone() }
}

fn begin_anew<G: TerminalGame>(
    log: LogWriter,
    hill: &Hill<G>,
    args: &ResumeArgs,
    manner: Manner<'_>,
) -> Result<Outcome, Failure> {
    let bars = tournament::qualify(hill, manner.stop);
    tournament::play(hill, Past::qualified(bars), Some(record(RunSink::Log(log), args)), manner)
}

/// The entrants of a log: house bots are known by what the header says of them, all others are named again.
fn from_the_command_line<G: TerminalGame>(
    cast: &Cast,
    header: &LogHeader,
    terms: HillTerms<G::Rules>,
    args: &ResumeArgs,
) -> Result<Vec<Entrant<G>>, Failure> {
    let named = cast.entrants::<G>(&args.bots, terms)?;
    let missing = |name: &BotName| {
        Failure::Usage(format!(
            "{}: says what {name} is, and not where: name its hill file or the bot behind the run",
            args.run.display()
        ))
    };
    let entrant = |bot: &dicehill_store::LogBot| {
        let given = named.iter().find(|entrant| entrant.name == bot.name);
        let program = match (given, house_name(&bot.hash)) {
            (Some(entrant), _) => Arc::clone(&entrant.program),
            (None, Some(house)) => house_program::<G>(cast, &bot.name, house, terms)?,
            (None, None) => return Err(missing(&bot.name)),
        };
        let (author, url, votes) = (bot.author.clone(), bot.url.clone(), bot.votes);
        Ok(Entrant { name: bot.name.clone(), program, author, url, votes })
    };
    header.bots.iter().map(entrant).collect()
}

fn house_program<G: TerminalGame>(
    cast: &Cast,
    name: &BotName,
    house: &str,
    terms: HillTerms<G::Rules>,
) -> Result<Arc<dyn Program<G>>, Failure> {
    cast.ready::<G>(name, &BotKind::House(house.to_owned()), terms).map_err(Failure::Usage)
}

/// The house bot whose identity this is: `house:NAME@VERSION`.
fn house_name(hash: &str) -> Option<&str> {
    Some(hash.strip_prefix("house:")?.split_once('@')?.0)
}
