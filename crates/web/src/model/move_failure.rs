//! Why a move of a recorded game failed.

use dicehill_arena::{Failure, Move, printable};
use dicehill_rules::Game;
use serde::Serialize;
use utoipa::ToSchema;

use super::host_paths::without_host_paths;

/// The longest name of an exception.
const MAX_CLASS: usize = 100;

/// What the names of exceptions end in.
const ENDINGS: [&str; 2] = ["Error", "Exception"];

/// Why a move failed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MoveFailure {
    /// For example `illegal-move`.
    pub(crate) reason: &'static str,
    /// What happened.
    pub(crate) detail: String,
}

impl MoveFailure {
    /// The failure of a move; `None` if the move was legal.
    pub(crate) fn of<G: Game>(one: &Move<G>) -> Option<Self> {
        match one {
            Move::Acted(_) => None,
            Move::Failed(failure) => {
                let reason = failure.reason.name();
                Some(Self { reason, detail: public_detail(reason, &failure.detail) })
            }
        }
    }
}

/// The failure in words.
pub(crate) fn failure_text(failure: &Failure) -> String {
    let reason = failure.reason.name();
    let detail = printable(&public_detail(reason, &failure.detail));
    if detail.is_empty() { reason.to_owned() } else { format!("{reason}: {detail}") }
}

/// What the page of a game shows of a failure; empty if that is nothing besides the reason. A move is public; what else a bot
/// wrote, such as the message of its exception, or a line that is no answer, is its author's.
pub(crate) fn public_detail(reason: &str, detail: &str) -> String {
    let before = |end: &str| detail.split(end).next().unwrap_or_default();
    let shown = match reason {
        "crash" if is_own_text(detail) => detail,
        "crash" => Some(before(": ")).filter(|first| is_class(first)).unwrap_or_default(),
        "malformed-answer" => before(": "),
        "start-timeout" | "move-timeout" => before("; "),
        _ => detail,
    };
    without_host_paths(shown)
}

/// Whether it is what the arena says of the end of a process.
fn is_own_text(detail: &str) -> bool {
    let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    let with_number = ["it ended with status ", "it was killed by signal "];
    let [closed, unplayed] = ["it closed its stdout and kept running", "it was not run"];
    with_number.iter().any(|text| detail.strip_prefix(text).is_some_and(is_number))
        || [closed, unplayed].contains(&detail)
}

/// Whether it is the name of an exception, as `ValueError` or `java.lang.Error`, rather than a message.
fn is_class(text: &str) -> bool {
    let is_part = |part: &str| {
        let begins = part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        begins && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$".contains(&byte))
    };
    text.len() <= MAX_CLASS
        && text.split('.').all(is_part)
        && ENDINGS.iter().any(|end| text.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_bot_wrote_besides_its_moves_is_not_shown() {
        let check = |reason: &str, detail: &str, shown: &str| {
            assert_eq!(public_detail(reason, detail), shown, "{reason}: {detail}");
        };
        check("crash", "it ended with status 1", "it ended with status 1");
        check("crash", "it was killed by signal 11", "it was killed by signal 11");
        check("crash", "it ended with status quo", "");
        check("crash", "ValueError: the secret", "ValueError");
        check(
            "crash",
            "java.lang.IllegalStateException: the secret at Bot.java:3",
            "java.lang.IllegalStateException",
        );
        check("crash", "the secret", "");
        check("crash", "secret", "");
        check("crash", "the: secret", "");
        check(
            "malformed-answer",
            "no request 5 is unanswered: the secret",
            "no request 5 is unanswered",
        );
        let late = "no answer within 1000 ms (move_ms = 1000)";
        check("move-timeout", &format!("{late}; it has begun a line: the secret"), late);
        check("illegal-move", "the bid 3 4 is not higher", "the bid 3 4 is not higher");
    }
}
