//! Limits on how often a client may do something.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of keys after which expired ones are removed.
const MOST_REMEMBERED: usize = 10_000;

/// A token bucket per key: `at_once` uses at once, and one more after each `pause`.
pub(crate) struct RateLimit<K> {
    at_once: u32,
    pause: Duration,
    /// When the bucket of each key is full again.
    full: Mutex<HashMap<K, Instant>>,
}

impl<K: Eq + Hash> RateLimit<K> {
    pub(crate) fn new(at_once: u32, pause: Duration) -> Self {
        Self { at_once, pause, full: Mutex::new(HashMap::new()) }
    }

    /// Takes one use; returns whether there was one.
    pub(crate) fn take(&self, key: K, now: Instant) -> bool {
        let mut full = self.full.lock().unwrap_or_else(PoisonError::into_inner);
        if full.len() >= MOST_REMEMBERED {
            full.retain(|_, full| *full > now);
        }
        let counted = full.entry(key).or_insert(now);
        if self.is_empty(*counted, now) {
            return false;
        }
        *counted = (*counted).max(now) + self.pause;
        true
    }

    fn is_empty(&self, full: Instant, now: Instant) -> bool {
        full.saturating_duration_since(now) > self.pause * (self.at_once - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_return_with_time() {
        let limit = RateLimit::new(3, Duration::from_secs(10));
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let taken: Vec<_> = (0..5).map(|_| limit.take('a', begin)).collect();
        assert_eq!(taken, [true, true, true, false, false]);
        assert!(limit.take('b', begin));
        assert!(!limit.take('a', at(9)));
        assert!(limit.take('a', at(10)) && !limit.take('a', at(10)));
        let taken: Vec<_> = (0..5).map(|_| limit.take('a', at(1000))).collect();
        assert_eq!(taken, [true, true, true, false, false]);
    }
}
