//! Ranges of IP addresses.

use std::net::IpAddr;
use std::str::FromStr;

/// An IP address, or a network of addresses that share their first bits: `192.0.2.7`, `10.0.0.0/8` or `fd00::/8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressRange {
    address: IpAddr,
    /// The number of bits that all its addresses share.
    bits: u32,
}

/// The text is neither an address nor a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an IP address or network: write 192.0.2.7, 10.0.0.0/8 or fd00::/8")]
pub struct InvalidAddressRange;

impl AddressRange {
    /// Whether the address is in the range. An IPv4 address that is written as an IPv6 one counts as an IPv4 address.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros() >= self.bits
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros() >= self.bits
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

impl FromStr for AddressRange {
    type Err = InvalidAddressRange;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| InvalidAddressRange)?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            Some(bits) => bits.parse().ok().filter(|bits| *bits <= most),
            None => Some(most),
        };
        let bits = bits.ok_or(InvalidAddressRange)?;
        match address.to_canonical() {
            same if same == address => Ok(Self { address, bits }),
            // A network of IPv4 addresses in the notation of IPv6 has its bits counted from the front.
            short => {
                Ok(Self { address: short, bits: bits.checked_sub(96).ok_or(InvalidAddressRange)? })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(range: &str, inside: &[&str], outside: &[&str]) {
        let range: AddressRange = range.parse().expect("a range");
        let contains = |text: &&str| range.contains(text.parse().expect("an address"));
        assert!(inside.iter().all(contains), "{range:?}");
        assert!(!outside.iter().any(contains), "{range:?}");
    }

    #[test]
    fn a_range_contains_the_addresses_that_share_its_bits() {
        check("127.0.0.1", &["127.0.0.1", "::ffff:127.0.0.1"], &["127.0.0.2", "::1"]);
        check("10.0.0.0/8", &["10.255.0.1"], &["11.0.0.0", "::a00:1"]);
        check("192.0.2.77/25", &["192.0.2.0", "192.0.2.127"], &["192.0.2.128"]);
        check("0.0.0.0/0", &["0.0.0.0", "255.255.255.255"], &["::"]);
        check("::1", &["::1"], &["::2", "127.0.0.1"]);
        check("fd00::/8", &["fdff::1"], &["fe00::"]);
        check("::/0", &["ffff::"], &["127.0.0.1"]);
        check("::ffff:10.0.0.0/104", &["10.1.2.3"], &["11.0.0.0"]);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "localhost",
            "127.0.0.1:80",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0.0/-1",
            "10/8",
            "fd00::/129",
            "[::1]",
            "/8",
            "::ffff:10.0.0.0/8",
            "*",
            "10.0.0.0/8/8",
        ] {
            assert_eq!(text.parse::<AddressRange>(), Err(InvalidAddressRange), "{text}");
        }
    }
}
