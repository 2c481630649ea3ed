//! What a host does with entries and entrants, while the hill plays and its server runs.

use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use dicehill_arena::{BotName, LimitKey, Limits};
use dicehill_store::{
    EntryKey, EntryStore, EntryTerms, EntryWindow, Environment, Environments, FileError, HillStore,
    Host, HostAction, StoredAction, StoredEntry, command_word,
};

use unicode_width::UnicodeWidthStr;

use crate::args::{EntriesArgs, HostArgs, SettingChange};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::layout::{Column, Table, fitting_hashes};
use crate::system::user_name;
use crate::text::{date, printable};

/// The actions that are listed.
const MAX_LISTED: u32 = 1_000;

/// Does the same with each of the entries. One with which that is not possible does not keep it from the others.
pub(super) fn act(
    args: &EntriesArgs,
    action: impl Fn(i64) -> HostAction,
    console: &Console,
) -> Result<Outcome, Failure> {
    let mut store = EntryStore::open(&args.hill)?;
    let host = host(&store, &args.host)?;
    let mut failed: Option<FileError> = None;
    for id in &args.entries {
        let action = action(*id);
        if let Err(error) = store.act(&host, &action) {
            // The last one ends the command.
            if let Some(before) = failed.replace(error) {
                console.report(before.to_string());
            }
            continue;
        }
        let entry = store.entry(*id)?;
        let state = match (entry, action) {
            (None, _) => "gone",
            (Some(_), HostAction::Show(_)) => "no longer hidden",
            (Some(_), HostAction::Hide(_)) => "hidden",
            (Some(entry), _) => entry.state.name(),
        };
        console.report(format!("entry {id} is {state}"));
    }
    failed.map_or(Ok(Outcome::Done), |error| Err(error.into()))
}

/// Who acts: the holder of a token, or the user at this terminal.
fn host(store: &EntryStore, args: &HostArgs) -> Result<Host, FileError> {
    match args.token {
        Some(token) => store.host(token),
        None => Ok(at_terminal()),
    }
}

/// The user at this terminal.
pub(in crate::commands) fn at_terminal() -> Host {
    Host { name: user_name(), token: None }
}

/// Asks the process that plays on the hill to stop.
pub(super) fn stop(path: &Path, host: &HostArgs, console: &Console) -> Result<Outcome, Failure> {
    let hill = HillStore::open(path)?;
    let is_played = hill.is_locked() != Some(false);
    let is_begun = hill.runs()?.last().is_some_and(|run| run.ended.is_none());
    // Between two attempts no process plays, and the server resumes the run.
    let resumed = if is_played { None } else { EntryStore::open(path)?.run_to_resume()? };
    if !is_played && resumed.is_none() {
        console.report(format!("{}: no run is being played on this hill", path.display()));
        return Ok(Outcome::Done);
    }
    let mut store = EntryStore::open(path)?;
    let host = self::host(&store, host)?;
    store.act(&host, &HostAction::Stop)?;
    // The holder of a token is on another machine.
    let place = if host.token.is_some() { ", on the machine of the hill" } else { "" };
    let (hill, path) = (path.display(), command_word(path));
    console.report(match (is_played, resumed) {
        (false, Some(run)) => format!(
            "the server does not continue run {run}; to continue it{place}: dicehill resume {path}#{run}"
        ),
        (true, _) if !is_begun => format!(
            "the run on {hill} is being interrupted; no game of it is stored yet: entries that wait play in the next run, and a bot \
             that `hill add` was adding is not on the hill; only if some are stored when it ends, to continue it{place}: dicehill \
             resume {path}"
        ),
        (true, _) | (false, None) => format!(
            "the run on {hill} is being interrupted; to continue it{place}: dicehill resume {path}"
        ),
    });
    Ok(Outcome::Done)
}

pub(super) fn bar(
    path: &Path,
    names: &[String],
    host: &HostArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    let mut store = EntryStore::open(path)?;
    let host = self::host(&store, host)?;
    let stops = store.stop_requests()?;
    for name in names {
        let is_new = store.act(&host, &HostAction::Bar(name.clone()))?;
        let already = if is_new { "" } else { "already " };
        console.report(format!(
            "{} is {already}barred from later runs until `dicehill hill add` adds it again",
            printable(name)
        ));
    }
    let has_stopped = store.stop_requests()? > stops;
    if has_stopped && HillStore::open(path)?.is_locked() != Some(false) {
        console.report("the current run is being interrupted");
    }
    Ok(Outcome::Done)
}

pub(super) fn rename(
    path: &Path,
    [from, to]: [&String; 2],
    host: &HostArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    let name = BotName::new(to).map_err(|error| Failure::Usage(error.to_string()))?;
    let mut store = EntryStore::open(path)?;
    let host = self::host(&store, host)?;
    store.act(&host, &HostAction::Rename { from: from.clone(), to: name })?;
    let [from, to] = [from, to].map(|name| printable(name));
    console.report(format!("{from} plays as {to} in later runs; earlier runs keep its old name"));
    Ok(Outcome::Done)
}

/// Prints the message on the page of a hill, or shows another one; an empty text removes it.
pub(super) fn message(
    path: &Path,
    text: Option<&str>,
    host: &HostArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    let none = "the page of the hill shows no message";
    let Some(text) = text.map(str::trim) else {
        match HillStore::open(path)?.hill().entries.get(EntryKey::Message) {
            Some(message) => writeln!(console.out(), "{}", printable(&message))?,
            None => console.report(none),
        }
        return Ok(Outcome::Done);
    };
    let mut store = EntryStore::open(path)?;
    let host = self::host(&store, host)?;
    let message = Some(text.to_owned()).filter(|text| !text.is_empty());
    let says = if message.is_some() { "the page of the hill shows the message" } else { none };
    store.act(&host, &HostAction::Message(message))?;
    console.report(says);
    Ok(Outcome::Done)
}

/// Changes settings, and prints all.
pub(super) fn set(
    path: &Path,
    changes: &[SettingChange],
    host: &HostArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    if !changes.is_empty() {
        let mut store = EntryStore::open(path)?;
        let host = self::host(&store, host)?;
        let (mut limits, mut entries) = (Vec::new(), Vec::new());
        for change in changes.iter().cloned() {
            match change {
                SettingChange::Limit(limit) => limits.push((limit.key, limit.value)),
                SettingChange::Entry(key, value) => entries.push((key, value)),
            }
        }
        let named = entries.iter().filter(|(key, _)| *key == EntryKey::Environments);
        for environments in
            named.filter_map(|(_, value)| value.as_ref()?.parse::<Environments>().ok())
        {
            environments.check_without(path)?;
        }
        let has_limits = !limits.is_empty();
        let sets = |wanted: EntryKey| entries.iter().any(|(key, _)| *key == wanted);
        let (closes, environments) = (sets(EntryKey::Closes), sets(EntryKey::Environments));
        store.act(&host, &HostAction::Set { limits, entries })?;
        if has_limits && HillStore::open(path)?.is_locked() != Some(false) {
            console.report("the current run keeps its limits");
        }
        if closes {
            report_past(&HillStore::open(path)?.hill().entries, console);
        }
        if environments {
            report_missing(&HillStore::open(path)?.hill().entries.environments, console);
        }
    }
    let store = HillStore::open(path)?;
    write_settings(store.hill().limits, &store.hill().entries, console)
}

/// Says which files of environments are not there.
fn report_missing(environments: &Environments, console: &Console) {
    for Environment { name, read } in environments.iter() {
        for path in read.iter().filter(|path| !path.exists()) {
            let path = path.display();
            console.report(format!("environments: {name}: {path} does not exist on this machine"));
        }
    }
}

/// Says that entries have closed already.
fn report_past(entries: &EntryTerms, console: &Console) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    if let EntryWindow::After(closes) = entries.window(now.as_secs().cast_signed()) {
        console.report(format!("closes = {closes} is already past: the hill accepts no entries"));
    }
}

fn write_settings(
    limits: Limits,
    entries: &EntryTerms,
    console: &Console,
) -> Result<Outcome, Failure> {
    let limits = LimitKey::ALL.map(|key| (key.name(), limit_value(limits, key)));
    let value = |key| entries.get(key).unwrap_or_else(|| default_text(key.default_value()));
    let entries = EntryKey::ALL.into_iter().map(|key| (key.name(), value(key)));
    let all: Vec<_> = limits.into_iter().chain(entries).collect();
    let width = all.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut out = console.out();
    for (name, value) in all {
        writeln!(out, "{name:width$} = {value}")?;
    }
    Ok(Outcome::Done)
}

fn limit_value(limits: Limits, key: LimitKey) -> String {
    match limits.get(key) {
        Some(value) => value.to_string(),
        None if key == LimitKey::GameMs => {
            default_text(&limits.game_time().as_millis().to_string())
        }
        None => default_text("none"),
    }
}

/// The default as `dicehill hill set` takes it, and what it means.
fn default_text(value: &str) -> String {
    format!("default ({value})")
}

/// Lists the entries that are not finished: number, state, bot, author, time.
pub(super) fn queue(path: &Path, console: &Console) -> Result<Outcome, Failure> {
    let store = EntryStore::open_to_read(path)?;
    store.check_lists()?;
    let tokens = store.tokens()?;
    let entries = store.open_entries()?;
    if entries.is_empty() {
        console.report("the queue is empty");
    }
    let cells = |entry: &StoredEntry| {
        let token = tokens.iter().find(|token| token.id == entry.token);
        let name = token.and_then(|token| token.terms.name.as_deref());
        let author = name.map_or_else(|| format!("token {}", entry.token), printable);
        let (id, state) = (entry.id.to_string(), entry.state.name().to_owned());
        vec![id, state, printable(&entry.bot), author, date(entry.received)]
    };
    let columns = vec![
        Column::number("entry"),
        Column::name("state"),
        Column::name("bot"),
        Column::name("author"),
        Column::name("received").priority(1),
    ];
    Table::write_list(columns, entries.iter().map(cells).collect(), &mut console.out())?;
    Ok(Outcome::Done)
}

/// Lists what hosts have done.
pub(super) fn actions(path: &Path, console: &Console) -> Result<Outcome, Failure> {
    let actions = EntryStore::open_to_read(path)?.actions(MAX_LISTED)?;
    if actions.is_empty() {
        console.report("no host has done anything yet");
    }
    let width = console.out().width();
    let cells = |action: StoredAction| {
        let StoredAction { at, host, token, action, target, detail, .. } = action;
        let token = token.map_or_else(String::new, |token| format!(" (token {token})"));
        let [host, action, target, detail] =
            [host, action, target, detail].map(|text| printable(&text));
        let what = format!("{action} {target} {detail}").trim_end().to_owned();
        let (at, host) = (date(at), format!("{host}{token}"));
        let label = at.len() + UnicodeWidthStr::width(host.as_str()) + 4;
        vec![at, host, fitting_hashes(&what, label, width)]
    };
    let columns = vec![Column::name("time"), Column::name("host"), Column::text("action")];
    Table::write_list(columns, actions.into_iter().map(cells).collect(), &mut console.out())?;
    Ok(Outcome::Done)
}
