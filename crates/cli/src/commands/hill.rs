//! `dicehill hill`: a hill with its entrants and all its runs in one file.

pub(super) mod host;
mod progress;

use std::io::Write;
use std::path::Path;

use dicehill_arena::{Commitment, HillDraft, PlacementResult, ResultDocument};
use dicehill_rules::{GameName, Secret, with_game};
use dicehill_store::{
    BotKind, EntryStore, FileError, HillFile, HillSettings, HillStore, HostAction, ImportedRun,
    Pruned, RunSummary, StoredEntrant, closest, command_word, did_you_mean, did_you_mean_file,
};
use serde::Deserialize;

use crate::args::{
    BoardFormat, HillAddArgs, HillCommand, HillInitArgs, HillRunArgs, HillShowArgs, Style,
};
use crate::board;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::layout::{Column, Table, Width, fitting_hashes};
use crate::recorded::as_recorded;
use crate::seed;
use crate::text::{self, counted, date, is_absent, printable, thousands};
use crate::tournament::HillTournament;

/// The columns before a hash in the list of runs that stands on a line of its own, and the comma behind it.
const LOG_INDENT: usize = 8;

pub(crate) fn hill(command: &HillCommand, console: &Console) -> Result<Outcome, Failure> {
    match command {
        HillCommand::Init(args) => init(args, console),
        HillCommand::Add(args) => add(args, console),
        HillCommand::Run(args) => run(args, console),
        HillCommand::Commit { hill } => commit(hill, console),
        HillCommand::Remove { hill, names } => remove(hill, names, console),
        HillCommand::Stop { hill, host } => host::stop(hill, host, console),
        HillCommand::Bar { hill, names, host } => host::bar(hill, names, host, console),
        HillCommand::Set { hill, changes, host } => host::set(hill, changes, host, console),
        HillCommand::Queue { hill } => host::queue(hill, console),
        HillCommand::Hold(args) => host::act(args, HostAction::Hold, console),
        HillCommand::Approve(args) => host::act(args, HostAction::Approve, console),
        HillCommand::Skip(args) => host::act(args, HostAction::Skip, console),
        HillCommand::Hide(args) => host::act(args, HostAction::Hide, console),
        HillCommand::Unhide(args) => host::act(args, HostAction::Show, console),
        HillCommand::Rename { hill, from, to, host } => {
            host::rename(hill, [from, to], host, console)
        }
        HillCommand::Message { hill, text, host } => {
            host::message(hill, text.as_deref(), host, console)
        }
        HillCommand::Actions { hill } => host::actions(hill, console),
        HillCommand::List { hill } => list(hill, console),
        HillCommand::Show(args) => show(args, console),
        HillCommand::Progress(args) => progress::progress(args, console),
        HillCommand::Import { hill, log } => import(hill, log, console),
        HillCommand::Prune { hill, keep_moves } => prune(hill, *keep_moves, console),
        HillCommand::Log { hill } => log(hill, console),
        HillCommand::Backup { hill, file } => back_up(hill, file, console),
        HillCommand::Restore { file, hill, overwrite } => restore(file, hill, *overwrite, console),
    }
}

/// Creates a hill with the terms of a hill file or the usual ones of a game.
fn init(args: &HillInitArgs, console: &Console) -> Result<Outcome, Failure> {
    check_order(args)?;
    let from = Path::new(&args.from);
    let mut record = match args.from.parse::<GameName>() {
        Ok(game) => with_game!(game, G => usual::<G>(args)?),
        Err(error) if !from.exists() && from.extension().is_none() => {
            let similar = match did_you_mean(&args.from, GameName::ALL.map(GameName::name)) {
                similar if similar.is_empty() => did_you_mean_file(from),
                similar => similar,
            };
            let message = format!("{error}; {:?} is not a hill file either{similar}", args.from);
            return Err(Failure::Usage(message));
        }
        Err(_) if from.extension().is_some_and(|end| end == "db") => copied(from, args)?,
        Err(_) => of_file(from, args)?,
    };
    record.games = args.games.unwrap_or(record.games);
    record.terms.seed = args.seed.clone().or(record.terms.seed);
    if let Some(name) = args.name.clone() {
        record.terms.name = name;
    }
    record.entries.environments.check_without(&args.hill)?;
    HillStore::init(&args.hill, &record)?;
    console.report(format!(
        "{}: a new hill of {}; `dicehill hill add {} BOT...` adds bots",
        args.hill.display(),
        record.game(),
        command_word(&args.hill)
    ));
    Ok(Outcome::Done)
}

/// Refuses a hill that is named like a game or a file of another kind: the arguments may be swapped.
fn check_order(args: &HillInitArgs) -> Result<(), Failure> {
    let hill = args.hill.display();
    let extension = args.hill.extension().and_then(|extension| extension.to_str());
    if args.hill.to_str().is_some_and(|text| text.parse::<GameName>().is_ok()) {
        let message =
            format!("{hill}: the hill's file comes first: dicehill hill init {} {hill}", args.from);
        return Err(Failure::Usage(message));
    }
    let from = Path::new(&args.from);
    if extension != Some("db") && from.extension().is_some_and(|end| end == "db") && !from.exists()
    {
        let game = closest(&hill.to_string(), GameName::ALL.map(GameName::name));
        let message = format!(
            "{}: no such file; if it is the new hill, it comes first: dicehill hill init {} {}",
            args.from,
            args.from,
            game.map_or_else(|| hill.to_string(), str::to_owned)
        );
        return Err(Failure::Usage(message));
    }
    if let Some("toml" | "jsonl") = extension {
        let message = format!(
            "{hill}: a hill is a database, whose file's name should end with .db: dicehill hill init HILL.db {}",
            args.from
        );
        return Err(Failure::Usage(message));
    }
    Ok(())
}

/// The settings of another hill, without the times of its contest and its message.
fn copied(from: &Path, args: &HillInitArgs) -> Result<HillSettings, Failure> {
    let mut settings = HillStore::open(from)?.hill().clone();
    settings.terms.name = name_of_file(args);
    let entries = &mut settings.entries;
    (entries.opens, entries.closes, entries.message) = (None, None, None);
    Ok(settings)
}

/// The settings of a hill file. A hill that it does not name has the name of its own file.
fn of_file(from: &Path, args: &HillInitArgs) -> Result<HillSettings, Failure> {
    let file = HillFile::read(from)?;
    let mut settings = file.settings()?;
    if !file.has_name() {
        settings.terms.name = name_of_file(args);
    }
    Ok(settings)
}

fn name_of_file(args: &HillInitArgs) -> String {
    printable(&args.hill.file_stem().unwrap_or_default().to_string_lossy())
}

fn usual<G: TerminalGame>(args: &HillInitArgs) -> Result<HillSettings, Failure> {
    let draft = HillDraft::<G>::challenge(Vec::new(), "");
    let games = args.games.unwrap_or(draft.games);
    if !(1..=1_000_000_000).contains(&games) {
        return Err(Failure::Usage(format!("--games {games}: must be 1 to 1,000,000,000")));
    }
    Ok(HillSettings::from_draft(&HillDraft { name: name_of_file(args), ..draft }, None))
}

fn add(args: &HillAddArgs, console: &Console) -> Result<Outcome, Failure> {
    let store = HillStore::open_to_write(&args.hill)?;
    with_game!(store.hill().game(), G => {
        HillTournament::<G>::new(store, &args.run, console)?.add(args, &host::at_terminal())
    })
}

fn run(args: &HillRunArgs, console: &Console) -> Result<Outcome, Failure> {
    let store = HillStore::open_to_write(&args.hill)?;
    with_game!(store.hill().game(), G => run_tournament::<G>(store, args, console))
}

fn run_tournament<G: TerminalGame>(
    store: HillStore,
    args: &HillRunArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    let commitment = if args.committed {
        Some(committed(&store, args)?)
    } else {
        if let Some(open) = store.unused_commitment()? {
            let made = date(open.made);
            console.report(format!(
                "this run does not use the commitment of {made}; `--committed` does"
            ));
        }
        None
    };
    let tournament = HillTournament::<G>::new(store, &args.run, console)?;
    let tournament = if args.queued { tournament.of_queue() } else { tournament };
    tournament.with_commitment(commitment).play()
}

/// The open commitment, with the public text.
fn committed(store: &HillStore, args: &HillRunArgs) -> Result<Commitment, Failure> {
    let path = command_word(store.path());
    let open = store.unused_commitment()?.ok_or_else(|| {
        let message = format!(
            "--committed: {path} has no open commitment; `dicehill hill commit {path}` makes one"
        );
        Failure::Usage(message)
    })?;
    Ok(Commitment { secret: open.secret, public_text: args.public_text.clone() })
}

/// Publishes the hash of a new secret, or of the one whose run has not been played yet.
fn commit(path: &Path, console: &Console) -> Result<Outcome, Failure> {
    let mut store = HillStore::open_to_write(path)?;
    let published = match store.unused_commitment()? {
        Some(open) => {
            console.report(format!("already committed, on {}", date(open.made)));
            open.published
        }
        None => {
            let secret = Secret::new(seed::random()?, seed::random()?);
            store.commit(&secret)?;
            let published = secret.commitment();
            let words = ["commit", "the next run", &published];
            EntryStore::open(path)?.log_action(&host::at_terminal(), words)?;
            published
        }
    };
    writeln!(console.out(), "{published}")?;
    console.report(format!(
        "publish it while entries are open; then play with it: dicehill hill run {} --committed",
        command_word(path)
    ));
    Ok(Outcome::Done)
}

/// Removes the moves of old runs.
fn prune(path: &Path, keep: usize, console: &Console) -> Result<Outcome, Failure> {
    let Pruned { runs, bytes: [before, after], is_kept } =
        HillStore::open_to_write(path)?.prune(keep)?;
    let path = path.display();
    let removed = match runs {
        0 => format!("no run but the last {keep} has moves"),
        _ => format!("the moves of {} are removed", counted(runs, "run")),
    };
    // An earlier attempt may have had no room to give the space back.
    let size = if after < before && !is_kept {
        let [before, after] = [before, after].map(|bytes| thousands(bytes.div_ceil(1 << 10)));
        format!("; {before} KiB before, {after} KiB now")
    } else if is_kept {
        "; other programs read the hill, so that their space is used again, but not given back"
            .to_owned()
    } else {
        String::new()
    };
    console.report(format!("{path}: {removed}{size}"));
    Ok(Outcome::Done)
}

fn remove(path: &Path, names: &[String], console: &Console) -> Result<Outcome, Failure> {
    let mut store = HillStore::open_to_write(path)?;
    for name in names {
        store.remove(name)?;
        EntryStore::open(path)?.log_action(&host::at_terminal(), ["remove", name, ""])?;
        console.report(format!("{name} is no longer on the hill; its games stay"));
    }
    Ok(Outcome::Done)
}

fn list(path: &Path, console: &Console) -> Result<Outcome, Failure> {
    let store = HillStore::open(path)?;
    store.check_lists()?;
    let entrants = store.entrants()?;
    let renamings = store.renamings()?;
    let is_renamed = |name: &String| renamings.iter().any(|renaming| renaming.from == *name);
    let former = store.former_entrants()?.into_iter().filter(|name| !is_renamed(name));
    let former: Vec<_> = former.map(|name| printable(&name)).collect();
    if !former.is_empty() {
        console.report(format!("no longer on the hill: {}", former.join(", ")));
    }
    if entrants.is_empty() {
        console.report("the hill has no entrants");
        return Ok(Outcome::Done);
    }
    let has_authors = entrants.iter().any(|entrant| entrant.author.is_some());
    let mut columns = vec![Column::name("bot"), Column::number("version"), Column::name("kind")];
    if has_authors {
        columns.push(Column::name("author"));
    }
    columns.push(Column::name("identity"));
    let width = console.width();
    let cells = |entrant: &StoredEntrant| entrant_cells(entrant, has_authors, width);
    let rows = entrants.iter().map(cells).collect();
    Table::write_list(columns, rows, &mut console.out())?;
    Ok(Outcome::Done)
}

/// The name, version, kind, perhaps author, and identity of an entrant.
fn entrant_cells(entrant: &StoredEntrant, has_authors: bool, width: Width) -> Vec<String> {
    let StoredEntrant { name, number, identity, kind, author, .. } = entrant;
    let network = if kind.own_terms().network { ", network" } else { "" };
    let kind = match kind {
        BotKind::House(_) => "house",
        BotKind::Command { .. } => "command",
        BotKind::Java { .. } => "java",
        BotKind::Remote { .. } => "remote",
    };
    let mut cells = vec![name.to_string(), number.to_string(), format!("{kind}{network}")];
    if has_authors {
        cells.push(author.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string));
    }
    cells.push(short_identity(identity, width));
    cells
}

/// The identity; on a terminal, a hash is cut where the longest would not fit in a line of 100 columns.
fn short_identity(identity: &str, width: Width) -> String {
    /// The scheme and twelve digits.
    const SHORT: usize = "blake3:".len() + 12;
    match width {
        Width::Columns(columns) if columns < 100 && identity.starts_with("blake3:") => {
            identity.get(..SHORT).map_or_else(|| identity.to_owned(), |begin| format!("{begin}…"))
        }
        Width::Columns(_) | Width::Unlimited => identity.to_owned(),
    }
}

/// Shows the board of a run, or how far it is.
fn show(args: &HillShowArgs, console: &Console) -> Result<Outcome, Failure> {
    let store = HillStore::open(&args.hill)?;
    store.check_lists()?;
    if let Some(open) = store.unused_commitment()? {
        let made = date(open.made);
        console.report(format!("committed on {made} for a future run: {}", open.published));
    }
    let runs = store.runs()?;
    let wanted = wanted_run(&store, &runs, args)?;
    report_unfinished(&runs, wanted, store.is_locked() == Some(true), &args.hill, console);
    let shown = match args.run {
        Some(_) => runs.iter().filter(|run| run.run == wanted).collect(),
        None => league(&runs, wanted),
    };
    for run in &shown {
        store.check_seal(run.run)?;
    }
    with_game!(store.hill().game(), G => show_board::<G>(&store, &shown, args.style, console))
}

/// The number of the run to show: the given one, the last that has ended, or the last. A run that was imported is shown
/// only if it is the given one, or the hill has played none.
fn wanted_run(store: &HillStore, runs: &[RunSummary], args: &HillShowArgs) -> Result<i64, Failure> {
    if let Some(number) = args.run {
        return Ok(store.run(number)?.run);
    }
    let has_ended = |run: &&RunSummary| run.result.is_some();
    let own = runs.iter().rev().filter(|run| !run.is_imported).find(has_ended);
    match own.or_else(|| runs.iter().rev().find(has_ended)).or(runs.last()) {
        Some(run) => Ok(run.run),
        None => {
            let message = "has no run yet; `dicehill hill add` plays the first one";
            Err(FileError::new(&args.hill, message).into())
        }
    }
}

/// Reports the runs from `wanted` on that have not ended, the last of which may be in progress.
fn report_unfinished(
    runs: &[RunSummary],
    wanted: i64,
    is_played: bool,
    hill: &Path,
    console: &Console,
) {
    let last = runs.last().map(|run| run.run);
    let found = runs.iter().filter(|run| run.run >= wanted);
    for RunSummary { run, games, is_imported, .. } in found.filter(|run| run.result.is_none()) {
        let hill = command_word(hill);
        let games = counted(*games, "game");
        if is_played && last == Some(*run) {
            console.report(format!("run {run} is being played: {games} stored"));
            continue;
        }
        let remedy = match is_imported {
            true => "it was imported: resume its log, and import it again".to_owned(),
            false => format!("to continue: dicehill resume {hill}#{run}"),
        };
        console.report(format!("run {run} has not ended: {games} stored; {remedy}"));
    }
}

/// The run `wanted` or, if it is a placement, the last whole run before it and all placements since.
fn league(runs: &[RunSummary], wanted: i64) -> Vec<&RunSummary> {
    let is_placement = |run: &RunSummary| run.header.hill.terms.strengths.is_some();
    let is_imported = runs.iter().any(|run| run.run == wanted && run.is_imported);
    let ended = runs
        .iter()
        .filter(|run| run.result.is_some() && run.run <= wanted && run.is_imported == is_imported);
    let ended: Vec<_> = ended.collect();
    let is_league = runs.iter().any(|run| run.run == wanted && is_placement(run));
    match ended.iter().rposition(|run| !is_placement(run)).filter(|_| is_league) {
        Some(whole) => ended[whole..].to_vec(),
        None => runs.iter().filter(|run| run.run == wanted).collect(),
    }
}

/// Shows the board of the first of these runs, with the entrants that the others have placed.
fn show_board<G: TerminalGame>(
    store: &HillStore,
    runs: &[&RunSummary],
    style: Style,
    console: &Console,
) -> Result<Outcome, Failure> {
    let results = runs.iter().filter_map(|run| Some((run.run, run.result.as_deref()?)));
    let results: Vec<_> = results.collect();
    if let ([(_, result)], BoardFormat::Json) = (results.as_slice(), style.format) {
        writeln!(console.out(), "{result}")?;
        return Ok(Outcome::Done);
    }
    let read = |(run, result): &(i64, &str)| {
        let at = |error| FileError::new(store.path(), format!("run {run}: its result: {error}"));
        ResultDocument::read::<G>(result).map_err(at)
    };
    let mut documents = results.iter().map(read).collect::<Result<Vec<_>, _>>()?.into_iter();
    let Some(first) = documents.next() else { return Ok(Outcome::Done) };
    let document = first.with_placements(documents.as_slice());
    board::write(&mut console.out(), &document, G::TITLE, style)?;
    Ok(Outcome::Done)
}

/// Imports a run that was played elsewhere.
fn import(path: &Path, log: &Path, console: &Console) -> Result<Outcome, Failure> {
    let store = HillStore::open_to_write(path)?;
    let game = store.hill().game();
    let has_own_board = store.runs()?.iter().any(|run| !run.is_imported && run.result.is_some());
    let ImportedRun { run, keeps_moves } =
        with_game!(game, G => store.import(log, as_recorded::<G>)?);
    console.report(format!("run {run} is that of {}", printable(&log.display().to_string())));
    if has_own_board {
        let hill = command_word(path);
        let shows = match HillStore::open(path)?.run(run)?.result {
            Some(_) => format!("dicehill hill show {hill} --run {run}"),
            None => format!("dicehill open {hill}#{run}"),
        };
        console.report(format!(
            "the board of the hill's own runs stays in front; `{shows}` shows this one"
        ));
    }
    if !keeps_moves {
        console.report("the log has no moves: its scores were accepted as recorded");
    }
    Ok(Outcome::Done)
}

/// Lists all runs, oldest first. An altered one is marked as such.
fn log(path: &Path, console: &Console) -> Result<Outcome, Failure> {
    let store = HillStore::open(path)?;
    store.check_lists()?;
    let mut outcome = Outcome::Done;
    let mut out = console.out();
    let runs = store.runs()?;
    if runs.is_empty() {
        console.report("no run has been played yet");
    }
    for run in runs {
        let altered = store.check_seal(run.run).err();
        writeln!(
            out,
            "{}",
            fitting_hashes(&log_line(&run, altered.is_some()), LOG_INDENT, out.width())
        )?;
        if let Some(error) = altered {
            console.report(text::error(&error));
            outcome = Outcome::Differs;
        }
    }
    if let Some(open) = store.unused_commitment()? {
        let made = date(open.made);
        let line = format!("open   {made}  {}, for a future run", open.published);
        writeln!(out, "{}", fitting_hashes(&line, LOG_INDENT, out.width()))?;
    }
    Ok(outcome)
}

fn back_up(path: &Path, file: &Path, console: &Console) -> Result<Outcome, Failure> {
    HillStore::open(path)?.back_up(file)?;
    let backup = file.display();
    console.report(format!("{backup}: the backup of {}", path.display()));
    if let Err(altered) = HillStore::open(file)?.check_seals() {
        let remedy = "`dicehill hill restore` refuses this backup: keep the last one that is whole";
        console.report(format!("{altered}; {remedy}"));
        return Ok(Outcome::Differs);
    }
    Ok(Outcome::Done)
}

fn restore(
    file: &Path,
    path: &Path,
    overwrite: bool,
    console: &Console,
) -> Result<Outcome, Failure> {
    HillStore::restore(file, path, overwrite)?;
    console.report(format!("{}: restored from {}", path.display(), file.display()));
    Ok(Outcome::Done)
}

fn log_line(run: &RunSummary, is_altered: bool) -> String {
    let bots = counted(run.header.bots.len() as u64, "bot");
    let games = thousands(run.games);
    let end = match run.result.as_deref() {
        _ if is_altered => "altered".to_owned(),
        None => "not finished".to_owned(),
        Some(result) => outcome(result),
    };
    let begun = date(run.begun);
    let commitment = run
        .header
        .commitment
        .as_ref()
        .map_or_else(String::new, |hash| format!(", committed {hash}"));
    let imported = if run.is_imported { ", imported" } else { "" };
    let pruned = if run.keeps_moves { "" } else { ", without moves" };
    format!("run {}  {begun}  {bots}, {games} games, {end}{imported}{pruned}{commitment}", run.run)
}

/// The outcome of a run, in a few words.
fn outcome(result: &str) -> String {
    #[derive(Default, Deserialize)]
    struct Ended {
        champion: Option<String>,
        placing: Option<PlacementResult>,
        standings: Vec<Row>,
    }
    #[derive(Deserialize)]
    struct Row {
        bot: String,
        barred: Option<RowBar>,
    }
    #[derive(Deserialize)]
    struct RowBar {
        reason: String,
    }
    let Ended { champion, placing, standings } = serde_json::from_str(result).unwrap_or_default();
    let bar_of = |bot: &str| standings.iter().find(|row| row.bot == bot)?.barred.as_ref();
    match (champion, placing) {
        (Some(name), _) => format!("champion {name}"),
        // A rank of a barred one means nothing.
        (None, Some(PlacementResult { bot, rank, among, .. })) => match bar_of(&bot) {
            None => format!("placed {bot} as number {rank} of {among}"),
            Some(bar) if is_absent(&bar.reason) => format!("{bot} was skipped"),
            Some(_) => format!("{bot} was barred"),
        },
        (None, None) => "no champion".to_owned(),
    }
}
