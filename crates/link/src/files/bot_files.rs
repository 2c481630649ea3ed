//! A bot's files: which ones are copied, and the hash of their content.

use std::fs;
use std::io;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::bot_file::OneFile;
use super::error::{FilesError, MOST_BYTES};
use super::folder_search::files_in;
use super::packed_file::PackedFile;

/// The files of a bot, each under the path by which the bot knows it.
///
/// A folder may be a stranger's. Nothing is taken from outside of it: a link in it may lead to a file
/// in the same folder and nowhere else, and what is there is looked at again when it is opened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files(Vec<OneFile>);

impl Files {
    /// Everything in a folder.
    pub(crate) fn in_folder(folder: &Path) -> Result<Self, FilesError> {
        files_in(folder).map(Self)
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

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::symlink;

    use rustix::fs::Mode;
    use tempfile::TempDir;

    use super::super::error::DEEPEST;
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
