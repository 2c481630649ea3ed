//! What is told about an entry, in lines that everybody may read.

use std::path::Path;

/// Lines of a report.
pub(crate) const MOST_LINES: usize = 2_000;
/// Bytes of it.
const MOST_BYTES: usize = 256 << 10;

/// What is told about an entry.
pub(crate) struct Report {
    text: String,
    lines: usize,
    is_full: bool,
    /// Paths of the host's machine, with what stands for each.
    hidden: Vec<(String, String)>,
    is_written: bool,
}

impl Report {
    /// A report that goes on behind `text`.
    pub(crate) fn new(text: String) -> Self {
        let lines = text.lines().count();
        Self { text, lines, is_full: false, hidden: Vec::new(), is_written: true }
    }

    /// Shows the last name of a path in its place, wherever it stands in a line.
    pub(crate) fn hide(&mut self, path: &Path) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.hidden.push((path.to_string_lossy().into_owned(), name.into_owned()));
    }

    /// Adds a line, unless there are too many.
    pub(crate) fn add(&mut self, line: &str) {
        if self.is_full {
            return;
        }
        let hide = |line: String, (path, name): &(String, String)| line.replace(path, name);
        let line = self.hidden.iter().fold(line.to_owned(), hide);
        self.is_full = self.lines >= MOST_LINES || self.text.len() + line.len() > MOST_BYTES;
        let line = if self.is_full { "and more, which is not kept" } else { &line };
        self.text.push_str(line);
        self.text.push('\n');
        self.lines += 1;
        self.is_written = false;
    }

    /// The text, if something has come to it since it was asked for last.
    pub(crate) fn unwritten(&mut self) -> Option<String> {
        let is_new = !std::mem::replace(&mut self.is_written, true);
        is_new.then(|| self.text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_bounded_and_hides_paths() {
        let mut report = Report::new("first\n".to_owned());
        assert_eq!(report.unwritten(), None);
        report.hide(Path::new("/srv/hills/spring.db"));
        report.add("error: /srv/hills/spring.db: no");
        assert_eq!(report.unwritten().as_deref(), Some("first\nerror: spring.db: no\n"));
        (0..2 * MOST_LINES).for_each(|_| report.add("x"));
        let text = report.unwritten().unwrap();
        assert_eq!(text.lines().count(), MOST_LINES + 1);
        assert!(text.ends_with("\nand more, which is not kept\n"));
        let mut report = Report::new(String::new());
        (0..MOST_LINES).for_each(|_| report.add(&"x".repeat(4096)));
        assert!(report.unwritten().unwrap().len() < MOST_BYTES + 100);
    }
}
