//! `dicehill hill`: a hill that stands, with its entrants and all its runs in one file.

use std::io::Write;
use std::path::Path;

use dicehill_arena::{
    Commitment, Entrant, Header, HeaderBot, Hill, HillDraft, Memory, Past, Recall, ResultDocument,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{GameName, Secret};
use dicehill_store::{
    BotKind, FileError, HillFile, HillRecord, HillStore, HillTerms, NewEntrant, RunSink,
    RunSummary, StoredEntrant, StoredGames,
};

use crate::args::{
    BoardFormat, HillAddArgs, HillCommand, HillInitArgs, HillRunArgs, HillShowArgs, TournamentArgs,
};
use crate::board::{self, Style};
use crate::bot_spec::{Candidate, Cast};
use crate::failure::{Failure, Outcome};
use crate::place::{Strengths, place};
use crate::stored_bots::{StoredBots, newcomer};
use crate::terminal_game::TerminalGame;
use crate::text::{counted, printable, tell, thousands};
use crate::tournament::{self, Manner, Record, jobs};
use crate::{interrupt, seed};

pub(crate) fn hill(command: &HillCommand) -> Result<Outcome, Failure> {
    match command {
        HillCommand::Init(args) => init(args),
        HillCommand::Add(args) => add(args),
        HillCommand::Run(args) => run(args),
        HillCommand::Commit { hill } => commit(hill),
        HillCommand::Remove { hill, names } => remove(hill, names),
        HillCommand::List { hill } => list(hill),
        HillCommand::Show(args) => show(args),
        HillCommand::Import { hill, log } => import(hill, log),
        HillCommand::Log { hill } => log(hill),
    }
}

/// A new hill, with the terms of a hill file or the usual ones of a game.
fn init(args: &HillInitArgs) -> Result<Outcome, Failure> {
    let from = Path::new(&args.from);
    let record = match args.from.parse::<GameName>() {
        Ok(GameName::Yahtzee) => usual::<Yahtzee>(args)?,
        Ok(GameName::LiarsDice) => usual::<LiarsDice>(args)?,
        Err(error) if !from.exists() && from.extension().is_none() => {
            let message = format!("{error}, or a hill file, which {:?} is not", args.from);
            return Err(Failure::Usage(message));
        }
        Err(_) => HillFile::read(from)?.terms_of_store()?,
    };
    let record = HillRecord { games: args.games.unwrap_or(record.games), ..record };
    let seed = args.seed.clone().or(record.seed);
    let name = args.name.clone().unwrap_or(record.name);
    let record = HillRecord { seed, name, ..record };
    HillStore::create(&args.hill, &record)?;
    let path = args.hill.display();
    tell(format!(
        "{path}: a new hill of {}; `dicehill hill add {path} BOT...` fills it",
        record.game
    ));
    Ok(Outcome::Done)
}

fn usual<G: TerminalGame>(args: &HillInitArgs) -> Result<HillRecord, Failure> {
    let HillDraft { name, format, seats, challenger, games, memory, limits, .. } =
        HillDraft::<G>::challenge(Vec::new(), "");
    if !(1..=1_000_000_000).contains(&args.games.unwrap_or(games)) {
        let games = args.games.unwrap_or(games);
        return Err(Failure::Usage(format!("--games {games}: must be 1 to 1000000000")));
    }
    Ok(HillRecord {
        name,
        game: G::NAME.parse().map_err(|_| Failure::Usage(G::NAME.to_owned()))?,
        rules: G::Rules::default().to_string(),
        format,
        seats,
        challenger,
        strengths: None,
        games,
        memory,
        limits,
        seed: None,
        until: None,
    })
}

fn add(args: &HillAddArgs) -> Result<Outcome, Failure> {
    let store = HillStore::open_to_write(&args.hill)?;
    match store.hill().game {
        GameName::Yahtzee => Tournament::<Yahtzee>::new(store, &args.run)?.add(&args.bots),
        GameName::LiarsDice => Tournament::<LiarsDice>::new(store, &args.run)?.add(&args.bots),
    }
}

fn run(args: &HillRunArgs) -> Result<Outcome, Failure> {
    let store = HillStore::open_to_write(&args.hill)?;
    match store.hill().game {
        GameName::Yahtzee => run_tournament::<Yahtzee>(store, args),
        GameName::LiarsDice => run_tournament::<LiarsDice>(store, args),
    }
}

fn run_tournament<G: TerminalGame>(
    store: HillStore,
    args: &HillRunArgs,
) -> Result<Outcome, Failure> {
    let commitment = if args.committed { Some(committed(&store, args)?) } else { None };
    let tournament = Tournament::<G>::new(store, &args.run)?;
    Tournament { commitment, ..tournament }.play(&[])
}

/// The open commitment, with what comes to it from outside.
fn committed(store: &HillStore, args: &HillRunArgs) -> Result<Commitment, Failure> {
    let path = store.path().display();
    let open = store.open_commitment()?.ok_or_else(|| {
        let message = format!(
            "--committed: {path} has no open commitment; `dicehill hill commit {path}` makes one"
        );
        Failure::Usage(message)
    })?;
    Ok(Commitment { secret: open.secret, public_text: args.public_text.clone() })
}

/// Publishes the hash of a new secret, or that of the one that waits for its tournament.
fn commit(path: &Path) -> Result<Outcome, Failure> {
    let mut store = HillStore::open_to_write(path)?;
    let published = match store.open_commitment()? {
        Some(open) => {
            tell(format!("committed to already, on {}", date(open.made)));
            open.published
        }
        None => {
            let secret = Secret::new(seed::random()?, seed::random()?);
            store.commit(&secret)?;
            secret.commitment()
        }
    };
    writeln!(anstream::stdout(), "{published}")?;
    tell(format!("to play with it: dicehill hill run {} --committed", path.display()));
    Ok(Outcome::Done)
}

/// A tournament that is about to be played on a hill.
struct Tournament<'a, G: TerminalGame> {
    store: HillStore,
    args: &'a TournamentArgs,
    cast: Cast,
    terms: HillTerms<G::Rules>,
    /// From which the seed follows.
    commitment: Option<Commitment>,
}

impl<'a, G: TerminalGame> Tournament<'a, G> {
    fn new(store: HillStore, args: &'a TournamentArgs) -> Result<Self, Failure> {
        let terms = store.hill().terms::<G>(store.path())?;
        if terms.memory == Memory::Set && args.no_moves {
            let message =
                "--no-moves: under memory = \"set\" the moves are needed to go on with a run";
            return Err(Failure::Usage(message.to_owned()));
        }
        let cast = Cast::new(args.logs.as_deref(), args.apart)?;
        Ok(Self { store, args, cast, terms, commitment: None })
    }

    /// Qualifies newcomers, and plays with those who do.
    fn add(self, bots: &[String]) -> Result<Outcome, Failure> {
        let present = self.store.entrants()?;
        let candidates = self.cast.candidates::<G>(bots, self.terms)?;
        for Candidate { entrant, .. } in &candidates {
            let same = |one: &&StoredEntrant| one.name == entrant.name;
            if let Some(known) = present.iter().find(same) {
                if known.identity == entrant.program.identity() {
                    let message = format!("{} is on the hill already, as it is", entrant.name);
                    return Err(Failure::Usage(message));
                }
                tell(format!("{}: version {}", entrant.name, known.number + 1));
            }
        }
        match Strengths::of(&self.store)?.filter(|_| !self.args.full) {
            Some(strengths) => self.place_each(&candidates, strengths),
            None => self.play(&candidates),
        }
    }

    /// One after the other, each among those before it too.
    fn place_each(
        self,
        candidates: &[Candidate<G>],
        mut strengths: Strengths,
    ) -> Result<Outcome, Failure> {
        let Self { store, args, .. } = self;
        let path = store.path().to_owned();
        let hill_seed = store.hill().seed.clone();
        let mut stores = Some(store);
        let mut worst = Outcome::Done;
        for candidate in candidates {
            let store = stores.take().map_or_else(|| HillStore::open_to_write(&path), Ok)?;
            let fixed = args.seed.clone().or_else(|| hill_seed.clone());
            let seed = fixed.map_or_else(seed::draw, Ok)?;
            match place(store, args, &seed, candidate, &strengths)? {
                Outcome::Done => {}
                Outcome::Interrupted => return Ok(Outcome::Interrupted),
                other @ (Outcome::Barred | Outcome::Open | Outcome::Differs) => worst = other,
            }
            if let Some(more) = Strengths::of(&HillStore::open(&path)?)? {
                strengths = more;
            }
        }
        Ok(worst)
    }

    fn play(self, candidates: &[Candidate<G>]) -> Result<Outcome, Failure> {
        let stop = interrupt::stop_flag()?;
        let seed = self.seed()?;
        let is_new = |name: &str| candidates.iter().any(|one| one.entrant.name.as_str() == name);
        let mut present = self.store.entrants()?;
        present.retain(|entrant| !is_new(entrant.name.as_str()));
        let bots = StoredBots::lay_out(&self.store, present)?;
        let mut entrants = bots.entrants::<G>(&self.cast, self.terms)?;
        entrants.extend(candidates.iter().map(|one| one.entrant.clone()));
        let entrants = in_order(&self.store, entrants)?;
        let Some(hill) = self.hill(&seed, entrants)? else {
            return self.only_add(candidates);
        };
        let bars = tournament::qualify(&hill, &stop);
        let (refused, bars): (Vec<_>, Vec<_>) = bars.into_iter().partition(|bar| is_new(&bar.bot));
        if !refused.is_empty() {
            refused.iter().for_each(|bar| tell(crate::progress::describe_bar(bar)));
            let names: Vec<_> = refused.iter().map(|bar| bar.bot.as_str()).collect();
            tell(format!("not added: {}", names.join(", ")));
            return Ok(Outcome::Barred);
        }
        let reused = self.games_to_reuse(&hill)?;
        let newcomers = candidates.iter().map(newcomer).collect::<Result<Vec<_>, _>>()?;
        let style = Style { format: self.args.format, details: self.args.details };
        let manner = Manner { jobs: jobs(self.args.jobs), style, stop: &stop };
        let mut writer = self.store.begin_run(newcomers, !self.args.no_moves)?;
        if let Some(commitment) = &self.commitment {
            writer = writer.committed(commitment);
        }
        tell(format!("run {}, seed {}", writer.run(), hill.seed()));
        let record = Record { sink: RunSink::Store(writer), sources: Vec::new() };
        let games: &dyn Recall = match &reused {
            Some(games) => games,
            None => &dicehill_arena::Nothing,
        };
        let past = Past { bars, games, goes_on: false, records: None };
        tournament::play(&hill, past, Some(record), manner)
    }

    fn seed(&self) -> Result<String, Failure> {
        let fixed = self.args.seed.clone().or_else(|| self.store.hill().seed.clone());
        fixed.map_or_else(seed::draw, Ok)
    }

    /// The tournament; `None` as long as there are too few to play.
    fn hill(&self, seed: &str, entrants: Vec<Entrant<G>>) -> Result<Option<Hill<G>>, Failure> {
        let needed = self.store.hill().seats.unwrap_or(2).max(2) as usize;
        if entrants.len() < needed {
            return Ok(None);
        }
        let draft = self.store.hill().draft::<G>(self.terms.rules, seed.to_owned(), entrants);
        let hill = Hill::new(draft).map_err(|error| FileError::new(self.store.path(), error))?;
        let hill = self.args.luck.appraised(hill);
        Ok(Some(match &self.commitment {
            Some(commitment) => hill.committed(commitment.clone()),
            None => hill,
        }))
    }

    fn only_add(mut self, candidates: &[Candidate<G>]) -> Result<Outcome, Failure> {
        if candidates.is_empty() {
            let count = self.store.entrants()?.len() as u64;
            let message = format!("{} on this hill are too few to play", counted(count, "bot"));
            return Err(FileError::new(self.store.path(), message).into());
        }
        let newcomers = candidates.iter().map(newcomer).collect::<Result<Vec<NewEntrant>, _>>()?;
        self.store.add(&newcomers)?;
        tell("added; the first tournament is played when there are enough to play");
        Ok(Outcome::Done)
    }

    /// The games of the last run of the same seed, rules and terms: those between the same entrants are
    /// not played again. A committed run plays all of its own.
    fn games_to_reuse(&self, hill: &Hill<G>) -> Result<Option<StoredGames>, FileError> {
        if hill.memory() == Memory::Set || hill.commitment().is_some() {
            return Ok(None);
        }
        let header = Header::new(hill);
        for summary in self.store.runs()?.iter().rev() {
            if is_of_the_same_chance(summary, &header) {
                let run = self.store.run(summary.run)?;
                // Who played in a log that was taken in is only said there.
                if !run.keeps_moves || run.versions.contains(&None) {
                    continue;
                }
                let changed = changed_bots(summary, &header);
                return self.store.games(&run).map(|games| Some(games.between_all_but(changed)));
            }
        }
        Ok(None)
    }
}

/// Whether games of a run with the same seats are the same games: same program, rules, seed, terms.
fn is_of_the_same_chance(summary: &RunSummary, header: &Header) -> bool {
    let then = &summary.header;
    then.program == header.program
        && then.seed == header.seed
        && then.hill.rules == header.rules
        && then.hill.format.name() == header.format
        && then.hill.memory.name() == header.memory
        && then.hill.limits == header.limits
        && then.start_value == header.start_value
        && then.hill.games == header.games as i64
}

/// Who plays otherwise than in that run, or did not play in it.
fn changed_bots(summary: &RunSummary, header: &Header) -> Vec<String> {
    let same = |bot: &HeaderBot| {
        let then = summary.header.bots.iter().find(|then| then.name.as_str() == bot.name);
        then.is_some_and(|then| then.hash == bot.hash)
    };
    header.bots.iter().filter(|bot| !same(bot)).map(|bot| bot.name.clone()).collect()
}

/// Everybody in the order of the hill, newcomers last: who comes back in a new version keeps its place.
fn in_order<G: TerminalGame>(
    store: &HillStore,
    mut entrants: Vec<Entrant<G>>,
) -> Result<Vec<Entrant<G>>, Failure> {
    let order: Vec<_> = store.entrants()?.into_iter().map(|entrant| entrant.name).collect();
    let place = |entrant: &Entrant<G>| {
        order.iter().position(|name| *name == entrant.name).unwrap_or(order.len())
    };
    entrants.sort_by_key(place);
    Ok(entrants)
}

fn remove(path: &Path, names: &[String]) -> Result<Outcome, Failure> {
    let mut store = HillStore::open_to_write(path)?;
    for name in names {
        store.remove(name)?;
        tell(format!("{name} is off the hill; its games stay, and the next run is without it"));
    }
    Ok(Outcome::Done)
}

fn list(path: &Path) -> Result<Outcome, Failure> {
    let store = HillStore::open(path)?;
    let mut out = anstream::stdout().lock();
    for entrant in store.entrants()? {
        let StoredEntrant { name, number, identity, kind, author, .. } = entrant;
        let kind = match kind {
            BotKind::House(_) => "house",
            BotKind::Command { .. } => "command",
            BotKind::Java { .. } => "java",
        };
        let author = author.map_or_else(String::new, |author| format!("  by {author}"));
        writeln!(out, "{name}  version {number}  {kind}  {identity}{author}")?;
    }
    Ok(Outcome::Done)
}

/// The board of a run, or how far it is.
fn show(args: &HillShowArgs) -> Result<Outcome, Failure> {
    let store = HillStore::open(&args.hill)?;
    if let Some(open) = store.open_commitment()? {
        let made = date(open.made);
        tell(format!("committed on {made} for a tournament to come: {}", open.published));
    }
    let runs = store.runs()?;
    let wanted = match args.run {
        Some(number) => store.run(number)?.run,
        None => match runs.iter().rev().find(|run| run.result.is_some()).or(runs.last()) {
            Some(run) => run.run,
            None => {
                let message = "has no run yet; `dicehill hill add` plays the first";
                return Err(FileError::new(&args.hill, message).into());
            }
        },
    };
    let found = runs.iter().filter(|run| run.run >= wanted);
    for RunSummary { run, games, .. } in found.filter(|run| run.result.is_none()) {
        let hill = args.hill.display();
        let games = counted(*games, "game");
        tell(format!(
            "run {run} is not at its end: {games} stored; to go on: dicehill resume {hill}#{run}"
        ));
    }
    let result = runs.iter().find(|run| run.run == wanted).and_then(|run| run.result.as_deref());
    let Some(result) = result else { return Ok(Outcome::Done) };
    let style = Style { format: args.format, details: args.details };
    match store.hill().game {
        GameName::Yahtzee => show_board::<Yahtzee>(&store, wanted, result, style),
        GameName::LiarsDice => show_board::<LiarsDice>(&store, wanted, result, style),
    }
}

fn show_board<G: TerminalGame>(
    store: &HillStore,
    run: i64,
    result: &str,
    style: Style,
) -> Result<Outcome, Failure> {
    if style.format == BoardFormat::Json {
        writeln!(anstream::stdout(), "{result}")?;
        return Ok(Outcome::Done);
    }
    let document = ResultDocument::read::<G>(result)
        .map_err(|error| FileError::new(store.path(), format!("run {run}: its result: {error}")))?;
    board::write(&mut anstream::stdout().lock(), &document, G::TITLE, style)?;
    Ok(Outcome::Done)
}

/// Takes in a run that was played elsewhere.
fn import(path: &Path, log: &Path) -> Result<Outcome, Failure> {
    let run = HillStore::open_to_write(path)?.import(log)?;
    tell(format!("run {run} is that of {}", printable(&log.display().to_string())));
    Ok(Outcome::Done)
}

/// All tournaments, oldest first.
fn log(path: &Path) -> Result<Outcome, Failure> {
    let store = HillStore::open(path)?;
    let mut out = anstream::stdout().lock();
    for run in store.runs()? {
        let bots = counted(run.header.bots.len() as u64, "bot");
        let games = thousands(run.games);
        let end = match run.result.as_deref().map(champion) {
            None => "not at its end".to_owned(),
            Some(None) => "no champion".to_owned(),
            Some(Some(name)) => format!("champion {name}"),
        };
        let begun = date(run.begun);
        let commitment = run.header.commitment.map_or_else(String::new, |hash| format!(", {hash}"));
        writeln!(out, "run {}  {begun}  {bots}, {games} games, {end}{commitment}", run.run)?;
    }
    if let Some(open) = store.open_commitment()? {
        let made = date(open.made);
        writeln!(out, "open   {made}  {}, for a tournament to come", open.published)?;
    }
    Ok(Outcome::Done)
}

fn champion(result: &str) -> Option<String> {
    let document: serde_json::Value = serde_json::from_str(result).ok()?;
    document["champion"].as_str().map(str::to_owned)
}

/// Seconds since 1970 as a date and time, in UTC.
fn date(seconds: i64) -> String {
    let since = std::time::Duration::from_secs(seconds.max(0).unsigned_abs());
    humantime::format_rfc3339_seconds(std::time::UNIX_EPOCH + since).to_string()
}
