//! The client that a request comes from, also behind a proxy.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::{HeaderMap, HeaderName};

use crate::address_range::AddressRange;

/// The header in which each proxy appends the address of its client. `Forwarded` is not read: a proxy that writes the one
/// header hands on whatever a client has written into the other.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address by which a client is counted: an IPv4 address, or an IPv6 network of 64 bits, because a client usually owns
/// a whole one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ClientAddress(IpAddr);

impl ClientAddress {
    /// A client that is connected from this address without a proxy.
    pub(crate) fn direct(peer: IpAddr) -> Self {
        Self(match peer.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            // The network of `::1` would have other addresses too.
            IpAddr::V6(Ipv6Addr::LOCALHOST) => IpAddr::V6(Ipv6Addr::LOCALHOST),
            IpAddr::V6(address) => {
                let network = address.to_bits() & !(u128::MAX >> 64);
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
        })
    }

    /// The client of a request that came from `peer`: the last address of `X-Forwarded-For` that is not one of the trusted
    /// proxies'. Each proxy appends the address that it sees, so that whatever a client writes stands before that. What a
    /// trusted proxy has appended and is no address counts as that proxy.
    pub(crate) fn of(peer: IpAddr, headers: &HeaderMap, trusted: &[AddressRange]) -> Self {
        let is_trusted = |address: IpAddr| trusted.iter().any(|range| range.contains(address));
        let mut client = peer;
        for hop in hops_from_last(headers) {
            match hop.filter(|_| is_trusted(client)) {
                Some(address) => client = address,
                None => break,
            }
        }
        Self::direct(client)
    }

    /// Whether the client runs on this machine.
    pub(crate) fn is_loopback(self) -> bool {
        self.0.is_loopback()
    }
}

/// Whether a proxy has handed the request on.
pub(crate) fn is_forwarded(headers: &HeaderMap) -> bool {
    headers.contains_key(FORWARDED_FOR)
}

/// The addresses in all lines of the header from the last to the first; `None` for what is no address.
fn hops_from_last(headers: &HeaderMap) -> impl Iterator<Item = Option<IpAddr>> {
    let lines = headers.get_all(FORWARDED_FOR).iter().rev();
    lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(',')).map(address)
}

/// The address of an entry, which may have a port, and brackets around an IPv6 address.
fn address(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    let bracketed = entry.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let with_port = || entry.parse::<SocketAddr>().ok().map(|address| address.ip());
    let plain = match bracketed {
        Some(inner) => inner.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
        None => entry.parse::<IpAddr>().ok(),
    };
    plain.or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The client of a request from `peer` with these lines of `X-Forwarded-For`, where the proxies are 127.0.0.1, 10.0.0.0/8
    /// and fd00::/8.
    fn client(peer: &str, lines: &[&str]) -> ClientAddress {
        let trusted = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"];
        let trusted = trusted.map(|range| range.parse().expect("a range"));
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED_FOR, line.parse().expect("a value"));
        }
        ClientAddress::of(peer.parse().expect("an address"), &headers, &trusted)
    }

    fn direct(address: &str) -> ClientAddress {
        ClientAddress::direct(address.parse().expect("an address"))
    }

    #[test]
    fn the_client_is_the_last_address_that_is_no_proxy() {
        let cases: [(&[&str], &str); 11] = [
            (&["203.0.113.7"], "203.0.113.7"),
            (&["198.51.100.1, 203.0.113.7"], "203.0.113.7"),
            (&["198.51.100.1,203.0.113.7 ,10.1.2.3, 127.0.0.1"], "203.0.113.7"),
            (&["198.51.100.1", "203.0.113.7", "10.1.2.3, fd00::1"], "203.0.113.7"),
            (&["203.0.113.7:4711"], "203.0.113.7"),
            (&["2001:db8::7"], "2001:db8::7"),
            (&["[2001:db8::7]"], "2001:db8::7"),
            (&["[2001:db8::7]:4711, [fd00::2]:1"], "2001:db8::7"),
            (&["::ffff:203.0.113.7, ::ffff:10.0.0.1"], "203.0.113.7"),
            // The proxies themselves, such as for a check of their health.
            (&[], "127.0.0.1"),
            (&["10.0.0.9"], "10.0.0.9"),
        ];
        for (lines, expected) in cases {
            assert_eq!(client("127.0.0.1", lines), direct(expected), "{lines:?}");
        }
        assert_eq!(client("::ffff:127.0.0.1", &["203.0.113.7"]), direct("203.0.113.7"));
    }

    #[test]
    fn what_is_no_address_counts_as_the_proxy_that_wrote_it() {
        for line in [
            "",
            ",",
            "unknown",
            "_hidden",
            "203.0.113.7,",
            "999.0.0.1",
            "[203.0.113.7]",
            "fe80::1%eth0",
            "\"::1\"",
        ] {
            assert_eq!(client("127.0.0.1", &[line]), direct("127.0.0.1"), "{line}");
            let behind = format!("198.51.100.1, {line}, 10.0.0.9");
            assert_eq!(client("127.0.0.1", &[&behind]), direct("10.0.0.9"), "{line}");
            let spoofed = format!("{line}, 203.0.113.7");
            assert_eq!(client("127.0.0.1", &[&spoofed]), direct("203.0.113.7"), "{line}");
        }
    }

    #[test]
    fn the_header_of_a_client_without_a_proxy_is_ignored() {
        for peer in ["198.51.100.1", "127.0.0.2", "2001:db8::1"] {
            assert_eq!(client(peer, &["203.0.113.7", "127.0.0.1"]), direct(peer));
        }
    }

    #[test]
    fn an_ipv6_network_is_one_client() {
        assert_eq!(direct("2001:db8::1"), direct("2001:db8::2:3"));
        assert_ne!(direct("2001:db8::1"), direct("2001:db8:0:1::1"));
        assert_eq!(direct("::ffff:192.0.2.1"), direct("192.0.2.1"));
        assert_ne!(direct("192.0.2.1"), direct("192.0.2.2"));
        assert!(direct("::1").is_loopback() && !direct("::2").is_loopback());
    }
}
