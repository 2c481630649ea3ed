//! What a bot's answers cost in processor time, as far as its processes have shown.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

/// Answers of a process from which its cost is known.
const MIN_ANSWERS: u64 = 50;
/// What a process may use besides, as a multiple of what its start has used: code that runs for the first time is slow, and the
/// slower the machine, the longer both take.
const WARM_UP: u32 = 4;
/// The mean processor time below which an answer is cheap.
const CHEAP: Duration = Duration::from_micros(500);

const UNKNOWN: u8 = 0;
const IS_CHEAP: u8 = 1;
const IS_COSTLY: u8 = 2;

/// What a bot's answers cost, shared by its processes. Once they were costly, they stay it.
#[derive(Default)]
pub(super) struct AnswerCost(AtomicU8);

impl AnswerCost {
    /// Records what a process has used up to its first line, and from then on, which is for its answers.
    pub(super) fn record(&self, start: Duration, used: Duration, answers: u64) {
        if answers >= MIN_ANSWERS {
            let allowed = start * WARM_UP + CHEAP * answers.min(1 << 20) as u32;
            let found = if used > allowed { IS_COSTLY } else { IS_CHEAP };
            self.0.fetch_max(found, Ordering::Relaxed);
        }
    }

    /// Whether they are cheap; `None` if that is not known.
    pub(super) fn is_cheap(&self) -> Option<bool> {
        match self.0.load(Ordering::Relaxed) {
            UNKNOWN => None,
            found => Some(found == IS_CHEAP),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_tells_cheap_answers_from_costly_ones() {
        let cost = AnswerCost::default();
        let start = Duration::from_millis(70);
        cost.record(start, Duration::from_secs(60), 10);
        assert_eq!(cost.is_cheap(), None, "too few answers");
        cost.record(start, Duration::from_millis(300), 240);
        assert_eq!(cost.is_cheap(), Some(true));
        // A slow machine.
        cost.record(2 * start, Duration::from_millis(600), 240);
        assert_eq!(cost.is_cheap(), Some(true));
        cost.record(start, Duration::from_millis(1500), 240);
        assert_eq!(cost.is_cheap(), Some(false));
        cost.record(start, Duration::from_millis(300), 240);
        assert_eq!(cost.is_cheap(), Some(false), "a bot may compute in some games only");
    }
}
