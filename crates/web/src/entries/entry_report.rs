//! The public report on an entry.

use std::path::Path;

/// The most lines of a report.
const MAX_LINES: usize = 2_000;
/// The most bytes of a report.
const MAX_BYTES: usize = 256 << 10;

/// The report on an entry: the output of the commands that were run for it, without paths of the host.
pub(super) struct EntryReport {
    text: String,
    lines: usize,
    is_full: bool,
    /// Paths of the host's machine, each with its replacement.
    hidden: Vec<(String, String)>,
    is_written: bool,
}

impl EntryReport {
    /// A report that begins with `text`.
    pub(super) fn new(text: String) -> Self {
        let lines = text.lines().count();
        Self { text, lines, is_full: false, hidden: Vec::new(), is_written: true }
    }

    /// Replaces a path by its last name in all lines that are added later.
    pub(super) fn hide(&mut self, path: &Path) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.hidden.push((path.to_string_lossy().into_owned(), name.into_owned()));
    }

    /// Adds a line, unless the report is full.
    pub(super) fn add(&mut self, line: &str) {
        if self.is_full {
            return;
        }
        let hide = |line: String, (path, name): &(String, String)| line.replace(path, name);
        let line = self.hidden.iter().fold(line.to_owned(), hide);
        self.is_full = self.lines >= MAX_LINES || self.text.len() + line.len() > MAX_BYTES;
        let line = if self.is_full { "and more, which was not stored" } else { &line };
        self.text.push_str(line);
        self.text.push('\n');
        self.lines += 1;
        self.is_written = false;
    }

    /// Adds a line, unless it is the last one already.
    pub(super) fn add_once(&mut self, line: &str) {
        if self.text.lines().next_back() != Some(line) {
            self.add(line);
        }
    }

    /// The text, if lines were added since the last call.
    pub(super) fn unwritten(&mut self) -> Option<String> {
        let is_new = !std::mem::replace(&mut self.is_written, true);
        is_new.then(|| self.text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_bounded_and_hides_paths() {
        let mut report = EntryReport::new("first\n".to_owned());
        assert_eq!(report.unwritten(), None);
        report.hide(Path::new("/srv/hills/spring.db"));
        report.add("error: /srv/hills/spring.db: no");
        assert_eq!(report.unwritten().as_deref(), Some("first\nerror: spring.db: no\n"));
        (0..2 * MAX_LINES).for_each(|_| report.add("x"));
        let text = report.unwritten().unwrap();
        assert_eq!(text.lines().count(), MAX_LINES + 1);
        assert!(text.ends_with("\nand more, which was not stored\n"));
        let mut report = EntryReport::new(String::new());
        (0..MAX_LINES).for_each(|_| report.add(&"x".repeat(4096)));
        assert!(report.unwritten().unwrap().len() < MAX_BYTES + 100);
    }
}
