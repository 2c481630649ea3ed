//! The free space of the disks that the queue writes to.

use std::path::{Path, PathBuf};

use dicehill_store::free_bytes;

use crate::{Config, Problem};

/// What visitors read while there is no room.
const FULL: &str =
    "the disk of this server is nearly full: no bots are accepted until its host has made room";

/// The disks that a hill's queue writes to: that of the hill, that of unpacked uploads, and that of what runs cache of bots.
#[derive(Clone, Debug)]
pub(crate) struct FreeDisk {
    /// The bytes that must be free.
    least: u64,
    /// Where runs cache what they make of bots.
    bot_cache: Option<PathBuf>,
}

impl FreeDisk {
    pub(crate) fn new(config: &Config) -> Self {
        Self { least: config.min_free_bytes, bot_cache: config.bot_cache.clone() }
    }

    /// Why nothing can be accepted and played now; `None` if there is room. What the system does not know is no reason.
    pub(crate) fn shortage(&self, hill: &Path) -> Option<String> {
        let folder = hill.parent().filter(|folder| !folder.as_os_str().is_empty());
        let temporary = std::env::temp_dir();
        let places =
            [("the hill", folder.unwrap_or(Path::new("."))), ("unpacked uploads", &temporary)];
        let cache = self.bot_cache.as_deref().map(|folder| ("the cache of built bots", folder));
        places.into_iter().chain(cache).find_map(|(what, folder)| {
            let free = free_bytes(folder)?;
            (free < self.least).then(|| {
                format!(
                    "the disk for {what} has {} MiB left, and {} MiB must be free",
                    free >> 20,
                    self.least >> 20
                )
            })
        })
    }

    /// What visitors read while there is no room; `None` if there is.
    pub(crate) fn notice(&self, hill: &Path) -> Option<&'static str> {
        self.shortage(hill).map(|_| FULL)
    }

    /// Refuses an upload while there is no room.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn check(&self, hill: &Path) -> Result<(), Problem> {
        match self.shortage(hill) {
            None => Ok(()),
            Some(why) => {
                tracing::error!("an upload is refused: {why}");
                Err(Problem::Full(FULL.to_owned()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_with_too_little_room_accepts_nothing() {
        let hill = std::env::temp_dir().join("hill.db");
        let empty = FreeDisk { least: 0, bot_cache: Some(std::env::temp_dir()) };
        assert_eq!(empty.shortage(&hill), None);
        assert!(empty.check(&hill).is_ok());
        let full = FreeDisk { least: u64::MAX, bot_cache: None };
        assert!(full.shortage(&hill).unwrap().contains("MiB must be free"));
        assert_eq!(full.check(&hill).unwrap_err().status().as_u16(), 507);
        assert_eq!(full.shortage(Path::new("/no/such/folder/h.db")).is_some(), cfg!(unix));
    }
}
