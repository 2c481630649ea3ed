//! What is wrong with a file, and where.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::suggestion::did_you_mean_file;

/// The most characters of a message. It may quote a value of the file, which can be as long as the file.
const MAX_LENGTH: usize = 9_000;
/// The characters at the end of a longer message that are kept, because a remedy comes last.
const END_LENGTH: usize = 1_000;

/// What is wrong with a file, with its path, the line if there is one, and who is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    path: PathBuf,
    /// From 1.
    line: Option<usize>,
    message: String,
    fault: Fault,
}

/// What is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The file cannot be used as requested.
    Unusable,
    /// There is no file.
    Missing,
    /// A record in the file is not what was written.
    Altered,
    /// Another process has the file in use.
    Busy,
    /// The machine cannot do what the file asks for.
    Arena,
    /// Its disk or a quota is full.
    Full,
}

impl FileError {
    /// The file as a whole cannot be used as requested.
    pub fn new(path: &Path, message: impl fmt::Display) -> Self {
        let (line, fault) = (None, Fault::Unusable);
        let message = bounded(without_os_error(&message.to_string()));
        Self { path: path.to_owned(), line, message, fault }
    }

    /// The file cannot be opened. If there is none, files of similar names are suggested.
    #[must_use]
    pub fn not_opened(path: &Path, error: &io::Error) -> Self {
        let is_missing = error.kind() == io::ErrorKind::NotFound;
        if is_missing {
            Self::missing(path, format!("no such file{}", did_you_mean_file(path)))
        } else {
            Self::new(path, error)
        }
    }

    /// The file cannot be written. If the disk or a quota is full, the machine is at fault.
    #[must_use]
    pub fn not_written(path: &Path, error: &io::Error) -> Self {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let found = match folder.filter(|_| error.kind() == io::ErrorKind::NotFound) {
            Some(folder) if !folder.exists() => Self::new(
                path,
                format!("there is no folder {folder:?}: create it, or write elsewhere"),
            ),
            Some(_) | None => Self::new(path, error),
        };
        if is_full(error) { found.into_full_error() } else { found }
    }

    /// There is no file.
    pub(crate) fn missing(path: &Path, message: impl fmt::Display) -> Self {
        Self { fault: Fault::Missing, ..Self::new(path, message) }
    }

    /// A line of the file, counted from 1, cannot be used as requested.
    pub fn at_line(path: &Path, line: usize, message: impl fmt::Display) -> Self {
        Self { line: Some(line), ..Self::new(path, message) }
    }

    /// Another process has the file in use, so that a later attempt may succeed.
    pub(crate) fn busy(path: &Path, message: impl fmt::Display) -> Self {
        Self { fault: Fault::Busy, ..Self::new(path, message) }
    }

    /// The same error, with the fault at the machine: the file is valid.
    #[must_use]
    pub(crate) fn into_arena_error(self) -> Self {
        Self { fault: Fault::Arena, ..self }
    }

    /// The same error, because the disk or a quota is full.
    #[must_use]
    pub(crate) fn into_full_error(self) -> Self {
        Self { fault: Fault::Full, ..self }
    }

    /// A record is not what was written. In a log, `line` is its number.
    pub fn altered(path: &Path, line: Option<usize>, message: impl fmt::Display) -> Self {
        Self { line, fault: Fault::Altered, ..Self::new(path, message) }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The line, from 1; `None` if the message is about the file as a whole.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        self.line
    }

    /// What is wrong, without the path and the line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether there is no file.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.fault == Fault::Missing
    }

    /// Whether the machine is at fault rather than the file.
    #[must_use]
    pub fn is_arena_error(&self) -> bool {
        matches!(self.fault, Fault::Arena | Fault::Full)
    }

    /// Whether the disk or a quota is full.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.fault == Fault::Full
    }

    /// Whether a record is not what was written.
    #[must_use]
    pub fn is_altered(&self) -> bool {
        self.fault == Fault::Altered
    }

    /// Whether another process has the file in use, so that a later attempt may succeed.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.fault == Fault::Busy
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, message, .. } = self;
        match line {
            Some(line) => write!(f, "{}:{line}: {message}", path.display()),
            None => write!(f, "{}: {message}", path.display()),
        }
    }
}

impl std::error::Error for FileError {}

/// Whether the system refuses to write more, because a disk or a quota is full.
#[must_use]
pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

/// Refuses `-`, by which many programs name their standard input.
///
/// # Errors
/// If it is that path: runs and hill files are read more than once.
pub fn refuse_standard_input(path: &Path) -> Result<(), FileError> {
    if path.as_os_str() == "-" {
        let message = "standard input cannot be read here; write it to a file and name that";
        return Err(FileError::new(path, message));
    }
    Ok(())
}

/// The message without the numbers that the standard library adds to errors of the system, such as " (os error 2)", and with
/// this program's word for a folder.
#[must_use]
pub fn without_os_error(message: &str) -> String {
    let mut parts = message.split(" (os error ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                text.push_str(rest);
            }
            Some(_) | None => text.extend([" (os error ", part]),
        }
    }
    text.replace("Is a directory", "is a folder, not a file")
}

/// The message with its middle left out if it is too long.
fn bounded(message: String) -> String {
    // No character has less than one byte.
    if message.len() <= MAX_LENGTH || message.chars().count() <= MAX_LENGTH {
        return message;
    }
    let place = |(place, _)| place;
    let head = message.char_indices().nth(MAX_LENGTH - END_LENGTH).map_or(0, place);
    let tail = message.char_indices().nth_back(END_LENGTH - 1).map_or(0, place);
    format!("{}...{}", &message[..head], &message[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_no_numbers_of_the_system() {
        let error = io::Error::from_raw_os_error(2);
        let text = FileError::new(Path::new("run.jsonl"), &error).to_string();
        assert_eq!(text, "run.jsonl: No such file or directory");
        let path = Path::new("/none/run.jsonl");
        assert_eq!(
            FileError::not_opened(path, &error).to_string(),
            "/none/run.jsonl: no such file"
        );
        assert_eq!(
            without_os_error(&format!("a: {error}; b: {error}.")),
            "a: No such file or directory; b: No such file or directory."
        );
        for other in ["", "(os error 2)", "a (os error x) b", "a (os error 2"] {
            assert_eq!(without_os_error(other), other);
        }
    }

    #[test]
    fn a_long_message_keeps_its_beginning_and_its_end() {
        let message = format!("value {:?}: must be 1 or 2", "\u{e9}".repeat(1 << 20));
        let text = FileError::new(Path::new("hill.toml"), &message).to_string();
        assert!(text.starts_with("hill.toml: value \"\u{e9}"), "{text}");
        assert!(text.ends_with("\u{e9}\": must be 1 or 2"), "{text}");
        let length = text.chars().count();
        assert_eq!(length, "hill.toml: ".len() + MAX_LENGTH + "...".len());
        let short = "\u{e9}".repeat(MAX_LENGTH);
        assert_eq!(bounded(short.clone()), short);
    }
}
