//! The plan of a run that several machines play.

use std::fs::Metadata;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use dicehill_arena::{Bar, GameRange, Header, Hill, Schedule, Shard, entrants_without};
use dicehill_arena::{TournamentGame, printable_json};
use dicehill_rules::{Chance, Game, SeedParts};
use dicehill_temporary::DraftFile;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Deserializer;

use crate::files::file_kind::{FileKind, hint_of_other_kind};
use crate::files::regular_file::open_regular;
use crate::run_log::header_line::{hash_of, hashed_as, header_line, without_hash_as};
use crate::run_log::read_header::read_header_line;
use crate::{FileError, RunHeader, json_message};

/// The version of the format.
const SCHEMA: &str = "dicehill.plan/1";
/// Where plans come from.
const WRITES_PLANS: &str = "; `dicehill run HILL.toml --plan PLAN` writes plans";
/// The last key of a plan: the hash over the plan without it.
const HASH: &str = "plan_hash";
/// How each plan begins; the header follows.
const BEGINS: &str = "{\"type\":\"plan\",\"schema\":\"dicehill.plan/1\",\"header\":";
/// The longest plan, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The plan of a run that several machines play: its header, with the seed and the hash of each bot, and the bars of the
/// qualification.
#[derive(Clone, Debug, PartialEq)]
pub struct RunPlan {
    header: RunHeader,
    bars: Vec<Bar>,
    sources: Vec<String>,
    /// With its hash, without the newline.
    text: String,
    /// Whether other users can read its file.
    is_readable_by_others: bool,
}

impl RunPlan {
    /// The plan of a run of `hill` after these bars of the qualification. `sources` are the arguments of the command line
    /// that name its bots or their hill file.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn new<G: Game>(hill: &Hill<G>, bars: &[Bar], sources: &[String]) -> io::Result<Self> {
        let header = header_line(&Header::new(hill))?;
        let (bars, sources) = (printable_json(&bars)?, printable_json(&sources)?);
        let text = format!("{BEGINS}{header},\"bars\":{bars},\"sources\":{sources}}}");
        Self::parse(&hashed_as(HASH, &text)).map_err(io::Error::other)
    }

    /// Reads the plan at `path`.
    ///
    /// # Errors
    /// If it cannot be read, is not a plan of a known version, or was altered.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let file = open_regular(path)?;
        let hint = hint_of_other_kind(path, FileKind::Plan);
        if !hint.is_empty() {
            return Err(FileError::new(path, format!("not the plan of a run{hint}")));
        }
        let meta = file.metadata().map_err(|error| FileError::new(path, error))?;
        let mut text = String::new();
        let read = file.take(MAX_BYTES + 1).read_to_string(&mut text);
        let is_text =
            read.as_ref().err().is_none_or(|error| error.kind() != ErrorKind::InvalidData);
        if !is_text || !text.starts_with('{') && read.is_ok() {
            return Err(FileError::new(path, format!("not the plan of a run{WRITES_PLANS}")));
        }
        read.map_err(|error| FileError::new(path, error))?;
        if text.len() as u64 > MAX_BYTES {
            let most = MAX_BYTES >> 20;
            return Err(FileError::new(path, format!("longer than {most} MiB: not a plan")));
        }
        let plan = Self::parse(text.trim_end_matches(['\n', '\r']));
        let plan = plan.map_err(|why| FileError::new(path, why + WRITES_PLANS))?;
        Ok(Self { is_readable_by_others: is_readable_by_others(&meta), ..plan })
    }

    /// Reads the text of a plan, without the newline. An error says what is wrong with it.
    ///
    /// # Errors
    /// If it is not a plan of a known version, or was altered.
    pub fn parse(text: &str) -> Result<Self, String> {
        let foreign = |why: &str| format!("not the plan of a run: {why}");
        let raw: RawPlan =
            serde_json::from_str(text).map_err(|error| foreign(&json_message(&error)))?;
        if raw.r#type != "plan" || raw.schema != SCHEMA {
            let (r#type, schema) = (&raw.r#type, &raw.schema);
            return Err(foreign(&format!(
                "type {type:?}, schema {schema:?}; this dicehill supports {SCHEMA:?}"
            )));
        }
        let altered = || "the plan was altered: its plan_hash is not that of its text".to_owned();
        let (unhashed, recorded) = without_hash_as(HASH, text).ok_or_else(altered)?;
        let header = text.strip_prefix(BEGINS).and_then(first_value).ok_or_else(altered)?;
        if recorded != hash_of(&unhashed) {
            return Err(altered());
        }
        let header = read_header_line(header.to_owned()).map_err(|error| error.to_string())?;
        let RawPlan { bars, sources, .. } = raw;
        Ok(Self { header, bars, sources, text: text.to_owned(), is_readable_by_others: false })
    }

    /// Writes the plan to a new file, readable by its owner only: it holds the secret of the run.
    ///
    /// # Errors
    /// If there is a file already, or it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        let failed = |error: io::Error| {
            if error.kind() == ErrorKind::AlreadyExists {
                return FileError::new(path, "exists already: choose another name for a new plan");
            }
            FileError::new(path, error)
        };
        let mut draft = DraftFile::new_private(path).map_err(failed)?;
        writeln!(draft.file(), "{}", self.text).map_err(failed)?;
        draft.persist_new().map(drop).map_err(failed)
    }

    /// The text of the plan, without the newline. It has the secret of the run.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The header of the run.
    #[must_use]
    pub const fn header(&self) -> &RunHeader {
        &self.header
    }

    /// The bars of the qualification, in order.
    #[must_use]
    pub fn bars(&self) -> &[Bar] {
        &self.bars
    }

    /// The arguments of the command line that named the bots or their hill file.
    #[must_use]
    pub fn sources(&self) -> &[String] {
        &self.sources
    }

    /// Whether the secret of the run, from which all its dice follow, is in a file that other users can read.
    #[must_use]
    pub fn exposes_secret(&self) -> bool {
        self.is_readable_by_others && SeedParts::of(&self.header.seed).secret.is_some()
    }

    /// The hash over the plan, which each part of the run names.
    #[must_use]
    pub fn hash(&self) -> &str {
        without_hash_as(HASH, &self.text).map_or("", |(_, hash)| hash)
    }

    /// The hill of the run with entrants that cannot play, and without an appraiser. `path` is the file of the plan.
    ///
    /// # Errors
    /// If the settings are invalid for game `G`.
    pub fn inert_hill<G: TournamentGame>(&self, path: &Path) -> Result<Hill<G>, FileError> {
        self.header.inert_hill(path)
    }

    /// All games of the plan, without play-offs; none if fewer than two bots have qualified.
    #[must_use]
    pub fn games<G: Game>(&self, hill: &Hill<G>) -> GameRange {
        let whole = "1/1".parse().expect("one shard of one");
        self.shard(hill, whole)
    }

    /// The games of a shard.
    #[must_use]
    pub fn shard<G: Game>(&self, hill: &Hill<G>, shard: Shard) -> GameRange {
        let active = entrants_without(hill, &self.bars);
        if active.len() < 2 {
            return shard.of(0, 1);
        }
        Schedule::new(hill, &Chance::new(hill.seed()), active).shard(shard)
    }
}

/// Whether the group or all users can read a file.
#[cfg(unix)]
fn is_readable_by_others(meta: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    meta.mode() & 0o044 != 0
}

#[cfg(not(unix))]
const fn is_readable_by_others(_meta: &Metadata) -> bool {
    false
}

/// The keys of a plan besides its header.
#[derive(Deserialize)]
struct RawPlan {
    r#type: String,
    schema: String,
    bars: Vec<Bar>,
    sources: Vec<String>,
}

/// The text of the JSON value with which `text` begins.
fn first_value(text: &str) -> Option<&str> {
    let mut values = Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    text.get(..values.byte_offset())
}
