//! Folders with a file for each of many bots.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The longest name of a file without its end, in bytes: file systems allow 255 in all.
const LONGEST_NAME: usize = 200;

/// A folder with a file for each of many bots, named after them.
///
/// What lies there under such a name is replaced, and nothing is ever written through a link. Bots whose
/// names are alike as those of files have different files.
pub struct BotFolder {
    path: PathBuf,
    /// The files begun here, by device and inode: how the file system compares names is its own matter.
    begun: RefCell<HashSet<(u64, u64)>>,
}

impl BotFolder {
    /// The folder at `path`, which is made if it is not there.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        Ok(Self { path: path.to_owned(), begun: RefCell::default() })
    }

    /// Begins a bot's file, whose name ends in `.` and `extension`.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn begin(&self, bot: &str, extension: &str) -> io::Result<File> {
        let base = file_name(bot);
        for number in 1u32.. {
            let number = if number > 1 { format!("-{number}") } else { String::new() };
            if let Some(file) = self.begin_alone(&format!("{base}{number}.{extension}"))? {
                return Ok(file);
            }
        }
        Err(io::Error::other("there are no numbers left"))
    }

    /// Begins a file of this name, unless it is one that was begun here already.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn begin_alone(&self, name: &str) -> io::Result<Option<File>> {
        let path = self.path.join(name);
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let identity = |meta: &fs::Metadata| (meta.dev(), meta.ino());
        match fs::symlink_metadata(&path) {
            Ok(meta) if self.begun.borrow().contains(&identity(&meta)) => return Ok(None),
            Ok(_) => fs::remove_file(&path).map_err(named)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(named(error)),
        }
        // It fails where somebody was faster, and follows no link.
        let file = File::create_new(&path).map_err(named)?;
        self.begun.borrow_mut().insert(identity(&file.metadata().map_err(named)?));
        Ok(Some(file))
    }
}

/// The name as that of a file: names may hold what a path may not.
fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let plain: String = name.trim_start_matches('.').chars().map(plain).collect();
    let bounded = &plain[..plain.floor_char_boundary(LONGEST_NAME)];
    match bounded.strip_prefix('-') {
        _ if bounded.is_empty() => "_".to_owned(),
        // Nobody's program is to take it as an option.
        Some(rest) => format!("_{rest}"),
        None => bounded.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    fn write(folder: &BotFolder, bot: &str, content: &str) {
        let mut file = folder.begin(bot, "md").expect("the file can be made");
        file.write_all(content.as_bytes()).expect("the file can be written");
    }

    fn read(folder: &TempDir, name: &str) -> String {
        fs::read_to_string(folder.path().join(name)).expect(name)
    }

    #[test]
    fn every_name_makes_a_file_name() {
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
        assert_eq!(file_name(&"\u{10400}".repeat(64)).len(), LONGEST_NAME);
    }

    #[test]
    fn names_that_are_alike_have_files_of_their_own() {
        let (scratch, twins) = (TempDir::new().unwrap(), ["a|b", "a/b", "a_b", "A_B"]);
        // The second time, what is there is replaced.
        for time in ["first", "second"] {
            let folder = BotFolder::create(scratch.path()).unwrap();
            twins.iter().for_each(|twin| write(&folder, twin, &format!("{time} {twin}")));
            assert_eq!(read(&scratch, "a_b.md"), format!("{time} a|b"));
            assert_eq!(read(&scratch, "a_b-2.md"), format!("{time} a/b"));
            assert_eq!(read(&scratch, "a_b-3.md"), format!("{time} a_b"));
        }
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let (scratch, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let theirs = elsewhere.path().join("theirs");
        fs::write(&theirs, "theirs").unwrap();
        symlink(&theirs, scratch.path().join("a.md")).unwrap();
        symlink(elsewhere.path().join("new"), scratch.path().join("b.md")).unwrap();
        fs::hard_link(&theirs, scratch.path().join("c.md")).unwrap();
        let folder = BotFolder::create(scratch.path()).unwrap();
        for bot in ["a", "b", "c"] {
            write(&folder, bot, "ours");
            assert_eq!(read(&scratch, &format!("{bot}.md")), "ours");
        }
        assert_eq!(fs::read_to_string(theirs).unwrap(), "theirs");
        assert!(!elsewhere.path().join("new").exists());
    }

    #[test]
    fn a_folder_in_its_place_is_an_error() {
        let scratch = TempDir::new().unwrap();
        fs::create_dir(scratch.path().join("a.md")).unwrap();
        let error = BotFolder::create(scratch.path()).unwrap().begin("a", "md").unwrap_err();
        assert!(error.to_string().contains("a.md: "), "{error}");
    }
}
