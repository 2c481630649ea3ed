//! What is shown of the output of a failed build.

use crate::bot_log::LogTail;
use crate::protocol::excerpt;

/// The most bytes of the beginning that are kept.
const HEAD_BYTES: usize = 16 << 10;
/// Lines from the beginning that are shown: a compiler's first error is the one to mend.
const HEAD_LINES: usize = 12;

/// What tools say, in lower case, if they cannot reach a network.
const OFFLINE: [&str; 11] = [
    "offline",
    "download",
    "resolve host",
    "name resolution",
    "unknownhost",
    "enotfound",
    "eai_again",
    "dial tcp",
    "network",
    "unable to access",
    "could not connect",
];

/// The line of the sandbox about a socket that it refused.
const REFUSED_SOCKET: &str = "dicehill: the sandbox refused the system call socket";

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

    /// Whether the build seems to have failed because it has no network.
    pub(super) fn shows_missing_network(&mut self) -> bool {
        let tail = self.tail.lines().join("\n");
        let all = [&*String::from_utf8_lossy(&self.head), &tail].join("\n").to_ascii_lowercase();
        OFFLINE.iter().any(|words| all.contains(words))
    }

    /// The first and the last lines, escaped for display. What the sandbox reports of sockets is left out: tools such as
    /// `javac` try them in passing.
    pub(super) fn lines(&mut self) -> Vec<String> {
        let mut tail = self.tail.lines();
        tail.retain(|line| !line.starts_with(REFUSED_SOCKET));
        let lines = self.head.split(|byte| *byte == b'\n');
        let is_shown = |line: &&[u8]| {
            !line.trim_ascii().is_empty() && !line.starts_with(REFUSED_SOCKET.as_bytes())
        };
        let lines: Vec<_> = lines.filter(is_shown).collect();
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
    fn only_an_output_about_the_network_shows_that_it_is_missing() {
        let check = |text: &str, is_missing: bool, shown: &[&str]| {
            let mut output = BuildOutput::default();
            output.push(text.as_bytes());
            assert_eq!(output.shows_missing_network(), is_missing, "{text}");
            assert_eq!(output.lines(), shown);
        };
        let refused = "dicehill: the sandbox refused the system call socket (0x2)\n";
        check(
            &format!("{refused}./Mine.java:6: error: cannot find symbol\n"),
            false,
            &["./Mine.java:6: error: cannot find symbol"],
        );
        check(
            &format!("{refused}warning: spurious network error\n"),
            true,
            &["warning: spurious network error"],
        );
        check("error: failed to download `rand`\n", true, &["error: failed to download `rand`"]);
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
