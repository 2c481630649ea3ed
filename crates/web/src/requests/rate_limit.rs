//! Limits on how often a client may do something.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The largest number of keys.
const MAX_KEYS: usize = 10_000;

/// A token bucket per key: `at_once` uses at once, and one more after each `pause`.
///
/// Memory is bounded: beyond [`MAX_KEYS`] keys the bucket that is full again first is forgotten, which loses the least.
pub(crate) struct RateLimit<K> {
    at_once: u32,
    pause: Duration,
    /// When the bucket of each key is full again.
    full: Mutex<HashMap<K, Instant>>,
}

impl<K: Clone + Eq + Hash> RateLimit<K> {
    pub(crate) fn new(at_once: u32, pause: Duration) -> Self {
        Self { at_once, pause, full: Mutex::new(HashMap::new()) }
    }

    /// Takes one use; returns whether there was one.
    pub(crate) fn take(&self, key: K, now: Instant) -> bool {
        let mut full = self.full.lock().unwrap_or_else(PoisonError::into_inner);
        if full.len() >= MAX_KEYS && !full.contains_key(&key) {
            make_space(&mut full, now);
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

/// Removes the keys whose bucket is full, or else the one whose bucket is full first.
fn make_space<K: Clone + Eq + Hash>(full: &mut HashMap<K, Instant>, now: Instant) {
    full.retain(|_, full| *full > now);
    if full.len() >= MAX_KEYS {
        let first = full.iter().min_by_key(|(_, full)| **full).map(|(key, _)| key.clone());
        first.and_then(|first| full.remove(&first));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_keys_is_bounded() {
        let limit = RateLimit::new(2, Duration::from_secs(10));
        let begin = Instant::now();
        assert!(limit.take(0, begin) && limit.take(0, begin));
        assert!((1..=MAX_KEYS + 3).all(|key| limit.take(key, begin)));
        assert_eq!(limit.full.lock().unwrap().len(), MAX_KEYS);
        assert!(!limit.take(0, begin), "an empty bucket is not forgotten");
        assert!(limit.take(MAX_KEYS + 4, begin + Duration::from_secs(30)));
        assert_eq!(limit.full.lock().unwrap().len(), 1, "full buckets are forgotten");
    }

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
