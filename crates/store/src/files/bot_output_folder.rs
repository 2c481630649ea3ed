//! A folder with one output file for each bot.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dicehill_temporary::DraftFile;

/// The longest file name without number and extension, in bytes: file systems allow 255 in all.
const MAX_NAME_LENGTH: usize = 200;

/// A folder with one output file for each bot, named after the bot.
///
/// A file that this value did not create is replaced, links are never followed, and bots whose names map to the same file name
/// get different files.
pub struct BotOutputFolder {
    path: PathBuf,
    /// The files that this value created: different names may be equal to the file system.
    created: RefCell<HashSet<FileIdentity>>,
}

impl BotOutputFolder {
    /// Opens the folder at `path`, and creates it if it does not exist.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path.is_file() {
            return Err(io::Error::other("is a file: name a folder"));
        }
        fs::create_dir_all(path)?;
        Ok(Self { path: path.to_owned(), created: RefCell::default() })
    }

    /// Creates a bot's file with this extension, for output that comes little by little. A number is added to the name if
    /// another bot's file has it.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create_file(&self, bot: &str, extension: &str) -> io::Result<File> {
        let path = self.free_path(bot, extension)?;
        let with_path = |error| with_path(&path, &error);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(with_path(error)),
            Ok(()) | Err(_) => {}
        }
        // This fails if another process created the file meanwhile, and follows no link.
        let file = File::create_new(&path).map_err(with_path)?;
        self.created.borrow_mut().insert(identity(&path, &file.metadata().map_err(with_path)?));
        Ok(file)
    }

    /// Writes a bot's file with this extension, which appears complete or not at all. A number is added to the name if another
    /// bot's file has it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_file(&self, bot: &str, extension: &str, content: &[u8]) -> io::Result<()> {
        self.replace(&self.free_path(bot, extension)?, content)
    }

    /// Writes the file with this name, which no bot's file may have, or replaces it. Readers see the content of before or this
    /// one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_named(&self, name: &str, content: &[u8]) -> io::Result<()> {
        self.replace(&self.path.join(name), content)
    }

    fn replace(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let write = || -> io::Result<fs::Metadata> {
            let mut draft = DraftFile::new(path)?;
            draft.file().write_all(content)?;
            draft.persist()?.metadata()
        };
        let meta = write().map_err(|error| with_path(path, &error))?;
        self.created.borrow_mut().insert(identity(path, &meta));
        Ok(())
    }

    /// The path for a bot's file that this value has not created yet.
    fn free_path(&self, bot: &str, extension: &str) -> io::Result<PathBuf> {
        let base = file_name(bot);
        for number in 1u32.. {
            let number = if number > 1 { format!("-{number}") } else { String::new() };
            let path = self.path.join(format!("{base}{number}.{extension}"));
            match fs::symlink_metadata(&path) {
                Ok(meta) if self.created.borrow().contains(&identity(&path, &meta)) => {}
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(with_path(&path, &error));
                }
                Ok(_) | Err(_) => return Ok(path),
            }
        }
        Err(io::Error::other("there are no numbers left"))
    }
}

/// Device and inode.
#[cfg(unix)]
type FileIdentity = (u64, u64);

/// The path in lower case: the file systems of Windows ignore case.
#[cfg(not(unix))]
type FileIdentity = String;

#[cfg(unix)]
fn identity(_path: &Path, meta: &fs::Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt;
    (meta.dev(), meta.ino())
}

#[cfg(not(unix))]
fn identity(path: &Path, _meta: &fs::Metadata) -> FileIdentity {
    path.to_string_lossy().to_lowercase()
}

fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The file name for a bot's name, which may contain characters that a path may not.
fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let plain: String = name.trim_start_matches('.').chars().map(plain).collect();
    let bounded = &plain[..plain.floor_char_boundary(MAX_NAME_LENGTH)];
    match bounded.strip_prefix('-') {
        _ if bounded.is_empty() => "_".to_owned(),
        // Programs would take a leading hyphen for an option.
        Some(rest) => format!("_{rest}"),
        None => bounded.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    fn write(folder: &BotOutputFolder, bot: &str, content: &str) {
        folder.write_file(bot, "md", content.as_bytes()).expect("the file can be written");
    }

    fn read(folder: &TempDir, name: &str) -> String {
        fs::read_to_string(folder.path().join(name)).expect(name)
    }

    #[test]
    fn every_bot_name_maps_to_a_plain_file_name() {
        let cases = [
            ("a", "a"),
            ("../a b", "_a_b"),
            ("..", "_"),
            ("", "_"),
            ("Ärger|", "Ärger_"),
            ("/etc/x", "_etc_x"),
            ("a/../../b", "a_.._.._b"),
            ("a\\b", "a_b"),
            ("-rf", "_rf"),
            ("\u{1b}[2J", "__2J"),
        ];
        for (name, file) in cases {
            assert_eq!(file_name(name), file);
        }
        assert_eq!(file_name(&"\u{10400}".repeat(64)).len(), MAX_NAME_LENGTH);
    }

    #[test]
    fn bots_with_equal_file_names_get_different_files() {
        let (scratch, twins) = (TempDir::new().unwrap(), ["a|b", "a/b", "a_b", "A_B"]);
        // The second time, the existing files are replaced.
        for time in ["first", "second"] {
            let folder = BotOutputFolder::create(scratch.path()).unwrap();
            twins.iter().for_each(|twin| write(&folder, twin, &format!("{time} {twin}")));
            assert_eq!(read(&scratch, "a_b.md"), format!("{time} a|b"));
            assert_eq!(read(&scratch, "a_b-2.md"), format!("{time} a/b"));
            assert_eq!(read(&scratch, "a_b-3.md"), format!("{time} a_b"));
        }
    }

    #[test]
    fn links_are_replaced_and_not_written_through() {
        let (scratch, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let target = elsewhere.path().join("target");
        fs::write(&target, "kept").unwrap();
        symlink(&target, scratch.path().join("a.md")).unwrap();
        symlink(elsewhere.path().join("new"), scratch.path().join("b.md")).unwrap();
        fs::hard_link(&target, scratch.path().join("c.md")).unwrap();
        let folder = BotOutputFolder::create(scratch.path()).unwrap();
        for bot in ["a", "b", "c"] {
            write(&folder, bot, "new");
            assert_eq!(read(&scratch, &format!("{bot}.md")), "new");
        }
        assert_eq!(fs::read_to_string(target).unwrap(), "kept");
        assert!(!elsewhere.path().join("new").exists());
    }

    #[test]
    fn a_folder_with_the_name_of_the_file_is_an_error() {
        let scratch = TempDir::new().unwrap();
        fs::create_dir(scratch.path().join("a.md")).unwrap();
        let folder = BotOutputFolder::create(scratch.path()).unwrap();
        for error in [
            folder.create_file("a", "md").unwrap_err(),
            folder.write_file("a", "md", b"new").unwrap_err(),
        ] {
            assert!(error.to_string().contains("a.md: "), "{error}");
        }
    }

    /// A reader that has the file open, or a process that is killed while it writes, keeps the whole file of before.
    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let scratch = TempDir::new().unwrap();
        fs::write(scratch.path().join("check.csv"), "before").unwrap();
        let mut before = File::open(scratch.path().join("check.csv")).unwrap();
        let folder = BotOutputFolder::create(scratch.path()).unwrap();
        for content in ["first", "second"] {
            folder.write_named("check.csv", content.as_bytes()).unwrap();
            assert_eq!(read(&scratch, "check.csv"), content);
        }
        let mut kept = String::new();
        io::Read::read_to_string(&mut before, &mut kept).unwrap();
        assert_eq!(kept, "before");
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1);
    }
}
