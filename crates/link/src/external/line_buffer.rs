//! Splits what a bot writes to stdout into lines.

use std::ops::Range;

use dicehill_arena::{Failure, Reason};

use crate::protocol::{MAX_LINE_BYTES, excerpt};

/// Splits bytes into lines. Blank lines are skipped; output without end is a failure with [`Reason::Flood`].
#[derive(Default)]
pub(super) struct LineBuffer {
    bytes: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// There is no newline in `start..searched`.
    searched: usize,
    /// Bytes in blank lines since the last line that was not blank.
    blank: usize,
}

impl LineBuffer {
    /// Appends what was read.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next complete line that is not blank, without its newline and a carriage return before that.
    ///
    /// # Errors
    /// If a line, complete or not, is longer than [`MAX_LINE_BYTES`], or blank lines in succession are.
    pub(super) fn next_line(&mut self) -> Result<Option<&[u8]>, Failure> {
        while let Some(range) = self.next_range() {
            let line = &self.bytes[range.clone()];
            if line.len() > MAX_LINE_BYTES {
                return Err(flood(line, "in one line"));
            }
            if !line.trim_ascii().is_empty() {
                self.blank = 0;
                return Ok(Some(&self.bytes[range]));
            }
            self.blank += line.len() + 1;
            if self.blank > MAX_LINE_BYTES {
                return Err(Failure::new(Reason::Flood, "blank lines without end"));
            }
        }
        if self.pending().len() > MAX_LINE_BYTES {
            return Err(flood(self.pending(), "without a newline"));
        }
        Ok(None)
    }

    /// What follows the last line returned.
    pub(super) fn pending(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Where the next complete line is.
    fn next_range(&mut self) -> Option<Range<usize>> {
        let unsearched = &self.bytes[self.searched..];
        let Some(length) = unsearched.iter().position(|byte| *byte == b'\n') else {
            self.searched = self.bytes.len();
            return None;
        };
        let newline = self.searched + length;
        let line = &self.bytes[self.start..newline];
        let end = self.start + line.strip_suffix(b"\r").unwrap_or(line).len();
        let range = self.start..end;
        self.start = newline + 1;
        self.searched = self.start;
        Some(range)
    }
}

fn flood(output: &[u8], how: &str) -> Failure {
    let what = excerpt(&output[..output.len().min(80)]);
    Failure::new(Reason::Flood, format!("more than {MAX_LINE_BYTES} bytes {how}: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads these chunks one after the other; returns the lines, and what is left.
    fn read(chunks: &[&[u8]]) -> Result<(Vec<String>, String), Failure> {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let mut buffer = LineBuffer::default();
        let mut lines = Vec::new();
        for chunk in chunks {
            buffer.push(chunk);
            while let Some(line) = buffer.next_line()? {
                lines.push(text(line));
            }
        }
        Ok((lines, text(buffer.pending())))
    }

    /// Expects these chunks to have these lines, and this rest.
    #[track_caller]
    fn check(chunks: &[&[u8]], lines: &[&str], pending: &str) {
        let lines = lines.iter().copied().map(str::to_owned).collect();
        assert_eq!(read(chunks), Ok((lines, pending.to_owned())));
    }

    /// Expects these chunks to be a flood.
    #[track_caller]
    fn check_flood(chunks: &[&[u8]], detail: &str) {
        let failure = read(chunks).expect_err("it is a flood");
        assert_eq!(failure.reason, Reason::Flood, "{}", failure.detail);
        assert!(failure.detail.contains(detail), "{}", failure.detail);
    }

    #[test]
    fn lines_are_found_however_they_arrive() {
        check(&[b"one\ntwo\n"], &["one", "two"], "");
        check(&[b"on", b"e\ntw", b"o"], &["one"], "two");
        check(&[b"one", b"\n", b"two\nthree"], &["one", "two"], "three");
        let bytes: Vec<_> = b"one\ntwo\nthree".chunks(1).collect();
        check(&bytes, &["one", "two"], "three");
        check(&[b"one\n", b"", b"two\n"], &["one", "two"], "");
    }

    #[test]
    fn a_carriage_return_belongs_to_the_newline_alone() {
        check(&[b"one\r\n", b"t\rwo\r", b"\n\r\r\n"], &["one", "t\rwo"], "");
        check(&[b"one\r"], &[], "one\r");
    }

    #[test]
    fn blank_lines_are_skipped() {
        check(&[b"\n \t\r\none\n\n", b"\n", b"two\n"], &["one", "two"], "");
    }

    #[test]
    fn lines_that_were_not_taken_are_pending() {
        let mut buffer = LineBuffer::default();
        buffer.push(b"one\ntwo\nthr");
        assert_eq!(buffer.next_line(), Ok(Some(&b"one"[..])));
        assert_eq!(buffer.pending(), b"two\nthr");
        buffer.push(b"ee\n");
        assert_eq!(buffer.pending(), b"two\nthree\n");
        assert_eq!(buffer.next_line(), Ok(Some(&b"two"[..])));
        assert_eq!(buffer.next_line(), Ok(Some(&b"three"[..])));
        assert_eq!(buffer.next_line(), Ok(None));
    }

    #[test]
    fn bytes_without_a_newline_are_searched_once() {
        let mut buffer = LineBuffer::default();
        buffer.push(b"one\n");
        assert_eq!(buffer.next_line(), Ok(Some(&b"one"[..])));
        for length in (1024..=MAX_LINE_BYTES).step_by(1024) {
            buffer.push(&[b'x'; 1024]);
            assert_eq!(buffer.next_line(), Ok(None));
            assert_eq!((buffer.pending().len(), buffer.searched), (length, length));
        }
        buffer.push(b"\n");
        assert_eq!(buffer.next_line().unwrap().unwrap().len(), MAX_LINE_BYTES);
    }

    #[test]
    fn a_line_may_have_64_kib() {
        let longest = [b'x'; MAX_LINE_BYTES];
        let text = String::from_utf8(longest.to_vec()).unwrap();
        check(&[&longest, b"\r\n"], &[&text], "");
        check(&[&longest], &[], &text);
        check_flood(&[&longest, b"x\n"], "65536 bytes in one line: xxx");
        check_flood(&[&longest, b"x"], "65536 bytes without a newline: xxx");
        check_flood(&[b"one\n", &longest, b"x"], "without a newline");
    }

    #[test]
    fn blank_lines_without_end_are_a_flood() {
        let blank = [b'\n'; MAX_LINE_BYTES];
        check(&[&blank, b"one\n", &blank], &["one"], "");
        check_flood(&[&blank, b"\n"], "blank lines without end");
        let spaces = b" \r\n".repeat(MAX_LINE_BYTES / 2);
        check(&[&spaces], &[], "");
        check_flood(&[&spaces, b"\n"], "blank lines without end");
    }
}
