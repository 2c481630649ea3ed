//! What the bridge finds in the classes of a player: its player class, and state that one game could leave for another.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use dicehill_temporary::TemporaryFolder;
use serde::Deserialize;

use crate::files::bot_files::BotFiles;
use crate::isolation::mode::Isolation;
use crate::prepare::build::{self, BuildAccess};
use crate::prepare::cache;
use crate::prepare::error::PrepareError;

/// The file in the cache.
const FILE: &str = "inspection.json";

/// A player whose classes are inspected.
pub(super) struct Inspected<'a> {
    /// The file or folder that was named.
    pub(super) path: &'a Path,
    pub(super) files: &'a BotFiles,
    /// The hash of its files.
    pub(super) content: &'a str,
    /// What runs it.
    pub(super) command: &'a [OsString],
    /// What it may read in addition to its files.
    pub(super) readable: &'a [PathBuf],
    pub(super) isolation: Isolation,
}

impl Inspected<'_> {
    /// What is found in the classes, which are inspected once.
    ///
    /// # Errors
    /// If there is no player class or several, or the classes cannot be inspected.
    pub(super) fn findings(&self) -> Result<Findings, PrepareError> {
        #[derive(Deserialize)]
        struct Inspection {
            mutable_statics: Vec<Field>,
            shared_state: Vec<Use>,
            randomness: bool,
        }
        #[derive(Deserialize)]
        struct Field {
            class: String,
            field: String,
        }
        #[derive(Deserialize)]
        struct Use {
            class: String,
            member: String,
        }
        let folder = cache::get_or_make(cache::Cached::Inspection, &self.key(), |folder| {
            fs::write(folder.join(FILE), self.inspect()?).map_err(PrepareError::from)
        })?;
        let inspection: Inspection =
            serde_json::from_slice(&fs::read(folder.join(FILE))?).map_err(io::Error::from)?;
        let fields = inspection.mutable_statics.iter();
        let fields: Vec<_> =
            fields.map(|Field { class, field }| format!("{class}.{field}")).collect();
        let uses = inspection.shared_state.iter();
        let uses: Vec<_> =
            uses.map(|Use { class, member }| format!("{member} in {class}")).collect();
        let remarks = statics_remark(&fields).into_iter().chain(shared_remark(&uses)).collect();
        Ok(Findings { remarks, uses_shared_randomness: inspection.randomness })
    }

    /// The command names the bridge, the compiled classes and the JDK.
    fn key(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.content.as_bytes());
        for word in self.command {
            hasher.update(word.as_encoded_bytes()).update(b"\0");
        }
        hasher.finalize().to_hex().to_string()
    }

    /// What the bridge prints. It loads the player class without running any code of it.
    fn inspect(&self) -> Result<Vec<u8>, PrepareError> {
        let folder = TemporaryFolder::new()?;
        self.files.copy_to(folder.path())?;
        let command = [self.command, &["--inspect".into()]].concat();
        let (readable, writable) = (self.readable.to_vec(), Vec::new());
        let access = BuildAccess { readable, writable, isolation: self.isolation };
        let output = build::run_command(&command, folder.path(), access)?;
        match serde_json::from_slice(&output) {
            Ok(Refusal { error: why }) => {
                Err(PrepareError::Player { path: self.path.to_owned(), why })
            }
            Err(_) => Ok(output),
        }
    }
}

/// What the bridge has found in the classes of a player.
pub(super) struct Findings {
    /// Remarks for the author: what of static fields and of the JVM keeps values between games with `memory = "set"`, and does
    /// not with `memory = "game"`.
    pub(super) remarks: Vec<String>,
    /// Whether it uses random generators that all games in a JVM share.
    pub(super) uses_shared_randomness: bool,
}

/// What the bridge prints instead if there is no player to start.
#[derive(Deserialize)]
struct Refusal {
    error: String,
}

/// The remark about static fields that can change.
fn statics_remark(fields: &[String]) -> Option<String> {
    let why = "they live on from game to game only under memory = \"set\"";
    (!fields.is_empty()).then(|| format!("static fields that can change: {}; {why}", list(fields)))
}

/// The remark about state that all games in a JVM share.
fn shared_remark(uses: &[String]) -> Option<String> {
    let why = "under memory = \"game\" each game has a process of its own";
    (!uses.is_empty()).then(|| format!("it may use state of the whole JVM: {}; {why}", list(uses)))
}

/// The first of these, as a library may have hundreds, and the number of the others.
fn list(all: &[String]) -> String {
    const NAMED: usize = 3;
    let (named, others) = all.split_at(all.len().min(NAMED));
    let named = named.join(", ");
    if others.is_empty() { named } else { format!("{named} and {} more", others.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_three_static_fields_are_named() {
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
}
