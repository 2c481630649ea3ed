//! Where news are sent.

use std::fmt;
use std::sync::Arc;

use dicehill_arena::printable;

/// Sends a body under the name of its delivery, and says why it was not taken.
type Send = dyn Fn(&str, &str) -> Result<(), String> + Sync + std::marker::Send;

/// Where news are sent: a function, as this crate has no client.
#[derive(Clone)]
pub struct Webhook {
    /// The scheme and the host, for the log: the rest of an address may be a secret.
    pub(crate) shown: String,
    send: Arc<Send>,
}

impl Webhook {
    /// A webhook at an address. `send` gets the name of a delivery, which is the same in each attempt, and the body; it may block.
    pub fn new(
        address: &str,
        send: impl Fn(&str, &str) -> Result<(), String> + Sync + std::marker::Send + 'static,
    ) -> Self {
        Self { shown: shown_address(address), send: Arc::new(send) }
    }

    /// Sends a body.
    ///
    /// # Errors
    /// Why it was not taken.
    pub(crate) fn send(&self, delivery: &str, body: &str) -> Result<(), String> {
        (self.send)(delivery, body)
    }
}

impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhook").field("address", &self.shown).finish_non_exhaustive()
    }
}

/// The scheme, host and port of an address, without user, password, path and query, which may be secrets.
fn shown_address(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return "an address".to_owned() };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{}://{}", printable(scheme), printable(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_secrets() {
        for (address, shown) in [
            ("https://h.example/hook/T0/B0?key=x#y", "https://h.example"),
            ("http://u:pw@h.example:8080/path?x", "http://h.example:8080"),
            ("http://u:p@w@h.example?x", "http://h.example"),
            ("http://h.example#pw", "http://h.example"),
            ("pw", "an address"),
        ] {
            let webhook = Webhook::new(address, |_, _| Ok(()));
            assert_eq!(webhook.shown, shown);
            assert!(format!("{webhook:?}").contains(shown), "{webhook:?}");
        }
    }
}
