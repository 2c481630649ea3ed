//! A player for a published Java interface: its files, its classes and the command that runs it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use dicehill_arena::Limits;
use dicehill_temporary::TemporaryFolder;

use super::bridge::{bridge, class_path_entries};
use super::compiler::{Compilation, class_path, is_source, tool};
use super::inspection::Inspected;
use crate::files::bot_files::BotFiles;
use crate::isolation::mode::Isolation;
use crate::prepare::error::{Missing, PrepareError};
use crate::prepare::identity::{hasher, identity};
use crate::prepare::prepared_bot::PreparedBot;
use crate::prepare::settings::ExternalBotSettings;
use crate::prepare::{cache, readable_paths};

/// Flags of the JVM: many small ones share a machine, their messages belong in the log, and an exception has its stack
/// trace however often it was thrown.
const FLAGS: [&str; 12] = [
    "-XX:+UseSerialGC",
    "-Xshare:auto",
    // Classes of the platform lie where their archive has them: to move them takes a tenth of a start.
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:ArchiveRelocationMode=0",
    "-XX:-UsePerfData",
    "-XX:MetaspaceSize=8m",
    "-XX:-OmitStackTraceInFastThrow",
    // Otherwise the first game that uses the time zone sets it.
    "-Duser.timezone=Etc/UTC",
    // Otherwise a player's constructor is called in another way from the 16th game on, which stack traces show.
    "-Dsun.reflect.inflationThreshold=2147483647",
    "-Xlog:disable",
    "-Xlog:all=warning:stderr",
];

/// Opens the packages of random generators that all games in a JVM share to the bridge, which renews them before each request. A
/// JVM starts some milliseconds later with them.
const OPEN_PACKAGES: [&str; 2] =
    ["--add-opens=java.base/java.lang=ALL-UNNAMED", "--add-opens=java.base/java.util=ALL-UNNAMED"];

/// Keeps the JVM from optimising code by its second compiler. That costs a process about a second of processor time,
/// which only pays off where the bot computes for long.
const QUICK_COMPILER: &str = "-XX:TieredStopAtLevel=1";

/// The divisor of the memory limit that gives the maximum heap of the JVM.
const HEAP_SHARE: u64 = 2;

/// The least maximum heap, in mebibytes.
const MIN_HEAP_MB: u64 = 16;

/// Finds a player and compiles it if it comes as source.
pub(crate) fn prepare(
    path: &Path,
    class: Option<&str>,
    settings: &ExternalBotSettings,
) -> Result<PreparedBot, PrepareError> {
    let files = files(path)?;
    let class_word: Vec<String> = class.into_iter().map(str::to_owned).collect();
    let mut hasher = hasher("java", &class_word);
    files.hash(&mut hasher)?;
    let java = tool("java")?;
    let bridge = bridge(settings.isolation)?;
    let jars: Vec<_> = files.places().filter(|place| is_jar(place)).map(Path::to_owned).collect();
    let mut readable = readable_paths::of_command(&[java.clone().into()], Path::new("/"));
    readable.push(bridge.clone());
    let content = hasher.finalize().to_hex();
    let mut classes = Vec::new();
    if jars.is_empty() || files.places().any(is_source) {
        let interfaces = class_path_entries(&bridge, settings.game);
        let player = Player { path, files: &files, jars: &jars };
        let compiled = compiled(&player, &interfaces, &content, settings.isolation)?;
        readable.push(compiled.clone());
        classes.push(compiled);
    }
    classes.extend(jars);
    let classes = class_path(classes)?;
    let mut command: Vec<OsString> = vec![java.into()];
    command.extend(FLAGS.map(OsString::from));
    command.push(format!("-Xmx{}m", heap_mb(settings.limits)).into());
    let interfaces = class_path(class_path_entries(&bridge, settings.game))?;
    command.extend(["-cp".into(), interfaces, "dicehill.bridge.Main".into()]);
    command.extend(["--game".into(), settings.game.into(), "--classes".into(), classes]);
    // A single file names its class.
    let stem = path.file_stem().filter(|_| path.is_file() && !is_jar(path));
    if let Some(class) = class.map(OsString::from).or_else(|| stem.map(OsString::from)) {
        command.extend(["--class".into(), class]);
    }
    let found = Inspected {
        path,
        files: &files,
        content: &content,
        command: &command,
        readable: &readable,
        isolation: settings.isolation,
    }
    .findings()?;
    if found.uses_shared_randomness {
        command.splice(1..1, OPEN_PACKAGES.map(OsString::from));
    }
    let remarks = found.remarks;
    Ok(PreparedBot { command, files, readable, identity: identity(&hasher), remarks })
}

/// The maximum heap of the JVM, and the most that it reserves outside of it, in mebibytes.
pub(crate) fn heap_mb(limits: Limits) -> u64 {
    (limits.memory_mb / HEAP_SHARE).max(MIN_HEAP_MB)
}

/// The command of a player with the quick compiler alone.
pub(crate) fn with_quick_compiler(command: &[OsString]) -> Vec<OsString> {
    let (program, arguments) = command.split_at(1.min(command.len()));
    [program, &[QUICK_COMPILER.into()], arguments].concat()
}

fn is_jar(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jar")
}

/// The files of a player.
pub(crate) fn files(path: &Path) -> Result<BotFiles, PrepareError> {
    if path.is_dir() {
        return Ok(BotFiles::in_folder(path)?);
    }
    let Some(name) = path.file_name().filter(|_| path.is_file()) else {
        return Err(PrepareError::no_such(Missing::Player, path, Path::new("")));
    };
    let mut files = BotFiles::default();
    files.add(path.to_owned(), name.into());
    Ok(files)
}

/// A player some of whose files are sources.
struct Player<'a> {
    path: &'a Path,
    files: &'a BotFiles,
    /// Libraries, by their paths in the bot's working folder.
    jars: &'a [PathBuf],
}

/// The folder with the compiled classes of a player, with the classes of the bridge on this path.
fn compiled(
    player: &Player<'_>,
    interfaces: &[PathBuf],
    content: &str,
    isolation: Isolation,
) -> Result<PathBuf, PrepareError> {
    let javac = tool("javac")?;
    let mut hasher = hasher("player", &[javac.to_string_lossy().into_owned(), content.to_owned()]);
    for folder in interfaces {
        hasher.update(folder.as_os_str().as_encoded_bytes()).update(b"\0");
    }
    cache::get_or_make(cache::Cached::Player, &hasher.finalize().to_hex(), |folder| {
        let sources = TemporaryFolder::new()?;
        player.files.copy_to(sources.path())?;
        let libraries: Vec<_> = interfaces.iter().chain(player.jars).cloned().collect();
        let (javac, sources) = (javac.as_path(), sources.path());
        Compilation { javac, libraries: &libraries, sources, to: folder, isolation }.run()?;
        if has_no_classes(folder) {
            return Err(PrepareError::no_such(Missing::JavaFile, player.path, Path::new("")));
        }
        Ok(())
    })
}

fn has_no_classes(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}
