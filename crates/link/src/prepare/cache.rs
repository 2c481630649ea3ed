//! The user's cache folder: what was compiled once, by the hash of its sources.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dicehill_temporary::TemporaryFolder;

/// The cache folder: `dicehill` in the system's cache folder of the user, else in the temporary folder. On Unix, only
/// the user has access; the bots of root have users of their own, who must reach their files, but cannot list the folder.
///
/// # Errors
/// If it cannot be created, or belongs to another user.
pub fn cache_folder() -> io::Result<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let of_user = if cfg!(windows) { set("LOCALAPPDATA") } else { set("XDG_CACHE_HOME") };
    let base = of_user.or_else(|| Some(reachable(set("HOME")?.join(".cache"))));
    let folder = base.unwrap_or_else(std::env::temp_dir).join("dicehill");
    fs::create_dir_all(&folder)?;
    protect(&folder)?;
    Ok(folder)
}

/// The folder, or the system's cache folder if root's home is closed to the users of its bots.
#[cfg(unix)]
fn reachable(folder: PathBuf) -> PathBuf {
    let is_closed =
        |user: u32| crate::files::ownership::closed_above(&folder.join("dicehill"), user).is_some();
    if rustix::process::geteuid().is_root() && is_closed(u32::MAX) {
        return PathBuf::from("/var/cache");
    }
    folder
}

#[cfg(not(unix))]
fn reachable(folder: PathBuf) -> PathBuf {
    folder
}

/// Only the user sees what is in the folder.
#[cfg(unix)]
fn protect(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let meta = fs::symlink_metadata(folder)?;
    let user = rustix::process::geteuid();
    if !meta.is_dir() || meta.uid() != user.as_raw() {
        let message = format!("{}: is not a folder of yours", folder.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
    }
    let mode = if user.is_root() { 0o711 } else { 0o700 };
    fs::set_permissions(folder, fs::Permissions::from_mode(mode))
}

/// The folder has the access rights of the user's other folders.
#[cfg(not(unix))]
fn protect(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// The environment variable that names a folder in which what is made of bots is cached instead. A server sets it for uploaded
/// bots, so that nothing of them outlives the upload.
const BOT_CACHE: &str = "DICEHILL_BOT_CACHE";

/// What is cached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cached {
    /// The compiled Java bridge.
    Bridge,
    /// A folder that a bot's build command has built.
    Build,
    /// The compiled classes of a Java player.
    Player,
    /// What was found in the classes of a Java player.
    Inspection,
}

impl Cached {
    /// The folder with all that is cached of this kind.
    fn folder(self) -> io::Result<PathBuf> {
        let (name, is_of_bot) = match self {
            Self::Bridge => ("java-bridge", false),
            Self::Build => ("build", true),
            Self::Player => ("java-player", true),
            Self::Inspection => ("java-inspection", true),
        };
        let of_bots = std::env::var_os(BOT_CACHE).filter(|value| is_of_bot && !value.is_empty());
        Ok(of_bots.map_or_else(cache_folder, |folder| Ok(folder.into()))?.join(name))
    }
}

/// The cached folder of this kind and key. If there is none, `make` fills an empty folder, which becomes
/// visible under its name only when it is complete.
///
/// # Errors
/// What `make` returns, and if the cache cannot be written.
pub(crate) fn get_or_make<E: From<io::Error>>(
    kind: Cached,
    key: &str,
    make: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<PathBuf, E> {
    let parent = kind.folder()?;
    let folder = parent.join(key);
    if folder.is_dir() {
        return Ok(folder);
    }
    fs::create_dir_all(&parent)?;
    protect(&parent)?;
    let draft = TemporaryFolder::new_in(&parent)?;
    make(draft.path())?;
    // Sandboxes of root have users of their own, which this process's mask may have shut out.
    #[cfg(unix)]
    crate::files::ownership::make_readable(draft.path())?;
    match fs::rename(draft.path(), &folder) {
        Ok(()) => Ok(folder),
        // Another process created it first.
        Err(_) if folder.is_dir() => Ok(folder),
        Err(error) => Err(error.into()),
    }
}
