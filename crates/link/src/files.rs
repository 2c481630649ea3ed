//! A bot's files: what is copied, what their content is, and the folder in which it works.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The most files of a bot.
const MOST_FILES: usize = 20_000;
/// The most bytes of them together.
const MOST_BYTES: u64 = 1 << 30;
/// Folders that hold nothing that a bot needs to be built or run.
const LEFT_OUT: [&str; 5] = [".git", ".hg", "__pycache__", ".venv", ".DS_Store"];

/// The files of a bot, each under the path by which the bot knows it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files(Vec<OneFile>);

#[derive(Clone, Debug)]
struct OneFile {
    source: PathBuf,
    /// Relative, without `..`.
    place: PathBuf,
}

/// Why a bot's files cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// One cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A path that leads somewhere else.
    #[error("{}: is a link or no regular file, which bots may not bring", .0.display())]
    NoFile(PathBuf),
    /// Far more than a bot needs.
    #[error("{}: more than {MOST_FILES} files or {MOST_BYTES} bytes", .0.display())]
    TooMuch(PathBuf),
}

impl Files {
    /// Everything in a folder.
    pub(crate) fn in_folder(folder: &Path) -> Result<Self, FilesError> {
        let mut files = Self::default();
        let mut bytes = 0;
        files.add_folder(folder, Path::new(""), &mut bytes)?;
        files.0.sort_by(|a, b| a.place.cmp(&b.place));
        Ok(files)
    }

    /// Everything in a folder that is to be built, but what cargo has made there before.
    pub(crate) fn to_be_built(folder: &Path) -> Result<Self, FilesError> {
        let mut files = Self::in_folder(folder)?;
        if folder.join("Cargo.toml").is_file() {
            files.0.retain(|file| !file.place.starts_with("target"));
        }
        Ok(files)
    }

    /// One file, by this path.
    pub(crate) fn add(&mut self, source: PathBuf, place: PathBuf) {
        self.0.push(OneFile { source, place });
    }

    fn add_folder(
        &mut self,
        folder: &Path,
        place: &Path,
        bytes: &mut u64,
    ) -> Result<(), FilesError> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            move |error| FilesError::Unreadable { path, error }
        };
        for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
            let entry = entry.map_err(unreadable(folder))?;
            let name = entry.file_name();
            if LEFT_OUT.iter().any(|left_out| name == *left_out) {
                continue;
            }
            let (path, place) = (entry.path(), place.join(&name));
            // A link is followed as far as what it leads to is a file.
            let meta = fs::metadata(&path).map_err(unreadable(&path))?;
            let is_link = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_symlink());
            if meta.is_dir() && !is_link {
                self.add_folder(&path, &place, bytes)?;
            } else if meta.is_file() {
                *bytes += meta.len();
                self.0.push(OneFile { source: path, place });
            } else {
                return Err(FilesError::NoFile(path));
            }
            if self.0.len() > MOST_FILES || *bytes > MOST_BYTES {
                return Err(FilesError::TooMuch(folder.to_owned()));
            }
        }
        Ok(())
    }

    /// Takes the files into a hash: their paths, whether they can be run, and what is in them.
    pub(crate) fn hash(&self, hasher: &mut blake3::Hasher) -> Result<(), FilesError> {
        for OneFile { source, place } in &self.0 {
            let unreadable = |error| FilesError::Unreadable { path: source.clone(), error };
            let content = fs::read(source).map_err(unreadable)?;
            let place = place.as_os_str().as_encoded_bytes();
            for part in [place, &[u8::from(is_executable(source))], &content] {
                hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
            }
        }
        Ok(())
    }

    /// Copies the files into a folder.
    pub(crate) fn copy_to(&self, folder: &Path) -> io::Result<()> {
        for OneFile { source, place } in &self.0 {
            let to = folder.join(place);
            let parent = to.parent().unwrap_or(folder);
            fs::create_dir_all(parent)?;
            fs::copy(source, &to).map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", source.display()))
            })?;
        }
        Ok(())
    }
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|meta| meta.permissions().mode() & 0o111 != 0)
}

/// Gives a folder with all that is in it to a user, if we are root and can.
pub(crate) fn give(path: &Path, user: u32) -> io::Result<()> {
    let can = rustix::process::geteuid().is_root() && user != 0;
    if can { set_owner(path, user) } else { Ok(()) }
}

/// Takes back what was given: it is ours again, and what everybody may read.
pub(crate) fn take_back(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    set_owner(path, 0)?;
    walk(path, &mut |path, meta| {
        if meta.is_symlink() {
            return Ok(());
        }
        let mode = meta.permissions().mode();
        // Nothing gains rights, and who may run or enter it is everybody who may read it.
        let mode = (mode & 0o755) | 0o444 | if mode & 0o100 == 0 { 0 } else { 0o111 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    })
}

fn set_owner(path: &Path, user: u32) -> io::Result<()> {
    walk(path, &mut |path, _| std::os::unix::fs::lchown(path, Some(user), Some(user)))
}

/// Everything below a path and the path itself, outer folders first.
fn walk(
    path: &Path,
    visit: &mut dyn FnMut(&Path, &fs::Metadata) -> io::Result<()>,
) -> io::Result<()> {
    let meta = fs::symlink_metadata(path)?;
    visit(path, &meta)?;
    if meta.is_dir() {
        for entry in fs::read_dir(path)? {
            walk(&entry?.path(), visit)?;
        }
    }
    Ok(())
}

/// The folder in which a bot works: a copy of its files that is gone afterwards.
#[derive(Debug)]
pub(crate) struct WorkFolder(TempDir);

impl WorkFolder {
    /// A copy of `files` for a user, which can be written only if `writable`.
    pub(crate) fn new(files: &Files, writable: bool, user: Option<u32>) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("dicehill-").tempdir()?;
        files.copy_to(folder.path())?;
        if !writable {
            set_writable(folder.path(), false)?;
        }
        if let Some(user) = user {
            give(folder.path(), user)?;
        }
        Ok(Self(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for WorkFolder {
    /// A folder that cannot be written cannot be emptied either.
    fn drop(&mut self) {
        let _best_effort = set_writable(self.0.path(), true);
    }
}

fn set_writable(path: &Path, writable: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let meta = fs::symlink_metadata(path)?;
    if meta.is_symlink() {
        return Ok(());
    }
    let mode = meta.permissions().mode();
    let mode = if writable { mode | 0o700 } else { mode & !0o222 };
    if writable {
        fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    }
    if meta.is_dir() {
        for entry in fs::read_dir(path)? {
            set_writable(&entry?.path(), writable)?;
        }
    }
    if writable { Ok(()) } else { fs::set_permissions(path, fs::Permissions::from_mode(mode)) }
}
