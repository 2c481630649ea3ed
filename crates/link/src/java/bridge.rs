//! The bridge between the protocol and the published Java interfaces.

use std::path::PathBuf;

use dicehill_temporary::TemporaryFolder;
use include_dir::{Dir, DirEntry, include_dir};

use super::compiler::{Compilation, tool};
use crate::isolation::sandbox::Isolation;
use crate::prepare::cache;
use crate::prepare::error::PrepareError;
use crate::prepare::identity::hasher;

/// The sources of the bridge.
static BRIDGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/java");

/// The folder with the compiled classes of the bridge.
pub(super) fn bridge(isolation: Isolation) -> Result<PathBuf, PrepareError> {
    let javac = tool("javac")?;
    let mut hasher = hasher("bridge", &[javac.to_string_lossy().into_owned()]);
    hash_sources(&BRIDGE, &mut hasher);
    let made = cache::get_or_make(cache::Cached::Bridge, &hasher.finalize().to_hex(), |folder| {
        let sources = TemporaryFolder::new()?;
        BRIDGE.extract(sources.path())?;
        let (javac, sources) = (javac.as_path(), sources.path());
        Compilation { javac, libraries: None, sources, to: folder, isolation }.run()
    });
    // The bridge is part of this program: if the compiler fails on it, the bot is not at fault.
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
