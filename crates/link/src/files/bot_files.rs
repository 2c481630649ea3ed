//! A bot's files: which ones are copied, and the hash of their content.

use std::fs;
use std::io;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::bot_file::SourceFile;
use super::error::{FilesError, MAX_BYTES};
use super::folder_search::files_in;
use super::packed_file::PackedFile;

/// The files of a bot, each with its path in the bot's working folder.
///
/// The folder that they come from may be a stranger's. Nothing outside it is read: a link may only lead to a
/// file in the same folder, and each file is checked again when it is opened.
#[derive(Clone, Debug, Default)]
pub(crate) struct BotFiles(Vec<SourceFile>);

impl BotFiles {
    /// All files in a folder.
    pub(crate) fn in_folder(folder: &Path) -> Result<Self, FilesError> {
        files_in(folder).map(Self)
    }

    /// All files in a folder that is to be built, without the output of cargo.
    pub(crate) fn to_be_built(folder: &Path) -> Result<Self, FilesError> {
        let mut files = Self::in_folder(folder)?;
        if folder.join("Cargo.toml").is_file() {
            files.0.retain(|file| !file.place.starts_with("target"));
        }
        Ok(files)
    }

    /// Adds one file. If it is a link, it may lead to a file in the same folder.
    pub(crate) fn add(&mut self, source: PathBuf, place: PathBuf) {
        let folder = source.parent().unwrap_or(Path::new(""));
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let root = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let target = source.canonicalize().unwrap_or_default();
        // A link that leads elsewhere is kept as it is, and refused when it is opened.
        let itself = || PathBuf::from(source.file_name().unwrap_or_default());
        let within = target.strip_prefix(&root).map_or_else(|_| itself(), Path::to_owned);
        self.0.push(SourceFile { source, root, within, place });
    }

    /// Adds a file under its own name, unless there is one of that name.
    pub(crate) fn add_once(&mut self, source: PathBuf) {
        let place = PathBuf::from(source.file_name().unwrap_or_default());
        if !self.places().any(|other| other == place) {
            self.add(source, place);
        }
    }

    /// The first line that begins with `start` in the file at this place, if there is one within its first mebibyte.
    pub(crate) fn first_line_with(&self, place: &Path, start: &str) -> Option<String> {
        let file = self.0.iter().find(|file| file.place == place)?;
        let (opened, _) = file.open().ok()?;
        let mut content = Vec::new();
        opened.take(1 << 20).read_to_end(&mut content).ok()?;
        let text = String::from_utf8_lossy(&content);
        text.lines().find(|line| line.starts_with(start)).map(str::to_owned)
    }

    /// The paths of the files in the bot's working folder.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|file| file.place.as_path())
    }

    /// Hashes the files: their paths, whether they are executable, and their contents.
    pub(crate) fn hash(&self, hasher: &mut blake3::Hasher) -> Result<(), FilesError> {
        self.for_each(|PackedFile { path, executable, content }| {
            let place = path.as_os_str().as_encoded_bytes();
            for part in [place, &[u8::from(executable)], &content] {
                hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
            }
        })
    }

    /// The files with their contents.
    pub(crate) fn read(&self) -> Result<Vec<PackedFile>, FilesError> {
        let mut packed = Vec::with_capacity(self.0.len());
        self.for_each(|file| packed.push(file))?;
        Ok(packed)
    }

    fn for_each(&self, mut take: impl FnMut(PackedFile)) -> Result<(), FilesError> {
        let mut remaining = MAX_BYTES;
        for file in &self.0 {
            let (opened, meta) = file.open()?;
            let mut content = Vec::new();
            let taken = opened.take(remaining + 1).read_to_end(&mut content);
            remaining = file.remaining_after(remaining, taken.map(|bytes| bytes as u64))?;
            let executable = meta.permissions().mode() & 0o111 != 0;
            take(PackedFile { path: file.place.clone(), executable, content });
        }
        Ok(())
    }

    /// Copies the files into an empty folder.
    pub(crate) fn copy_to(&self, folder: &Path) -> io::Result<()> {
        let mut remaining = MAX_BYTES;
        for file in &self.0 {
            let to = folder.join(&file.place);
            fs::create_dir_all(to.parent().unwrap_or(folder))?;
            remaining = file.copy(&to, remaining).map_err(|error| match error {
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

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::symlink;

    use rustix::fs::Mode;
    use tempfile::TempDir;

    use super::super::error::DEEPEST;
    use super::*;

    /// A stranger's folder `bot` next to a file `secret` that is not the stranger's.
    fn temporary() -> TempDir {
        let temporary = TempDir::new().unwrap();
        fs::create_dir_all(temporary.path().join("bot/deep")).unwrap();
        fs::write(temporary.path().join("bot/bot.py"), "print()").unwrap();
        fs::write(temporary.path().join("secret"), "secret").unwrap();
        temporary
    }

    /// Paths and contents of the files that a bot from this folder would get.
    fn copied(folder: &Path) -> Result<Vec<(String, String)>, String> {
        let files = BotFiles::in_folder(folder).map_err(|error| error.to_string())?;
        files.hash(&mut blake3::Hasher::new()).map_err(|error| error.to_string())?;
        let copy = TempDir::new().unwrap();
        files.copy_to(copy.path()).map_err(|error| error.to_string())?;
        let read = |file: &SourceFile| {
            let text = fs::read_to_string(copy.path().join(&file.place)).unwrap();
            (file.place.display().to_string(), text)
        };
        Ok(files.0.iter().map(read).collect())
    }

    #[track_caller]
    fn check_refused(folder: &Path, why: &str) {
        let error = copied(folder).expect_err("it is refused");
        assert!(error.contains(why), "{error}");
    }

    #[test]
    fn links_within_the_folder_are_followed() {
        let temporary = temporary();
        let bot = temporary.path().join("bot");
        symlink("../bot.py", bot.join("deep/link")).unwrap();
        symlink("deep/link", bot.join("chain")).unwrap();
        let text = "print()".to_owned();
        let files = ["bot.py", "chain", "deep/link"].map(|name| (name.to_owned(), text.clone()));
        assert_eq!(copied(&bot), Ok(files.to_vec()));
        // A path to the folder that is itself a link makes no difference.
        symlink(&bot, temporary.path().join("other")).unwrap();
        assert_eq!(copied(&temporary.path().join("other")), Ok(files.to_vec()));
    }

    #[test]
    fn links_out_of_the_folder_or_to_no_file_are_refused() {
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
            let temporary = temporary();
            let bot = temporary.path().join("bot");
            symlink(target, bot.join(link)).unwrap();
            check_refused(&bot, "is a link that does not lead to a file in the same folder");
            symlink(link, bot.join("chain")).unwrap();
            check_refused(&bot, "is a link");
        }
        // The name of the folder is a prefix of another folder's name.
        let temporary = temporary();
        fs::create_dir(temporary.path().join("bot-2")).unwrap();
        fs::write(temporary.path().join("bot-2/secret"), "secret").unwrap();
        symlink("../bot-2/secret", temporary.path().join("bot/link")).unwrap();
        check_refused(&temporary.path().join("bot"), "is a link");
    }

    #[test]
    fn pipes_and_sockets_are_refused() {
        let temporary = temporary();
        let pipe = temporary.path().join("bot/pipe");
        let mode = Mode::RUSR | Mode::WUSR;
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode).unwrap();
        check_refused(&temporary.path().join("bot"), "is not a regular file");
        fs::remove_file(&pipe).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(&pipe).unwrap();
        check_refused(&temporary.path().join("bot"), "is not a regular file");
    }

    #[test]
    fn a_file_replaced_after_the_search_is_refused() {
        let temporary = temporary();
        let bot = temporary.path().join("bot");
        fs::write(bot.join("deep/file"), "file").unwrap();
        let files = BotFiles::in_folder(&bot).unwrap();
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
        assert!(error().contains("bot.py: is not a regular file"), "{}", error());
        fs::remove_file(bot.join("bot.py")).unwrap();
        fs::write(bot.join("bot.py"), "print()").unwrap();
        fs::rename(bot.join("deep"), temporary.path().join("deep")).unwrap();
        symlink("../deep", bot.join("deep")).unwrap();
        assert!(error().contains("deep/file: is a link"), "{}", error());
    }

    #[test]
    fn a_single_file_may_be_a_link_within_its_folder() {
        let temporary = temporary();
        let bot = temporary.path().join("bot");
        symlink("bot.py", bot.join("link.py")).unwrap();
        symlink("../secret", bot.join("out.py")).unwrap();
        let hash = |name: &str| {
            let mut files = BotFiles::default();
            files.add(bot.join(name), "bot.py".into());
            let mut hasher = blake3::Hasher::new();
            files.hash(&mut hasher).map(|()| hasher.finalize()).map_err(|error| error.to_string())
        };
        assert!(hash("bot.py").is_ok());
        assert_eq!(hash("link.py"), hash("bot.py"));
        assert!(hash("out.py").unwrap_err().contains("out.py: is a link"));
    }

    #[test]
    fn size_and_depth_are_limited() {
        let temporary = temporary();
        let bot = temporary.path().join("bot");
        // A sparse file takes no space on the disk.
        File::create(bot.join("hole")).unwrap().set_len(MAX_BYTES).unwrap();
        check_refused(&bot, "more than 20000 files or 1073741824 bytes");
        fs::remove_file(bot.join("hole")).unwrap();
        let deep: PathBuf = std::iter::repeat_n("d", DEEPEST + 1).collect();
        fs::create_dir_all(bot.join(deep)).unwrap();
        check_refused(&bot, "more than 64 nested folders");
    }

    #[test]
    fn a_file_that_grew_after_the_search_is_limited() {
        let temporary = temporary();
        let files = BotFiles::in_folder(&temporary.path().join("bot")).unwrap();
        let to = temporary.path().join("copy");
        let error = files.0[0].copy(&to, 6).unwrap_err().to_string();
        assert!(error.contains("more than"), "{error}");
        assert_eq!(fs::metadata(&to).unwrap().len(), 7);
        fs::remove_file(&to).unwrap();
        assert_eq!(files.0[0].copy(&to, 7).unwrap(), 0);
    }

    #[test]
    fn a_copy_keeps_permissions_but_not_set_user_id() {
        let temporary = temporary();
        let bot = temporary.path().join("bot");
        fs::set_permissions(bot.join("bot.py"), fs::Permissions::from_mode(0o4755)).unwrap();
        let copy = TempDir::new().unwrap();
        BotFiles::in_folder(&bot).unwrap().copy_to(copy.path()).unwrap();
        let mode = fs::metadata(copy.path().join("bot.py")).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o755);
    }
}
