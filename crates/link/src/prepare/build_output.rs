//! What is shown of the output of a failed build.

use crate::bot_log::LogTail;
use crate::protocol::excerpt;

/// The most bytes of the beginning that are kept.
const HEAD_BYTES: usize = 16 << 10;
/// Lines from the beginning that are shown: a compiler's first error is the one to mend.
const HEAD_LINES: usize = 12;

/// The beginning and the end of the output of a build, in its order.
#[derive(Default)]
pub(super) struct BuildOutput {
    head: Vec<u8>,
    tail: LogTail,
    bytes: usize,
}

impl BuildOutput {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = HEAD_BYTES - self.head.len();
        self.head.extend(&bytes[..bytes.len().min(room)]);
        self.tail.push(bytes);
        self.bytes += bytes.len();
    }

    /// The first and the last lines, escaped for display.
    pub(super) fn lines(&mut self) -> Vec<String> {
        let tail = self.tail.lines();
        let lines = self.head.split(|byte| *byte == b'\n');
        let lines: Vec<_> = lines.filter(|line| !line.trim_ascii().is_empty()).collect();
        if self.bytes <= HEAD_BYTES && lines.len() <= tail.len() {
            return tail;
        }
        let skipped = lines.len().saturating_sub(tail.len()).min(HEAD_LINES);
        let first = lines[..skipped].iter().map(|line| excerpt(line));
        let is_gap = self.bytes > HEAD_BYTES || lines.len() > skipped + tail.len();
        let gap = is_gap.then(|| "...".to_owned());
        first.chain(gap).chain(tail).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the lines that are shown of this many.
    fn shown(count: usize) -> Vec<String> {
        let mut output = BuildOutput::default();
        for number in 1..=count {
            output.push(format!("line {number}\n").as_bytes());
        }
        output.lines()
    }

    #[test]
    fn a_short_output_is_whole() {
        for count in [0, 1, 20, 25, 32] {
            let expected: Vec<_> = (1..=count).map(|number| format!("line {number}")).collect();
            assert_eq!(shown(count), expected);
        }
    }

    #[test]
    fn of_a_long_output_the_first_lines_and_the_last_are_shown() {
        for count in [33, 100, 5000] {
            let lines = shown(count);
            assert_eq!(lines.len(), 12 + 1 + 20);
            assert_eq!((lines[0].as_str(), lines[11].as_str()), ("line 1", "line 12"));
            assert_eq!(
                (lines[12].as_str(), lines[13].as_str()),
                ("...", &*format!("line {}", count - 19))
            );
            assert_eq!(lines[32], format!("line {count}"));
        }
    }
}
