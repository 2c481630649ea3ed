//! Sends news to a webhook, signed.

use std::fmt::Write;
use std::time::Duration;

use dicehill_arena::printable;
use ring::hmac;
use ureq::Agent;
use ureq::http::Uri;

/// The longest time of a request.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Sends news to an address.
pub(crate) struct NewsSender {
    agent: Agent,
    address: Uri,
    key: hmac::Key,
}

impl NewsSender {
    /// A sender to this address, whose requests are signed with the secret.
    ///
    /// # Errors
    /// If it is no address.
    pub(crate) fn new(address: &str, secret: &[u8]) -> Result<Self, &'static str> {
        let rest = ["https://", "http://"].iter().find_map(|scheme| address.strip_prefix(scheme));
        if rest.is_none_or(str::is_empty) || address.contains(char::is_whitespace) {
            return Err("must begin with https:// or http://");
        }
        // Errors of requests quote an address that cannot be read, which may have a secret.
        let address = address.parse::<Uri>().ok().filter(|address| address.host().is_some());
        let address = address.ok_or("is not an address")?;
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent(dicehill_arena::PROGRAM)
            .build();
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
        Ok(Self { agent: config.into(), address, key })
    }

    /// Sends a body once.
    ///
    /// # Errors
    /// Why it was not taken.
    pub(crate) fn send(&self, delivery: &str, body: &str) -> Result<(), String> {
        let request = self.agent.post(self.address.clone()).content_type("application/json");
        let request = request.header("X-Dicehill-Delivery", delivery);
        let request = request.header("X-Dicehill-Signature", self.signature(body));
        match request.send(body) {
            Ok(response) if response.status().is_success() => Ok(()),
            Ok(response) => Err(format!("status {}", response.status())),
            Err(error) => Err(printable(&error.to_string())),
        }
    }

    fn signature(&self, body: &str) -> String {
        let mut text = "sha256=".to_owned();
        for byte in hmac::sign(&self.key, body.as_bytes()).as_ref() {
            write!(text, "{byte:02x}").expect("writing to a String cannot fail");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_has_the_signature_of_rfc_4231() {
        let sender = NewsSender::new("https://h.example/x", b"Jefe").unwrap();
        assert_eq!(
            sender.signature("what do ya want for nothing?"),
            "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
        for address in
            ["", "h.example", "ftp://h.example", "https://", "https://h.example/ x", "https://[x"]
        {
            assert!(NewsSender::new(address, b"Jefe").is_err(), "{address}");
        }
    }
}
