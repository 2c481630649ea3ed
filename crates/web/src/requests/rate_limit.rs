//! Limits on how often one visitor may do something.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
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

    /// Whether the key has no use left now.
    pub(crate) fn is_exhausted(&self, key: &K, now: Instant) -> bool {
        let full = self.full.lock().unwrap_or_else(PoisonError::into_inner);
        full.get(key).is_some_and(|full| self.is_empty(*full, now))
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

/// The address by which a visitor is counted: an IPv6 client usually owns a whole /64 network.
pub(crate) fn visitor(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let network = address.to_bits() & !(u128::MAX >> 64);
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
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
        assert!(!limit.is_exhausted(&'a', begin));
        let taken: Vec<_> = (0..5).map(|_| limit.take('a', begin)).collect();
        assert_eq!(taken, [true, true, true, false, false]);
        assert!(limit.is_exhausted(&'a', begin) && !limit.is_exhausted(&'b', begin));
        assert!(limit.take('b', begin));
        assert!(!limit.take('a', at(9)));
        assert!(limit.take('a', at(10)) && !limit.take('a', at(10)));
        let taken: Vec<_> = (0..5).map(|_| limit.take('a', at(1000))).collect();
        assert_eq!(taken, [true, true, true, false, false]);
    }

    #[test]
    fn an_ipv6_network_is_one_visitor() {
        let known = |text: &str| visitor(text.parse().unwrap());
        assert_eq!(known("2001:db8::1"), known("2001:db8::2:3"));
        assert_ne!(known("2001:db8::1"), known("2001:db8:0:1::1"));
        assert_eq!(known("::ffff:192.0.2.1"), known("192.0.2.1"));
        assert_ne!(known("192.0.2.1"), known("192.0.2.2"));
    }
}
