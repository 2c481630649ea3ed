//! A bot's files: what is copied, what their content is, and the folder in which it works.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::pack::PackedFile;
use crate::stock::Stock;
use crate::temporary::Temporary;
use rustix::fs::{Mode, OFlags, openat};

/// The most files and folders of a bot.
const MOST_FILES: usize = 20_000;
/// The most bytes of them together.
const MOST_BYTES: u64 = 1 << 30;
/// How many folders may lie in each other.
const DEEPEST: usize = 64;
/// Folders that hold nothing that a bot needs to be built or run.
const LEFT_OUT: [&str; 5] = [".git", ".hg", "__pycache__", ".venv", ".DS_Store"];
/// How a stranger's file is opened: no link is followed, and no pipe or device is waited for.
const SAFELY: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// The files of a bot, each under the path by which the bot knows it.
///
/// A folder may be a stranger's. Nothing is taken from outside of it: a link in it may lead to a file
/// in the same folder and nowhere else, and what is there is looked at again when it is opened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files(Vec<OneFile>);

#[derive(Clone, Debug)]
struct OneFile {
    /// As it is called in errors.
    source: PathBuf,
    /// The folder that nothing leads out of.
    root: PathBuf,
    /// Where in it the file is, without links.
    within: PathBuf,
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
    /// Something else than a file.
    #[error("{}: is no regular file, and bots may bring nothing else", .0.display())]
    NoFile(PathBuf),
    /// A link to somebody else's file, to a folder, or to nothing.
    #[error("{}: is a link, and does not lead to a file in the same folder", .0.display())]
    Link(PathBuf),
    /// Far more than a bot needs.
    #[error("{}: more than {MOST_FILES} files or {MOST_BYTES} bytes", .0.display())]
    TooMuch(PathBuf),
    /// Folders in folders.
    #[error("{}: more than {DEEPEST} folders in each other", .0.display())]
    TooDeep(PathBuf),
}

impl Files {
    /// Everything in a folder.
    pub(crate) fn in_folder(folder: &Path) -> Result<Self, FilesError> {
        let root = folder.canonicalize().map_err(unreadable(folder))?;
        let mut search = Search { root, folder, files: Self::default(), entries: 0, bytes: 0 };
        search.add_folder(Path::new(""), 0)?;
        let mut files = search.files;
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

    /// One file, by this path. If it is a link, it may lead to a file in the same folder.
    pub(crate) fn add(&mut self, source: PathBuf, place: PathBuf) {
        let folder = source.parent().unwrap_or(Path::new(""));
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let root = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let target = source.canonicalize().unwrap_or_default();
        // What leads elsewhere stays a link, which is refused when it is opened.
        let itself = || PathBuf::from(source.file_name().unwrap_or_default());
        let within = target.strip_prefix(&root).map_or_else(|_| itself(), Path::to_owned);
        self.0.push(OneFile { source, root, within, place });
    }

    /// Where the files lie in the bot's folder.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|file| file.place.as_path())
    }

    /// Takes the files into a hash: their paths, whether they can be run, and what is in them.
    pub(crate) fn hash(&self, hasher: &mut blake3::Hasher) -> Result<(), FilesError> {
        self.each(|PackedFile { path, executable, content }| {
            let place = path.as_os_str().as_encoded_bytes();
            for part in [place, &[u8::from(executable)], &content] {
                hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
            }
        })
    }

    /// The files with what is in them.
    pub(crate) fn read(&self) -> Result<Vec<PackedFile>, FilesError> {
        let mut packed = Vec::with_capacity(self.0.len());
        self.each(|file| packed.push(file))?;
        Ok(packed)
    }

    fn each(&self, mut take: impl FnMut(PackedFile)) -> Result<(), FilesError> {
        let mut room = MOST_BYTES;
        for file in &self.0 {
            let (opened, meta) = file.open()?;
            let mut content = Vec::new();
            let taken = opened.take(room + 1).read_to_end(&mut content);
            room = file.rest(room, taken.map(|bytes| bytes as u64))?;
            let executable = meta.permissions().mode() & 0o111 != 0;
            take(PackedFile { path: file.place.clone(), executable, content });
        }
        Ok(())
    }

    /// Copies the files into a folder that is ours and empty.
    pub(crate) fn copy_to(&self, folder: &Path) -> io::Result<()> {
        let mut room = MOST_BYTES;
        for file in &self.0 {
            let to = folder.join(&file.place);
            fs::create_dir_all(to.parent().unwrap_or(folder))?;
            room = file.copy(&to, room).map_err(|error| match error {
                FilesError::Unreadable { path, error } => {
                    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
                }
                FilesError::NoFile(_)
                | FilesError::Link(_)
                | FilesError::TooMuch(_)
                | FilesError::TooDeep(_) => io::Error::other(error),
            })?;
        }
        Ok(())
    }
}

/// Looks for the files in a folder.
struct Search<'a> {
    /// The folder, without links.
    root: PathBuf,
    /// As it is called in errors.
    folder: &'a Path,
    files: Files,
    entries: usize,
    bytes: u64,
}

impl Search<'_> {
    fn add_folder(&mut self, place: &Path, depth: usize) -> Result<(), FilesError> {
        let folder = self.folder.join(place);
        if depth > DEEPEST {
            return Err(FilesError::TooDeep(folder));
        }
        for entry in fs::read_dir(&folder).map_err(unreadable(&folder))? {
            let name = entry.map_err(unreadable(&folder))?.file_name();
            if LEFT_OUT.iter().any(|left_out| name == *left_out) {
                continue;
            }
            self.add(&place.join(name), depth)?;
            self.entries += 1;
            if self.entries > MOST_FILES || self.bytes > MOST_BYTES {
                return Err(FilesError::TooMuch(folder));
            }
        }
        Ok(())
    }

    fn add(&mut self, place: &Path, depth: usize) -> Result<(), FilesError> {
        let path = self.folder.join(place);
        let meta = fs::symlink_metadata(&path).map_err(unreadable(&path))?;
        if meta.is_dir() {
            return self.add_folder(place, depth + 1);
        }
        let within = if meta.is_symlink() { self.target(&path)? } else { place.to_owned() };
        let meta = fs::symlink_metadata(self.root.join(&within)).map_err(unreadable(&path))?;
        if !meta.is_file() {
            let is_link = within != *place;
            return Err(if is_link { FilesError::Link(path) } else { FilesError::NoFile(path) });
        }
        self.bytes = self.bytes.saturating_add(meta.len());
        let (root, place) = (self.root.clone(), place.to_owned());
        self.files.0.push(OneFile { source: path, root, within, place });
        Ok(())
    }

    /// Where in the folder a chain of links ends.
    fn target(&self, link: &Path) -> Result<PathBuf, FilesError> {
        let target = link.canonicalize().map_err(|_| FilesError::Link(link.to_owned()))?;
        match target.strip_prefix(&self.root) {
            Ok(within) => Ok(within.to_owned()),
            Err(_) => Err(FilesError::Link(link.to_owned())),
        }
    }
}

impl OneFile {
    /// Opens it folder by folder, so that nothing that has become a link meanwhile is followed.
    fn open(&self) -> Result<(File, Metadata), FilesError> {
        let failed = |error: rustix::io::Errno| match error {
            rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR => {
                FilesError::Link(self.source.clone())
            }
            error => FilesError::Unreadable { path: self.source.clone(), error: error.into() },
        };
        let open = |folder: &OwnedFd, name: &OsStr, flags| {
            openat(folder, name, SAFELY | flags, Mode::empty()).map_err(failed)
        };
        let folder = OFlags::DIRECTORY;
        let root = OFlags::RDONLY | OFlags::CLOEXEC | folder;
        let mut at = rustix::fs::open(&self.root, root, Mode::empty()).map_err(failed)?;
        for name in self.within.parent().into_iter().flatten() {
            at = open(&at, name, folder)?;
        }
        let name = self.within.file_name().unwrap_or_default();
        let file = File::from(open(&at, name, OFlags::empty())?);
        let meta = file.metadata().map_err(unreadable(&self.source))?;
        if meta.is_file() { Ok((file, meta)) } else { Err(FilesError::NoFile(self.source.clone())) }
    }

    /// Copies it to where nothing is; says how many of `room` bytes are left.
    fn copy(&self, to: &Path, room: u64) -> Result<u64, FilesError> {
        let (opened, meta) = self.open()?;
        let mode = meta.permissions().mode() & 0o777;
        let copy = File::options().write(true).create_new(true).mode(0o600).open(to);
        let mut copy = copy.map_err(unreadable(to))?;
        let room = self.rest(room, io::copy(&mut opened.take(room + 1), &mut copy))?;
        copy.set_permissions(fs::Permissions::from_mode(mode)).map_err(unreadable(to))?;
        Ok(room)
    }

    /// What is left of the room for all files, of which one more byte than is left may be taken.
    fn rest(&self, room: u64, taken: io::Result<u64>) -> Result<u64, FilesError> {
        let taken = taken.map_err(unreadable(&self.source))?;
        room.checked_sub(taken).ok_or_else(|| FilesError::TooMuch(self.source.clone()))
    }
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> FilesError + use<> {
    let path = path.to_owned();
    |error| FilesError::Unreadable { path, error }
}

/// Gives a folder with all that is in it to a user, if we are root and can.
pub(crate) fn give(path: &Path, user: u32) -> io::Result<()> {
    let can = rustix::process::geteuid().is_root() && user != 0;
    if can { set_owner(path, user) } else { Ok(()) }
}

/// Takes back what was given, once nobody works there any more: it is ours again, and everybody may read it who
/// can come there.
pub(crate) fn take_back(path: &Path) -> io::Result<()> {
    if rustix::process::geteuid().is_root() {
        set_owner(path, 0)?;
    }
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
fn walk(path: &Path, visit: &mut dyn FnMut(&Path, &Metadata) -> io::Result<()>) -> io::Result<()> {
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
pub(crate) struct WorkFolder {
    folder: Temporary,
    stock: Stock,
}

impl WorkFolder {
    /// A copy of `files` for a user, which can be written only if `writable`.
    pub(crate) fn new(files: &Files, writable: bool, user: Option<u32>) -> io::Result<Self> {
        let folder = Temporary::new()?;
        files.copy_to(folder.path())?;
        if !writable {
            make_read_only(folder.path())?;
        }
        if let Some(user) = user {
            give(folder.path(), user)?;
        }
        let stock = Stock::of([folder.path()]);
        Ok(Self { folder, stock })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Lets its user enter it, whatever the bot has made of its mode.
    pub(crate) fn allow_entry(&self) -> io::Result<()> {
        fs::set_permissions(self.path(), fs::Permissions::from_mode(0o700))
    }

    /// What lay there at the beginning.
    pub(crate) const fn stock(&self) -> Stock {
        self.stock
    }
}

/// Of a copy that nobody else has had yet.
fn make_read_only(path: &Path) -> io::Result<()> {
    walk(path, &mut |path, meta| {
        let mode = meta.permissions().mode() & !0o222;
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    /// A stranger's folder `bot` beside somebody's `secret`.
    fn scratch() -> TempDir {
        let scratch = TempDir::new().unwrap();
        fs::create_dir_all(scratch.path().join("bot/deep")).unwrap();
        fs::write(scratch.path().join("bot/bot.py"), "print()").unwrap();
        fs::write(scratch.path().join("secret"), "secret").unwrap();
        scratch
    }

    /// All that a bot with this folder would find in its own.
    fn copied(folder: &Path) -> Result<Vec<(String, String)>, String> {
        let files = Files::in_folder(folder).map_err(|error| error.to_string())?;
        files.hash(&mut blake3::Hasher::new()).map_err(|error| error.to_string())?;
        let copy = TempDir::new().unwrap();
        files.copy_to(copy.path()).map_err(|error| error.to_string())?;
        let read = |file: &OneFile| {
            let text = fs::read_to_string(copy.path().join(&file.place)).unwrap();
            (file.place.display().to_string(), text)
        };
        Ok(files.0.iter().map(read).collect())
    }

    #[track_caller]
    fn refused(folder: &Path, why: &str) {
        let error = copied(folder).expect_err("it is refused");
        assert!(error.contains(why), "{error}");
    }

    #[test]
    fn links_within_the_folder_are_followed() {
        let scratch = scratch();
        let bot = scratch.path().join("bot");
        symlink("../bot.py", bot.join("deep/link")).unwrap();
        symlink("deep/link", bot.join("chain")).unwrap();
        let text = "print()".to_owned();
        let files = ["bot.py", "chain", "deep/link"].map(|name| (name.to_owned(), text.clone()));
        assert_eq!(copied(&bot), Ok(files.to_vec()));
        // Where the folder itself is reached by a link, all is the same.
        symlink(&bot, scratch.path().join("other")).unwrap();
        assert_eq!(copied(&scratch.path().join("other")), Ok(files.to_vec()));
    }

    #[test]
    fn links_that_lead_elsewhere_are_refused() {
        for (link, target) in [
            ("relative", "../secret"),
            ("deep/relative", "../../secret"),
            ("absolute", "/etc/passwd"),
            ("round", "deep/../../secret"),
            ("nowhere", "nothing"),
            ("itself", "itself"),
            ("folder", "deep"),
            ("up", ".."),
            ("device", "/dev/zero"),
        ] {
            let scratch = scratch();
            let bot = scratch.path().join("bot");
            symlink(target, bot.join(link)).unwrap();
            refused(&bot, "is a link, and does not lead to a file in the same folder");
            symlink(link, bot.join("chain")).unwrap();
            refused(&bot, "is a link");
        }
        // The name of the folder begins that of another one.
        let scratch = scratch();
        fs::create_dir(scratch.path().join("bot-2")).unwrap();
        fs::write(scratch.path().join("bot-2/secret"), "secret").unwrap();
        symlink("../bot-2/secret", scratch.path().join("bot/link")).unwrap();
        refused(&scratch.path().join("bot"), "is a link");
    }

    #[test]
    fn only_files_are_brought() {
        let scratch = scratch();
        let pipe = scratch.path().join("bot/pipe");
        let mode = Mode::RUSR | Mode::WUSR;
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode).unwrap();
        refused(&scratch.path().join("bot"), "is no regular file");
        fs::remove_file(&pipe).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(&pipe).unwrap();
        refused(&scratch.path().join("bot"), "is no regular file");
    }

    #[test]
    fn what_is_swapped_after_the_first_look_is_not_followed() {
        let scratch = scratch();
        let bot = scratch.path().join("bot");
        fs::write(bot.join("deep/file"), "file").unwrap();
        let files = Files::in_folder(&bot).unwrap();
        let error = || {
            let copy = TempDir::new().unwrap();
            let hashed = files.hash(&mut blake3::Hasher::new());
            let copied = files.copy_to(copy.path()).unwrap_err().to_string();
            assert_eq!(hashed.unwrap_err().to_string(), copied);
            copied
        };
        fs::remove_file(bot.join("bot.py")).unwrap();
        symlink("../secret", bot.join("bot.py")).unwrap();
        assert!(error().contains("bot.py: is a link"), "{}", error());
        fs::remove_file(bot.join("bot.py")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, bot.join("bot.py"), Mode::RUSR).unwrap();
        assert!(error().contains("bot.py: is no regular file"), "{}", error());
        fs::remove_file(bot.join("bot.py")).unwrap();
        fs::write(bot.join("bot.py"), "print()").unwrap();
        fs::rename(bot.join("deep"), scratch.path().join("deep")).unwrap();
        symlink("../deep", bot.join("deep")).unwrap();
        assert!(error().contains("deep/file: is a link"), "{}", error());
    }

    #[test]
    fn a_single_file_may_be_a_link_to_its_neighbour() {
        let scratch = scratch();
        let bot = scratch.path().join("bot");
        symlink("bot.py", bot.join("link.py")).unwrap();
        symlink("../secret", bot.join("out.py")).unwrap();
        let hash = |name: &str| {
            let mut files = Files::default();
            files.add(bot.join(name), "bot.py".into());
            let mut hasher = blake3::Hasher::new();
            files.hash(&mut hasher).map(|()| hasher.finalize()).map_err(|error| error.to_string())
        };
        assert!(hash("bot.py").is_ok());
        assert_eq!(hash("link.py"), hash("bot.py"));
        assert!(hash("out.py").unwrap_err().contains("out.py: is a link"));
    }

    #[test]
    fn what_a_bot_brings_is_bounded() {
        let scratch = scratch();
        let bot = scratch.path().join("bot");
        // It takes no room on the disk.
        File::create(bot.join("hole")).unwrap().set_len(MOST_BYTES).unwrap();
        refused(&bot, "more than 20000 files or 1073741824 bytes");
        fs::remove_file(bot.join("hole")).unwrap();
        let deep: PathBuf = std::iter::repeat_n("d", DEEPEST + 1).collect();
        fs::create_dir_all(bot.join(deep)).unwrap();
        refused(&bot, "more than 64 folders in each other");
    }

    #[test]
    fn what_has_grown_after_the_first_look_is_bounded() {
        let scratch = scratch();
        let files = Files::in_folder(&scratch.path().join("bot")).unwrap();
        let to = scratch.path().join("copy");
        let error = files.0[0].copy(&to, 6).unwrap_err().to_string();
        assert!(error.contains("more than"), "{error}");
        assert_eq!(fs::metadata(&to).unwrap().len(), 7);
        fs::remove_file(&to).unwrap();
        assert_eq!(files.0[0].copy(&to, 7).unwrap(), 0);
    }

    #[test]
    fn a_copy_has_the_rights_of_its_file_but_no_others() {
        let scratch = scratch();
        let bot = scratch.path().join("bot");
        fs::set_permissions(bot.join("bot.py"), fs::Permissions::from_mode(0o4755)).unwrap();
        let copy = TempDir::new().unwrap();
        Files::in_folder(&bot).unwrap().copy_to(copy.path()).unwrap();
        let mode = fs::metadata(copy.path().join("bot.py")).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o755);
    }
}
