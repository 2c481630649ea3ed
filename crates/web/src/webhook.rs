//! Where news are sent.

use std::fmt;
use std::sync::Arc;

/// Sends a body under the name of its delivery, and says why it was not taken.
type Send = dyn Fn(&str, &str) -> Result<(), String> + Sync + std::marker::Send;

/// Where news are sent: a function, as this crate has no client.
#[derive(Clone)]
pub struct Webhook {
    /// The address, for the log.
    pub address: String,
    send: Arc<Send>,
}

impl Webhook {
    /// A webhook at an address. `send` gets the name of a delivery, which is the same in each attempt, and the body; it may block.
    pub fn new(
        address: String,
        send: impl Fn(&str, &str) -> Result<(), String> + Sync + std::marker::Send + 'static,
    ) -> Self {
        Self { address, send: Arc::new(send) }
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
        f.debug_struct("Webhook").field("address", &self.address).finish_non_exhaustive()
    }
}
