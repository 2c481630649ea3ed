//! Where a broker is, and how to log in.

use std::path::PathBuf;

use super::error::BrokerError;

/// Where a broker is, and how to log in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BrokerAddress {
    /// `nats://HOST:PORT` or, for TLS, `tls://HOST:PORT`, with `USER:PASSWORD@` before the host or without.
    url: String,
    /// A file of credentials, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// A file with the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// A file with the certificates of authorities that the system does not know.
    pub authorities: Option<PathBuf>,
    /// Files with a certificate of this client and its key.
    pub certificate: Option<[PathBuf; 2]>,
}

impl BrokerAddress {
    /// The broker at this address.
    ///
    /// # Errors
    /// If it is no address of NATS.
    pub fn new(url: &str) -> Result<Self, BrokerError> {
        let host = ["nats://", "tls://"].into_iter().find_map(|scheme| url.strip_prefix(scheme));
        match host {
            Some(host) if !host.is_empty() && !host.contains(char::is_whitespace) => {
                Ok(Self { url: url.to_owned(), ..Self::default() })
            }
            Some(_) | None => Err(BrokerError::Address(url.to_owned())),
        }
    }

    /// The address without a user and password, to be shown.
    #[must_use]
    pub fn shown(&self) -> String {
        let (scheme, rest) = self.url.split_once("://").unwrap_or(("nats", &self.url));
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        format!("{scheme}://{host}")
    }

    /// The user and password in the address.
    pub(super) fn user(&self) -> Option<(&str, &str)> {
        let (_, rest) = self.url.split_once("://")?;
        let (user, _) = rest.rsplit_once('@')?;
        Some(user.split_once(':').unwrap_or((user, "")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_used_and_not_shown() {
        let address = BrokerAddress::new("tls://worker:a:b@c@example.org:4222").expect("one");
        assert_eq!(address.user(), Some(("worker", "a:b@c")));
        assert_eq!(address.shown(), "tls://example.org:4222");
        let address = BrokerAddress::new("nats://example.org").expect("one");
        assert_eq!((address.user(), address.shown().as_str()), (None, "nats://example.org"));
    }
}
