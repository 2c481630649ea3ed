//! The user's cache folder: what was compiled once, by the hash of its sources.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use dicehill_temporary::Temporary;

/// Where things are cached: the system's folder for it, or else one among the temporary files. Nobody else comes in.
///
/// # Errors
/// If it cannot be made, or is somebody else's.
pub fn cache_folder() -> io::Result<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
    let folder = base.unwrap_or_else(std::env::temp_dir).join("dicehill");
    fs::create_dir_all(&folder)?;
    let meta = fs::symlink_metadata(&folder)?;
    if !meta.is_dir() || meta.uid() != rustix::process::geteuid().as_raw() {
        let message = format!("{}: is not a folder of yours", folder.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))?;
    Ok(folder)
}

/// The folder of this kind and key, made by `make` if it is not there. `make` is given an empty
/// folder; nobody sees it half done.
///
/// # Errors
/// What `make` returns, and if the cache cannot be written.
pub(crate) fn get<E: From<io::Error>>(
    kind: &str,
    key: &str,
    make: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<PathBuf, E> {
    let all = cache_folder()?.join(kind);
    let place = all.join(key);
    if place.is_dir() {
        return Ok(place);
    }
    fs::create_dir_all(&all)?;
    let draft = Temporary::within(&all)?;
    make(draft.path())?;
    match fs::rename(draft.path(), &place) {
        Ok(()) => Ok(place),
        // Somebody else was faster.
        Err(_) if place.is_dir() => Ok(place),
        Err(error) => Err(error.into()),
    }
}
