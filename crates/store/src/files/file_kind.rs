//! What a file is, for errors about a file that is named in place of one of another kind.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::command_word::command_word;

/// How SQLite's files begin.
const DATABASE: &[u8] = b"SQLite format 3\0";
/// How files begin that are packed by gzip or zip.
const PACKED: [&[u8]; 2] = [&[0x1f, 0x8b], b"PK\x03\x04"];
/// What a tar archive has at this place.
const TAR: &[u8] = b"ustar";
const TAR_AT: usize = 257;
/// How run logs begin.
const RUN_LOG: &[u8] = b"{\"type\":\"header\"";
/// How plans of runs and their parts begin.
const PLAN: &[u8] = b"{\"type\":\"plan\",";
const PART: &[u8] = b"{\"type\":\"part\",";
/// How files of positions begin.
const POSITIONS: &[u8] = b"{\"schema\":\"dicehill.position/";
/// The ends of the names of the files that SQLite keeps next to a database.
pub(crate) const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];
/// The name of the file that describes a bot in its folder.
pub(crate) const MANIFEST: &str = "bot.toml";
/// The most bytes that are read.
const BEGINNING: u64 = 512;

/// Whether SQLite keeps the file next to a hill, by its name.
#[must_use]
pub fn is_side_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    SIDE_FILES.iter().any(|end| {
        name.strip_suffix(end.as_bytes()).is_some_and(|database| database.ends_with(b".db"))
    })
}

/// A kind of file that commands of this program take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// The store of a hill.
    Hill,
    /// A hill file.
    HillFile,
    /// A run log.
    RunLog,
    /// The plan of a run.
    Plan,
    /// A part of a planned run.
    Part,
    /// A file of positions.
    Positions,
    /// A packed file or folder.
    Archive,
    /// The `bot.toml` in the folder of a bot.
    Manifest,
}

impl FileKind {
    /// The kind of the file at `path`, by its beginning or its name, as far as it is known.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let beginning = beginning(path)?;
        if beginning.starts_with(DATABASE) {
            Some(Self::Hill)
        } else if PACKED.iter().any(|begin| beginning.starts_with(begin))
            || beginning.get(TAR_AT..).is_some_and(|rest| rest.starts_with(TAR))
        {
            Some(Self::Archive)
        } else if beginning.starts_with(RUN_LOG) {
            Some(Self::RunLog)
        } else if beginning.starts_with(PLAN) {
            Some(Self::Plan)
        } else if beginning.starts_with(PART) {
            Some(Self::Part)
        } else if beginning.starts_with(POSITIONS) {
            Some(Self::Positions)
        } else if path.file_name().is_some_and(|name| name == MANIFEST) {
            Some(Self::Manifest)
        } else {
            path.extension().is_some_and(|extension| extension == "toml").then_some(Self::HillFile)
        }
    }

    /// Its name in messages, with its article.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Hill => "a hill",
            Self::HillFile => "a hill file",
            Self::RunLog => "a run log",
            Self::Plan => "the plan of a run",
            Self::Part => "a part of a run",
            Self::Positions => "a file of positions",
            Self::Archive => "an archive",
            Self::Manifest => "the description of a bot",
        }
    }

    /// What the file at `path` is, and the commands that take it.
    fn hint(self, path: &Path) -> String {
        let uses = self.uses(path);
        match self {
            Self::Manifest => format!("; it describes a bot, which is named by its folder: {uses}"),
            Self::Hill
            | Self::HillFile
            | Self::RunLog
            | Self::Plan
            | Self::Part
            | Self::Positions
            | Self::Archive => format!("; this is {}: {uses}", self.title()),
        }
    }

    /// The commands that take the file at `path`.
    fn uses(self, path: &Path) -> String {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            Some(_) | None => Path::new("."),
        };
        let path = command_word(path);
        match self {
            Self::Hill => format!(
                "`dicehill hill show {path}` shows it, `dicehill hill run {path}` plays a run on it"
            ),
            Self::HillFile => format!(
                "`dicehill run {path}` plays it, `dicehill hill init HILL.db {path}` makes a hill of it"
            ),
            Self::RunLog => format!(
                "`dicehill open {path}` shows it, `dicehill hill import HILL.db {path}` adds it to a hill"
            ),
            Self::Archive => "unpack it first".to_owned(),
            Self::Plan => {
                format!("`dicehill run --plan {path} --shard 1/2 --out PART` plays a part of it")
            }
            Self::Part => format!("`dicehill merge PLAN {path} ...` puts parts together"),
            Self::Positions => {
                format!("`dicehill check BOT --positions {path}` asks a bot in them")
            }
            Self::Manifest => {
                let folder = command_word(folder);
                format!("`dicehill check {folder}` checks it")
            }
        }
    }
}

/// The hint on a file that is not of the `wanted` kind; nothing if it is of that kind or of none that is known.
#[must_use]
pub fn hint_of_other_kind(path: &Path, wanted: FileKind) -> String {
    let other = FileKind::of(path).filter(|kind| *kind != wanted);
    other.map_or_else(String::new, |kind| kind.hint(path))
}

/// The first byte of a regular file that is not empty.
pub(crate) fn first_byte(path: &Path) -> Option<u8> {
    beginning(path)?.first().copied()
}

/// The first bytes of a regular file. Opening any other could block.
fn beginning(path: &Path) -> Option<Vec<u8>> {
    let is_file = path.metadata().is_ok_and(|meta| meta.is_file());
    let file = is_file.then(|| File::open(path).ok()).flatten()?;
    let mut bytes = Vec::new();
    file.take(BEGINNING).read_to_end(&mut bytes).ok().map(|_| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_recognised_by_its_beginning_or_its_name() {
        let scratch = tempfile::tempdir().expect("a folder");
        let of = |name: &str, content: &str| {
            let path = scratch.path().join(name);
            std::fs::write(&path, content).expect("a file");
            FileKind::of(&path)
        };
        assert_eq!(of("a.db", "SQLite format 3\0 ..."), Some(FileKind::Hill));
        assert_eq!(of("a.txt", "{\"type\":\"header\",..."), Some(FileKind::RunLog));
        assert_eq!(of("a.jsonl.gz", "PK\u{3}\u{4}..."), Some(FileKind::Archive));
        assert_eq!(of("plan", "{\"type\":\"plan\",..."), Some(FileKind::Plan));
        assert_eq!(of("part", "{\"type\":\"part\",..."), Some(FileKind::Part));
        let position = "{\"schema\":\"dicehill.position/1\",...";
        assert_eq!(of("b.jsonl", position), Some(FileKind::Positions));
        assert_eq!(of("a.toml", "game = 1"), Some(FileKind::HillFile));
        assert_eq!(of("b.txt", "game = 1"), None);
        assert_eq!(of("bot.toml", "name = 1"), Some(FileKind::Manifest));
        assert_eq!(FileKind::of(scratch.path()), None);
        let hill_file = scratch.path().join("a.toml");
        assert_eq!(hint_of_other_kind(&hill_file, FileKind::HillFile), "");
        let hint = hint_of_other_kind(&hill_file, FileKind::Hill);
        assert!(hint.starts_with("; this is a hill file: `dicehill run "), "{hint}");
    }
}
