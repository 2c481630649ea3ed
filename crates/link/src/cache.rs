//! The user's cache folder: what was compiled once, by its content.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::temporary_folder_in;

/// Where things are cached: the system's folder for it, or else one among the temporary files.
fn folder() -> PathBuf {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
    base.unwrap_or_else(std::env::temp_dir).join("dicehill")
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
    let all = folder().join(kind);
    let place = all.join(key);
    if place.is_dir() {
        return Ok(place);
    }
    fs::create_dir_all(&all)?;
    let draft = temporary_folder_in(&all)?;
    make(draft.path())?;
    match fs::rename(draft.path(), &place) {
        Ok(()) => {
            let _moved = draft.keep();
            Ok(place)
        }
        // Somebody else was faster.
        Err(_) if place.is_dir() => Ok(place),
        Err(error) => Err(error.into()),
    }
}
