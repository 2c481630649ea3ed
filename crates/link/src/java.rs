//! Players for the published Java interfaces, behind a bridge that speaks the protocol.
//!
//! The bridge's sources are part of this program. They are compiled once with the JDK found, into
//! the cache, and so is a player that comes as source. Jars are not unpacked: they lie in the bot's
//! working folder, and the bridge reads them there.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use dicehill_temporary::Temporary;
use include_dir::{Dir, DirEntry, include_dir};
use serde::Deserialize;

use crate::build::{self, Site};
use crate::child::find_program;
use crate::files::Files;
use crate::isolation::Isolation;
use crate::program::{PrepareError, Ready, Terms, hasher, identity};
use crate::{FilesError, cache, reach};

/// The bridge's sources.
static BRIDGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/java");

/// What a JVM is started with: many small ones share a machine, and what they have to say belongs in
/// the log.
const FLAGS: [&str; 6] = [
    "-XX:+UseSerialGC",
    "-Xshare:auto",
    "-XX:-UsePerfData",
    "-XX:MetaspaceSize=8m",
    "-Xlog:disable",
    "-Xlog:all=warning:stderr",
];
/// Part of its memory limit that a JVM may use for its heap.
const HEAP_SHARE: u64 = 2;

/// Finds a player and compiles it where it is source.
pub(crate) fn prepare(
    path: &Path,
    class: Option<&str>,
    terms: &Terms,
) -> Result<Ready, PrepareError> {
    let files = files(path)?;
    let class_word: Vec<String> = class.into_iter().map(str::to_owned).collect();
    let mut hasher = hasher("java", &class_word);
    files.hash(&mut hasher)?;
    let java = tool("java")?;
    let bridge = bridge(terms.isolation)?;
    let jars: Vec<_> = files.places().filter(|place| is_jar(place)).map(Path::to_owned).collect();
    let mut readable = reach::of_command(&[java.clone().into()], Path::new("/"));
    readable.push(bridge.clone());
    let mut classes = Vec::new();
    if jars.is_empty() || files.places().any(is_source) {
        let content = hasher.finalize().to_hex();
        let player = Player { path, files: &files, jars: &jars };
        let compiled = compiled(&player, &bridge, &content, terms.isolation)?;
        readable.push(compiled.clone());
        classes.push(compiled);
    }
    classes.extend(jars);
    let classes = class_path(classes)?;
    let mut command: Vec<OsString> = vec![java.into()];
    command.extend(FLAGS.map(OsString::from));
    command.push(format!("-Xmx{}m", (terms.limits.memory_mb / HEAP_SHARE).max(16)).into());
    command.extend(["-cp".into(), bridge.clone().into(), "dicehill.bridge.Main".into()]);
    command.extend(["--game".into(), terms.game.into(), "--classes".into(), classes]);
    // A file names its class by itself.
    let stem = path.file_stem().filter(|_| path.is_file() && !is_jar(path));
    if let Some(class) = class.map(OsString::from).or_else(|| stem.map(OsString::from)) {
        command.extend(["--class".into(), class]);
    }
    Ok(Ready { command, files, readable, identity: identity(&hasher) })
}

/// What the author of a player should know of it: static fields that change live on only under
/// `memory = "set"`.
///
/// # Errors
/// If the bridge cannot say.
pub(crate) fn remarks(
    command: &[OsString],
    folder: &Path,
    readable: &[PathBuf],
    isolation: Isolation,
) -> Result<Vec<String>, PrepareError> {
    #[derive(Deserialize)]
    struct Inspection {
        mutable_statics: Vec<Field>,
    }
    #[derive(Deserialize)]
    struct Field {
        class: String,
        field: String,
    }
    let command = [command, &["--inspect".into()]].concat();
    let readable = readable.to_vec();
    let output = build::run(&command, folder, Site { readable, writable: Vec::new(), isolation })?;
    let inspection: Inspection = serde_json::from_slice(&output).map_err(std::io::Error::from)?;
    let names: Vec<_> = inspection
        .mutable_statics
        .iter()
        .map(|Field { class, field }| format!("{class}.{field}"))
        .collect();
    Ok(statics_remark(&names).into_iter().collect())
}

/// What is said of static fields that can change. A library has hundreds.
fn statics_remark(names: &[String]) -> Option<String> {
    const NAMED: usize = 3;
    let (named, others) = names.split_at(names.len().min(NAMED));
    let named = named.join(", ");
    let more =
        if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    (!names.is_empty()).then(|| {
        format!(
            "static fields that can change: {named}{more}; they live on from game to game only \
             under memory = \"set\""
        )
    })
}

fn is_jar(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jar")
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "java")
}

/// Folders and jars as the JVM takes them.
fn class_path(entries: Vec<PathBuf>) -> Result<OsString, PrepareError> {
    std::env::join_paths(&entries).map_err(|_| {
        let has_colon = |path: &PathBuf| path.as_os_str().as_encoded_bytes().contains(&b':');
        PrepareError::JarName(entries.into_iter().find(has_colon).unwrap_or_default())
    })
}

/// The files of a player.
pub(crate) fn files(path: &Path) -> Result<Files, PrepareError> {
    if path.is_dir() {
        return Ok(Files::in_folder(path)?);
    }
    let Some(name) = path.file_name().filter(|_| path.is_file()) else {
        return Err(PrepareError::NoSuch { path: path.to_owned(), what: "file or folder" });
    };
    let mut files = Files::default();
    files.add(path.to_owned(), name.into());
    Ok(files)
}

/// The path of a program of the JDK.
fn tool(what: &'static str) -> Result<PathBuf, PrepareError> {
    let home = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty());
    let at_home = home.map(|home| Path::new(&home).join("bin").join(what));
    at_home
        .filter(|path| path.is_file())
        .or_else(|| find_program(what.as_ref(), Path::new("/")))
        .ok_or(PrepareError::NoJava { what })
}

/// The bridge's classes.
fn bridge(isolation: Isolation) -> Result<PathBuf, PrepareError> {
    let javac = tool("javac")?;
    let mut hasher = hasher("bridge", &[javac.to_string_lossy().into_owned()]);
    hash_sources(&BRIDGE, &mut hasher);
    let made = cache::get("java-bridge", &hasher.finalize().to_hex(), |folder| {
        let sources = Temporary::new()?;
        BRIDGE.extract(sources.path())?;
        compile(&javac, None, sources.path(), folder, isolation)
    });
    // The bridge is ours: a compiler that fails on it is not the bot's fault.
    made.map_err(|error| std::io::Error::other(format!("the Java bridge: {error}")).into())
}

fn hash_sources(folder: &Dir<'_>, hasher: &mut blake3::Hasher) {
    for entry in folder.entries() {
        match entry {
            DirEntry::Dir(folder) => hash_sources(folder, hasher),
            DirEntry::File(file) => {
                hasher.update(file.path().as_os_str().as_encoded_bytes()).update(file.contents());
            }
        }
    }
}

/// A player, of whose files some are sources.
struct Player<'a> {
    path: &'a Path,
    files: &'a Files,
    /// Libraries, by their places among the files.
    jars: &'a [PathBuf],
}

/// The classes of a player that is source.
fn compiled(
    player: &Player<'_>,
    bridge: &Path,
    content: &str,
    isolation: Isolation,
) -> Result<PathBuf, PrepareError> {
    let javac = tool("javac")?;
    let mut hasher = hasher("player", &[javac.to_string_lossy().into_owned(), content.to_owned()]);
    hasher.update(bridge.as_os_str().as_encoded_bytes());
    cache::get("java-player", &hasher.finalize().to_hex(), |folder| {
        let sources = Temporary::new()?;
        player.files.copy_to(sources.path())?;
        let libraries = [bridge].into_iter().chain(player.jars.iter().map(PathBuf::as_path));
        let libraries = class_path(libraries.map(Path::to_owned).collect())?;
        compile(&javac, Some((bridge, &libraries)), sources.path(), folder, isolation)?;
        if has_no_classes(folder) {
            let (path, what) = (player.path.to_owned(), "Java source or jar");
            return Err(PrepareError::NoSuch { path, what });
        }
        Ok(())
    })
}

fn has_no_classes(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// Compiles all sources in a folder against the bridge and a class path that holds it.
fn compile(
    javac: &Path,
    libraries: Option<(&Path, &OsStr)>,
    sources: &Path,
    to: &Path,
    isolation: Isolation,
) -> Result<(), PrepareError> {
    let mut command: Vec<OsString> = vec![javac.into()];
    command
        .extend(["-encoding", "UTF-8", "-nowarn", "-proc:none", "-Xlint:none"].map(OsString::from));
    command.push("-J-XX:TieredStopAtLevel=1".into());
    command.extend(["-d".into(), to.into()]);
    if let Some((_, class_path)) = libraries {
        command.extend(["-cp".into(), class_path.into()]);
    }
    let mut found = Vec::new();
    java_files(sources, &mut found)?;
    if found.is_empty() {
        return Ok(());
    }
    // The dot keeps a name like `@x.java` or `-x.java` from being an option of the compiler.
    let relative = |path: PathBuf| match path.strip_prefix(sources) {
        Ok(within) => Path::new(".").join(within),
        Err(_) => path,
    };
    command.extend(found.into_iter().map(|path| relative(path).into_os_string()));
    let readable = libraries.into_iter().map(|(bridge, _)| bridge.to_owned()).collect();
    let site = Site { readable, writable: vec![to.to_owned()], isolation };
    build::run(&command, sources, site).map(drop)
}

fn java_files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), PrepareError> {
    let unreadable = |error| FilesError::Unreadable { path: folder.to_owned(), error };
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            java_files(&path, found)?;
        } else if is_source(&path) {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn static_fields_are_counted_where_they_are_many() {
        let remark = |count: usize| {
            statics_remark(&(0..count).map(|number| format!("A.f{number}")).collect::<Vec<_>>())
        };
        let starts = |count, start: &str| {
            let text = remark(count).expect("a remark");
            assert!(
                text.starts_with(&format!("static fields that can change: {start};")),
                "{text}"
            );
        };
        assert_eq!(remark(0), None);
        starts(1, "A.f0");
        starts(3, "A.f0, A.f1, A.f2");
        starts(300, "A.f0, A.f1, A.f2 and 297 more");
    }

    #[test]
    fn a_class_path_has_no_colon_in_its_entries() {
        let path = |names: &[&str]| class_path(names.iter().map(PathBuf::from).collect());
        assert_eq!(path(&["a", "b.jar"]).expect("a class path"), "a:b.jar");
        let error = path(&["a", "b:c.jar"]).expect_err("a colon").to_string();
        assert_eq!(error, "b:c.jar: the name of a jar may not contain a colon");
    }
}
