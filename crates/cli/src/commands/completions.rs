//! Completions that know games and their rules, house bots, files, benchmarks, and the settings and entrants of a hill.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter};
use clap_complete::env::{CompleteEnv, Shells};
use dicehill_arena::LimitKey;
use dicehill_rules::yahtzee::Category;
use dicehill_rules::{Game, GameName, with_game};
use dicehill_store::{
    EntryKey, FileKind, HillFile, HillStore, RunSource, TruncatedTail, is_side_file,
};

use crate::args::Args;
use crate::bots::games_of;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;

/// The variable with which a shell's script asks the program for completions.
const VARIABLE: &str = "DICEHILL_COMPLETE";
const PROGRAM: &str = "dicehill";

/// Answers a shell that asks for completions, and ends the process; otherwise does nothing.
pub fn complete() {
    let words: Vec<_> = std::env::args_os().collect();
    CompleteEnv::with_factory(|| with_candidates(Args::command(), &words)).var(VARIABLE).complete();
}

/// Prints the script that makes a shell ask this program.
pub(crate) fn print(shell: Shell, console: &Console) -> Result<Outcome, Failure> {
    console.data().write_all(&script(shell)?)?;
    Ok(Outcome::Done)
}

fn script(shell: Shell) -> std::io::Result<Vec<u8>> {
    let shells = Shells::builtins();
    let completer = shells.completer(&shell.to_string()).expect("every shell has a completer");
    let mut script = Vec::new();
    completer.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script)?;
    Ok(script)
}

/// The command with completers for the values of its arguments. `words` is the command line, which may name a hill.
fn with_candidates(command: Command, words: &[OsString]) -> Command {
    let name = command.get_name().to_owned();
    let command = command.mut_args(|arg| match values_of(&name, &arg) {
        Some(values) => {
            let words = words.to_vec();
            arg.add(ArgValueCompleter::new(move |current: &OsStr| values.complete(current, &words)))
        }
        None => arg,
    });
    command.mut_subcommands(|subcommand| with_candidates(subcommand, words))
}

/// What the value of an argument may be.
#[derive(Clone, Copy)]
enum Values {
    Game,
    /// A game, a house bot, or a file that is no hill and no run log.
    GameBotOrFile,
    /// A game or a hill file.
    GameOrHillFile,
    /// A file of one of these kinds.
    File(&'static [FileKind]),
    Bot,
    GameOrBot,
    /// An entrant of the hill or run that the command line names.
    Entrant,
    /// A setting of a hill, before its new value.
    Setting,
    /// A variant of the rules of a game.
    Rules,
    /// The number of a run of the hill that the command line names.
    RunNumber,
    /// Names of boxes of the scorecard, separated by commas.
    Boxes,
}

/// What is completed for an argument of a command; `None` if its type or a path says enough.
fn values_of(command: &str, arg: &Arg) -> Option<Values> {
    let value = arg.get_value_names().and_then(<[_]>::first).map_or("", |name| name.as_str());
    match (command, arg.get_id().as_str(), value) {
        ("play" | "check" | "new" | "duel", "game", _) => Some(Values::Game),
        ("remove" | "bar" | "progress", "names", _)
        | ("rename", "from", _)
        | ("analyze", "bot", _)
        | ("replay", "input", _) => Some(Values::Entrant),
        ("set", "changes", _) => Some(Values::Setting),
        (_, "rules", _) if arg.get_possible_values().is_empty() => Some(Values::Rules),
        (_, "free", _) => Some(Values::Boxes),
        ("show", "run", _) => Some(Values::RunNumber),
        ("init", "from", _) => Some(Values::GameOrHillFile),
        (_, _, "HILL.db") | ("restore", "file", _) => Some(Values::File(&[FileKind::Hill])),
        ("verify", "run", _) => None,
        (_, _, "RUN") => Some(Values::File(&[FileKind::Hill, FileKind::RunLog])),
        (_, _, "LOG") => Some(Values::File(&[FileKind::RunLog])),
        (_, _, "BOT") | ("check", "against", _) => Some(Values::Bot),
        (_, _, "GAME|BOT") => Some(Values::GameOrBot),
        (_, _, "HILL.toml|GAME") => Some(Values::GameBotOrFile),
        _ => None,
    }
}

impl Values {
    fn complete(self, current: &OsStr, words: &[OsString]) -> Vec<CompletionCandidate> {
        let files = || files_where(current, |_| true);
        let mut all: Vec<_> = match self {
            Self::Game => games(),
            Self::GameBotOrFile => {
                let no_record = [Some(FileKind::HillFile), Some(FileKind::Archive), None];
                let files = files_where(current, move |kind| no_record.contains(&kind));
                [games(), bots(current, words), files].into_iter().flatten().collect()
            }
            Self::GameOrHillFile => {
                let files = files_where(current, |kind| kind == Some(FileKind::HillFile));
                [games(), files].into_iter().flatten().collect()
            }
            Self::File(_) if current.to_string_lossy().contains('#') => runs_of_hill(current),
            Self::File(kinds) => {
                files_where(current, |kind| kind.is_some_and(|kind| kinds.contains(&kind)))
            }
            Self::Bot => [bots(current, words), files()].into_iter().flatten().collect(),
            Self::GameOrBot => {
                [games(), bots(current, words), files()].into_iter().flatten().collect()
            }
            Self::Entrant => words.iter().rev().find_map(|word| entrants(word)).unwrap_or_default(),
            Self::Setting => settings(),
            Self::Boxes => boxes(current),
            Self::RunNumber => {
                let numbers = words.iter().rev().find_map(|word| run_numbers(Path::new(word)));
                numbers.unwrap_or_default().iter().map(CompletionCandidate::new).collect()
            }
            Self::Rules => {
                let rules = |game: GameName| with_game!(game, G => variants::<G>());
                let names: BTreeSet<_> = possible_games(words).flat_map(rules).collect();
                names.into_iter().map(CompletionCandidate::new).collect()
            }
        };
        let begins = |one: &CompletionCandidate| {
            one.get_value().as_encoded_bytes().starts_with(current.as_encoded_bytes())
        };
        all.retain(begins);
        all
    }
}

/// The files whose kind is wanted, and the folders that may have some.
fn files_where(
    current: &OsStr,
    is_wanted: impl Fn(Option<FileKind>) -> bool + Send + Sync + 'static,
) -> Vec<CompletionCandidate> {
    let is_offered = move |path: &Path| !is_side_file(path) && is_wanted(FileKind::of(path));
    let wanted = PathCompleter::any().filter(is_offered);
    clap_complete::engine::ValueCompleter::complete(&wanted, current)
}

/// The boxes after those that are typed.
fn boxes(current: &OsStr) -> Vec<CompletionCandidate> {
    let typed = current.to_string_lossy();
    let before = typed.rfind(',').map_or("", |comma| &typed[..=comma]);
    let is_new = |name: &&str| !before.split(',').any(|one| one == *name);
    let names = Category::ALL.map(Category::name).into_iter().filter(is_new);
    names.map(|name| CompletionCandidate::new(format!("{before}{name}"))).collect()
}

fn games() -> Vec<CompletionCandidate> {
    let game = |game: GameName| {
        let title = with_game!(game, G => title::<G>());
        CompletionCandidate::new(game.name()).help(Some(title.into()))
    };
    GameName::ALL.map(game).into()
}

/// The games that are possible after these words: the only one that a word names or that a bot among them plays, or all.
fn possible_games(words: &[OsString]) -> impl Iterator<Item = GameName> {
    let game_of = |word: &OsString| {
        let word = word.to_str()?;
        word.parse().ok().or_else(|| match games_of(word).ok()?[..] {
            [game] => Some(game),
            _ => None,
        })
    };
    // The first word is the program.
    let game = words.iter().skip(1).find_map(game_of);
    GameName::ALL.into_iter().filter(move |one| game.is_none_or(|game| game == *one))
}

/// The house bots, and the bots of a hill file of which `HILL.toml#` is typed.
fn bots(current: &OsStr, words: &[OsString]) -> Vec<CompletionCandidate> {
    let house = |game: GameName| with_game!(game, G => house_bots::<G>());
    let mut bots: Vec<_> = possible_games(words).flat_map(house).collect();
    if let Some((path, _)) = current.to_str().and_then(|text| text.split_once('#'))
        && let Ok(file) = HillFile::read(Path::new(path))
    {
        bots.extend(file.names().map(|name| CompletionCandidate::new(format!("{path}#{name}"))));
    }
    bots
}

/// `HILL.db#N` for each run of the hill of which `HILL.db#` is typed.
fn runs_of_hill(current: &OsStr) -> Vec<CompletionCandidate> {
    let typed = current.to_str().and_then(|text| text.rsplit_once('#'));
    let runs = typed.and_then(|(hill, _)| Some((hill, run_numbers(Path::new(hill))?)));
    let run = |(hill, numbers): (&str, Vec<String>)| -> Vec<_> {
        numbers.iter().map(|number| CompletionCandidate::new(format!("{hill}#{number}"))).collect()
    };
    runs.map(run).unwrap_or_default()
}

/// The numbers of the runs of the hill in a file.
fn run_numbers(hill: &Path) -> Option<Vec<String>> {
    let store = HillStore::open(hill).ok().filter(|_| hill.is_file())?;
    Some(store.runs().ok()?.iter().map(|run| run.run.to_string()).collect())
}

fn settings() -> Vec<CompletionCandidate> {
    let limits = LimitKey::ALL.map(LimitKey::name).into_iter();
    let keys = limits.chain(EntryKey::ALL.map(EntryKey::name));
    keys.map(|key| CompletionCandidate::new(format!("{key}="))).collect()
}

fn variants<G: Game>() -> Vec<String> {
    G::RULES.iter().map(ToString::to_string).collect()
}

const fn title<G: TerminalGame>() -> &'static str {
    G::TITLE
}

fn house_bots<G: TerminalGame>() -> Vec<CompletionCandidate> {
    let bots = G::house_bots();
    bots.iter()
        .map(|bot| CompletionCandidate::new(bot.name()).help(Some(G::TITLE.into())))
        .collect()
}

/// The entrants of the hill, or the bots of the run, in the file that a word names.
fn entrants(word: &OsStr) -> Option<Vec<CompletionCandidate>> {
    let path = Path::new(word);
    if !path.is_file() {
        return None;
    }
    if let Ok(store) = HillStore::open(path) {
        let entrants = store.entrants().ok()?;
        return Some(
            entrants.iter().map(|one| CompletionCandidate::new(one.name.as_str())).collect(),
        );
    }
    let source = RunSource::open(path, TruncatedTail::Refuse).ok()?;
    let bots = source.header().bots.iter();
    Some(bots.map(|bot| CompletionCandidate::new(bot.name.as_str())).collect())
}
