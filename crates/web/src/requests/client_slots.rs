//! Limits on what one client may have open at the same time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::client_address::ClientAddress;

/// Slots for each client.
#[derive(Clone)]
pub(crate) struct ClientSlots {
    most: usize,
    taken: Arc<Mutex<HashMap<ClientAddress, usize>>>,
}

/// A slot of a client, free again when it is dropped.
pub(crate) struct ClientSlot {
    of: ClientSlots,
    client: ClientAddress,
}

impl ClientSlots {
    /// `most` slots for each client.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, taken: Arc::default() }
    }

    /// Takes a slot; `None` if the client has taken all. Clients on this machine have any number: they could stop the server
    /// as well, and a proxy that is not named as one may be among them.
    pub(crate) fn take(&self, client: ClientAddress) -> Option<ClientSlot> {
        let mut all = self.taken();
        let taken = all.entry(client).or_default();
        if *taken >= self.most && !client.is_loopback() {
            return None;
        }
        *taken += 1;
        Some(ClientSlot { of: self.clone(), client })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<ClientAddress, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ClientSlot {
    fn drop(&mut self) {
        let mut all = self.of.taken();
        if let Some(taken) = all.get_mut(&self.client) {
            *taken -= 1;
            if *taken == 0 {
                all.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> ClientAddress {
        ClientAddress::direct(address.parse().expect("an address"))
    }

    #[test]
    fn each_client_has_its_own_slots() {
        let (one, other) = (client("192.0.2.1"), client("2001:db8::1"));
        let slots = ClientSlots::new(2);
        let taken = [slots.take(one), slots.take(one)];
        assert!(taken.iter().all(Option::is_some));
        assert!(slots.take(one).is_none() && slots.take(other).is_some());
        drop(taken);
        assert!(slots.take(one).is_some());
        assert!(slots.taken().is_empty(), "clients without slots are forgotten");
        let local: Vec<_> = (0..9).map(|_| slots.take(client("127.0.0.1"))).collect();
        assert!(local.iter().all(Option::is_some));
    }
}
