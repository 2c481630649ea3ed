//! The end of a log that a crash has left.

use std::fmt;
use std::path::Path;

use crate::command_word;

/// The part of a log, from a line on to its end, that is not what a writer stores: a killed process leaves an incomplete line,
/// and a power failure also NUL bytes and lines of which a part is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TornTail {
    /// The number of its first line, from 1.
    pub line: usize,
    /// The byte at which that line starts.
    pub start: u64,
    /// The bytes up to the end of the file.
    pub bytes: u64,
    /// What is wrong with its first line.
    pub damage: String,
}

impl TornTail {
    /// Whether only the last line is incomplete, as a killed process leaves it.
    #[must_use]
    pub fn is_incomplete_line(&self) -> bool {
        self.damage == INCOMPLETE
    }
}

impl TornTail {
    /// Why a log that ends like this is not read.
    pub(super) fn refusal(&self, log: &Path, after: &LinesAfterDamage) -> String {
        let Self { line, start, damage, .. } = self;
        let whole = line - 1;
        if self.is_incomplete_line() {
            return format!(
                "the log is truncated: this line breaks off, and the {whole} lines before it are complete; \
                 `dicehill resume {}` removes it and plays the rest of the run",
                command_word(log)
            );
        }
        let log = command_word(log);
        let follows = match after {
            LinesAfterDamage { is_sealed: true, .. } => {
                "the run was finished and sealed after it: probably the log was changed, and no crash has left this".to_owned()
            }
            LinesAfterDamage { games: 0, .. } => {
                return format!(
                    "{damage}; the {whole} lines before it are complete; `dicehill resume {log} --discard-torn` removes everything from byte {start} on, and continues the run if it has not ended"
                );
            }
            LinesAfterDamage { games, .. } => format!(
                "{games} whole games follow it: a power failure leaves that only among the last lines that were written, and else the log was changed"
            ),
        };
        format!(
            "{damage}; the {whole} lines before it are complete, and {follows}. Copy it first if you want to look into that: \
             `dicehill resume {log} --discard-torn` removes everything from byte {start} on, and plays those games again"
        )
    }
}

/// What the lines after the damage are.
#[derive(Default)]
pub(super) struct LinesAfterDamage {
    /// The number of whole games.
    pub(super) games: u64,
    /// Whether a seal is among them: then a crash is an unlikely reason for the damage.
    pub(super) is_sealed: bool,
}

/// The damage of a last line without its newline.
pub(super) const INCOMPLETE: &str = "the line breaks off";

/// The damage of a last line without its newline, in which a power failure has left NUL bytes.
pub(super) const HOLES: &str = "NUL bytes, as a power failure leaves them";

impl fmt::Display for TornTail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, start, bytes, damage } = self;
        write!(f, "line {line}, from byte {start} on, {bytes} bytes: {damage}")
    }
}

/// What is wrong with the bytes of a line that is not text of a log, if a power failure explains it.
pub(super) fn damage_of(bytes: &[u8]) -> Option<String> {
    let holes = memchr::memchr_iter(0, bytes).count();
    if holes > 0 {
        return Some(format!("{holes} {HOLES}"));
    }
    std::str::from_utf8(bytes).is_err().then(|| "not UTF-8 text".to_owned())
}
