//! How often one address may ask for something.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZero;
use std::time::Duration;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::Problem;

/// Addresses that are remembered before those are forgotten that may ask for all they like again.
const REMEMBERED: usize = 10_000;

/// How often one address may ask for something.
pub(crate) struct Rate {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
    what: &'static str,
}

impl Rate {
    /// For making tables: twenty at once, and one more every three seconds.
    pub(crate) fn of_new_tables() -> Self {
        Self::new("tables", NonZero::<u32>::MIN.saturating_add(19), Duration::from_secs(3))
    }

    /// So many at once, and one more in every `period`. `what` names them in the plural.
    pub(crate) fn new(what: &'static str, at_once: NonZero<u32>, period: Duration) -> Self {
        let quota = Quota::with_period(period).unwrap_or(Quota::per_second(at_once));
        Self { limiter: RateLimiter::keyed(quota.allow_burst(at_once)), what }
    }

    /// Counts a request from an address.
    ///
    /// # Errors
    /// If there were too many.
    pub(crate) fn check(&self, peer: SocketAddr) -> Result<(), Problem> {
        if self.limiter.len() > REMEMBERED {
            self.limiter.retain_recent();
        }
        let what = self.what;
        self.limiter.check_key(&visitor(peer.ip())).map_err(|_too_many| {
            Problem::TooMany(format!("too many {what} from your address: try again in a minute"))
        })
    }
}

/// Whoever has an address of IPv6 has all that share its first half.
fn visitor(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        address @ IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let network = address.to_bits() >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_its_own_rate() {
        let rate = Rate::new("things", NonZero::new(2).unwrap(), Duration::from_hours(1));
        let from = |address: &str| rate.check(SocketAddr::new(address.parse().unwrap(), 1));
        assert_eq!(from("10.0.0.1"), Ok(()));
        assert_eq!(from("10.0.0.1"), Ok(()));
        let refused = from("10.0.0.1").unwrap_err().to_string();
        assert_eq!(refused, "too many things from your address: try again in a minute");
        assert!(from("::ffff:10.0.0.1").is_err(), "the same address");
        assert_eq!(from("10.0.0.2"), Ok(()));
        assert_eq!(from("2001:db8::1"), Ok(()));
        assert_eq!(from("2001:db8::2"), Ok(()));
        assert!(from("2001:db8::3").is_err(), "the same network");
        assert_eq!(from("2001:db8:0:1::1"), Ok(()));
    }
}
