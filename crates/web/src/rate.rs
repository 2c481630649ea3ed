//! How often something may be done by the same visitor.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Visitors that are remembered before those of long ago are forgotten.
const MOST_REMEMBERED: usize = 10_000;

/// How often something may be done by the same visitor: so often at once, and again after a while each time.
pub(crate) struct Rate<K> {
    at_once: u32,
    /// How long it takes until it may be done once more.
    pause: Duration,
    /// When each has nothing left that counts against it.
    clear: Mutex<HashMap<K, Instant>>,
}

impl<K: Eq + Hash> Rate<K> {
    pub(crate) fn new(at_once: u32, pause: Duration) -> Self {
        Self { at_once, pause, clear: Mutex::new(HashMap::new()) }
    }

    /// Whether it was done too often to be done now.
    pub(crate) fn is_exhausted(&self, key: &K, now: Instant) -> bool {
        let clear = self.clear.lock().unwrap_or_else(PoisonError::into_inner);
        clear.get(key).is_some_and(|clear| self.is_beyond(*clear, now))
    }

    /// Counts that it is done, unless it was done too often; says whether it may be.
    pub(crate) fn take(&self, key: K, now: Instant) -> bool {
        let mut clear = self.clear.lock().unwrap_or_else(PoisonError::into_inner);
        if clear.len() >= MOST_REMEMBERED {
            clear.retain(|_, clear| *clear > now);
        }
        let counted = clear.entry(key).or_insert(now);
        if self.is_beyond(*counted, now) {
            return false;
        }
        *counted = (*counted).max(now) + self.pause;
        true
    }

    fn is_beyond(&self, clear: Instant, now: Instant) -> bool {
        clear.saturating_duration_since(now) > self.pause * (self.at_once - 1)
    }
}

/// Under which address a visitor is known: whoever has one of the new kind has a whole network of them.
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
    fn it_comes_back_with_time() {
        let rate = Rate::new(3, Duration::from_secs(10));
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        assert!(!rate.is_exhausted(&'a', begin));
        let taken: Vec<_> = (0..5).map(|_| rate.take('a', begin)).collect();
        assert_eq!(taken, [true, true, true, false, false]);
        assert!(rate.is_exhausted(&'a', begin) && !rate.is_exhausted(&'b', begin));
        assert!(rate.take('b', begin));
        assert!(!rate.take('a', at(9)));
        assert!(rate.take('a', at(10)) && !rate.take('a', at(10)));
        let taken: Vec<_> = (0..5).map(|_| rate.take('a', at(1000))).collect();
        assert_eq!(taken, [true, true, true, false, false]);
    }

    #[test]
    fn a_network_is_one_visitor() {
        let known = |text: &str| visitor(text.parse().unwrap());
        assert_eq!(known("2001:db8::1"), known("2001:db8::2:3"));
        assert_ne!(known("2001:db8::1"), known("2001:db8:0:1::1"));
        assert_eq!(known("::ffff:192.0.2.1"), known("192.0.2.1"));
        assert_ne!(known("192.0.2.1"), known("192.0.2.2"));
    }
}
