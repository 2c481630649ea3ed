//! Whether a store may have changed, without opening it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The size and the time of the last change of a store and of its write-ahead log, which every transaction changes. A change
/// can be missed that leaves the size and comes within the clock tick of the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileStamp([Option<(u64, SystemTime)>; 2]);

impl FileStamp {
    /// That of the store at this path.
    pub(crate) fn of(path: &Path) -> Self {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        let stamp = |path: &Path| {
            let metadata = fs::metadata(path).ok()?;
            Some((metadata.len(), metadata.modified().ok()?))
        };
        Self([stamp(path), stamp(&PathBuf::from(log))])
    }

    /// The bytes of both.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.iter().flatten().map(|(bytes, _)| bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use dicehill_arena::HillDraft;
    use dicehill_rules::yahtzee::Yahtzee;
    use dicehill_store::{EntryStore, HillSettings, HillStore, SecretToken, TokenTerms};
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_transaction_changes_the_stamp_and_reading_does_not() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("spring.db");
        let draft = HillDraft::<Yahtzee>::challenge(Vec::new(), "");
        HillStore::create(&path, &HillSettings::from_draft(&draft, None)).unwrap();
        let mut store = EntryStore::open(&path).unwrap();
        let before = FileStamp::of(&path);
        store.entries(10).unwrap();
        assert_eq!(FileStamp::of(&path), before);
        store.add_token(&SecretToken::new([1; 32]), &TokenTerms::default()).unwrap();
        assert_ne!(FileStamp::of(&path), before);
    }
}
