//! A home for cargo in a sandboxed build: the crates of crates.io that the host has fetched, without the configuration
//! of the host, which may hold tokens.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use dicehill_temporary::TemporaryFolder;

/// A build has no network.
const CONFIGURATION: &str = "[net]\noffline = true\n";

/// The folders of a registry. Those of other registries than crates.io may be private.
const REGISTRY: [&str; 3] = ["index", "cache", "src"];

/// The prefixes of the folders of crates.io: for its sparse index and for its former git index.
const CRATES_IO: [&str; 2] = ["index.crates.io-", "github.com-1ecc6299db9ec823"];

/// The home of the host's cargo.
fn host_home() -> Option<PathBuf> {
    let set = std::env::var_os("CARGO_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = set.or_else(|| Some(std::env::home_dir()?.join(".cargo")))?;
    home.is_dir().then_some(home)
}

/// What a build may read of the host's cargo: its programs and its copies of crates.io.
pub(crate) fn readable() -> Vec<PathBuf> {
    let Some(home) = host_home() else { return Vec::new() };
    let folders = REGISTRY.iter().flat_map(|kind| crates_io(&home.join("registry").join(kind)));
    folders.chain([home.join("bin")]).collect()
}

/// Creates a home for one build, which may write to it; `None` if the host has no cargo.
///
/// # Errors
/// If it cannot be created.
pub(crate) fn new() -> io::Result<Option<TemporaryFolder>> {
    let Some(host) = host_home() else { return Ok(None) };
    let own = TemporaryFolder::new()?;
    fs::write(own.path().join("config.toml"), CONFIGURATION)?;
    for kind in REGISTRY {
        let folder = own.path().join("registry").join(kind);
        fs::create_dir_all(&folder)?;
        for copy in crates_io(&host.join("registry").join(kind)) {
            symlink(&copy, folder.join(copy.file_name().unwrap_or_default()))?;
        }
    }
    Ok(Some(own))
}

/// The folders of crates.io among those of all registries.
fn crates_io(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let is_crates_io = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        CRATES_IO.iter().any(|start| name.starts_with(start.as_bytes()))
    };
    entries.map(|entry| entry.path()).filter(is_crates_io).collect()
}
