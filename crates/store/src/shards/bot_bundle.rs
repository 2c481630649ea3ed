//! An external bot with its files, as it travels to another machine.

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::hill_store::stored_entrant::SourceColumn;
use crate::{BotKind, StoredFile, json_message};

/// The version of the format.
const SCHEMA: &str = "dicehill.bot/1";
/// The most files of a bot.
const MAX_FILES: usize = 20_000;

/// An external bot with its files: equal bots have equal bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotBundle {
    /// What runs it. Its paths are relative to the folder with its files.
    pub kind: BotKind,
    /// Its files.
    pub files: Vec<StoredFile>,
}

/// The first line; the contents of the files follow it.
#[derive(Serialize, Deserialize)]
struct BundleHead {
    schema: String,
    source: SourceColumn,
    files: Vec<FileHead>,
}

#[derive(Serialize, Deserialize)]
struct FileHead {
    path: PathBuf,
    executable: bool,
    bytes: usize,
}

impl BotBundle {
    /// The bytes.
    ///
    /// # Errors
    /// If a path is not UTF-8.
    pub fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let head = |file: &StoredFile| FileHead {
            path: file.path.clone(),
            executable: file.executable,
            bytes: file.content.len(),
        };
        let mut files: Vec<_> = self.files.iter().collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let heads = files.iter().map(|file| head(file)).collect();
        let (schema, source) = (SCHEMA.to_owned(), SourceColumn::from(&self.kind));
        let mut bytes = serde_json::to_vec(&BundleHead { schema, source, files: heads })?;
        bytes.push(b'\n');
        files.iter().for_each(|file| bytes.extend(&file.content));
        Ok(bytes)
    }

    /// Reads the bytes. An error says what is wrong with them.
    ///
    /// # Errors
    /// If they are no bundle of a known version, or a path leads out of its folder.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        let head: BundleHead =
            serde_json::from_slice(&bytes[..end]).map_err(|error| json_message(&error))?;
        let BundleHead { schema, source, files } = head;
        if schema != SCHEMA || files.len() > MAX_FILES {
            let count = files.len();
            return Err(format!(
                "schema {schema:?} with {count} files; this dicehill supports {SCHEMA:?}"
            ));
        }
        let kind = BotKind::from(source);
        kind.own_terms().limits.checked().map_err(|error| error.to_string())?;
        if let BotKind::Java { path, .. } = &kind {
            within_folder(path)?;
        }
        let mut rest = bytes.get(end + 1..).unwrap_or_default();
        let mut read = Vec::new();
        for FileHead { path, executable, bytes } in files {
            within_folder(&path)?;
            let missing = || format!("{}: its content is missing", path.display());
            let (content, others) = rest.split_at_checked(bytes).ok_or_else(missing)?;
            rest = others;
            read.push(StoredFile { path, executable, content: content.to_vec() });
        }
        if rest.is_empty() {
            Ok(Self { kind, files: read })
        } else {
            Err("more than its files".to_owned())
        }
    }
}

/// Refuses a path that leads out of its folder.
fn within_folder(path: &Path) -> Result<(), String> {
    let is_within = |part: Component<'_>| matches!(part, Component::Normal(_));
    if path.components().all(is_within) {
        return Ok(());
    }
    Err(format!("{}: leads out of its folder", path.display()))
}

#[cfg(test)]
mod tests {
    use dicehill_arena::OwnTerms;

    use super::*;

    fn bundle() -> BotBundle {
        let file = |path: &str, content: &[u8]| StoredFile {
            path: path.into(),
            executable: content.is_empty(),
            content: content.to_vec(),
        };
        let kind = BotKind::Command {
            command: vec!["python3".to_owned(), "bot.py".to_owned()],
            base: PathBuf::new(),
            dir: None,
            build: None,
            read: Vec::new(),
            own_terms: OwnTerms::default(),
        };
        BotBundle { kind, files: vec![file("a/bot.py", b"print()\n"), file("b", b"")] }
    }

    #[test]
    fn bundles_are_restored_and_equal_ones_have_equal_bytes() {
        let bytes = bundle().to_bytes().unwrap();
        assert_eq!(BotBundle::from_bytes(&bytes).unwrap(), bundle());
        let mut turned = bundle();
        turned.files.reverse();
        assert_eq!(turned.to_bytes().unwrap(), bytes);
    }

    #[test]
    fn what_is_no_bundle_is_refused() {
        let bytes = bundle().to_bytes().unwrap();
        for kept in [0, 1, 20, bytes.len() - 1] {
            assert!(BotBundle::from_bytes(&bytes[..kept]).is_err(), "{kept} bytes");
        }
        assert!(BotBundle::from_bytes(&[&bytes[..], b"x"].concat()).is_err());
        let text = String::from_utf8(bytes).unwrap();
        for (from, to) in [("a/bot.py", "../t.py"), ("a/bot.py", "/bot.py."), ("bot/1", "bot/9")] {
            let altered = text.replacen(from, to, 1);
            assert!(BotBundle::from_bytes(altered.as_bytes()).is_err(), "{to}");
        }
    }
}
