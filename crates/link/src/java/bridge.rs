//! The bridge between the protocol and the published Java interfaces.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dicehill_rules::GameName;
use dicehill_temporary::TemporaryFolder;
use include_dir::{Dir, DirEntry, include_dir};

use super::compiler::{Compilation, tool};
use crate::isolation::mode::Isolation;
use crate::prepare::cache;
use crate::prepare::error::PrepareError;
use crate::prepare::identity::hasher;

/// The sources of the bridge.
static BRIDGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/java");

/// The folder within the bridge's with the classes of the default package: the interface of Liar's Dice. On the class path of
/// a player of Yahtzee, its `Player` would hide the one of `import mego.yahtzee.*`.
const DEFAULT_PACKAGE: &str = "default-package";

/// The class path of the bridge for players of a game.
pub(super) fn class_path_entries(bridge: &Path, game: &str) -> Vec<PathBuf> {
    let default_package =
        (game == GameName::LiarsDice.name()).then(|| bridge.join(DEFAULT_PACKAGE));
    std::iter::once(bridge.to_owned()).chain(default_package).collect()
}

/// The folder with the compiled classes of the bridge.
pub(super) fn bridge(isolation: Isolation) -> Result<PathBuf, PrepareError> {
    let javac = tool("javac")?;
    let words = [javac.to_string_lossy().into_owned(), DEFAULT_PACKAGE.to_owned()];
    let mut hasher = hasher("bridge", &words);
    hash_sources(&BRIDGE, &mut hasher);
    let made = cache::get_or_make(cache::Cached::Bridge, &hasher.finalize().to_hex(), |folder| {
        let sources = TemporaryFolder::new()?;
        BRIDGE.extract(sources.path())?;
        let (javac, sources) = (javac.as_path(), sources.path());
        Compilation { javac, libraries: &[], sources, to: folder, isolation }.run()?;
        separate_default_package(folder).map_err(PrepareError::from)
    });
    // The bridge is part of this program: if the compiler fails on it, the bot is not at fault.
    made.map_err(|error| io::Error::other(format!("the Java bridge: {error}")).into())
}

/// Moves the classes of the default package into a folder of their own.
fn separate_default_package(folder: &Path) -> io::Result<()> {
    let separate = folder.join(DEFAULT_PACKAGE);
    fs::create_dir(&separate)?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            fs::rename(&path, separate.join(name))?;
        }
    }
    Ok(())
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
