//! The remote bots of a hill.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::remote_bot::RemoteBot;

/// The remote bots of a hill.
pub(crate) struct HillBots {
    /// The socket at which runs ask for processes; `None` if there can be none.
    socket: Option<PathBuf>,
    begun: Instant,
    bots: Mutex<HashMap<i64, Arc<RemoteBot>>>,
}

impl HillBots {
    /// None yet, with the socket at which runs ask for their processes.
    pub(super) fn new(socket: Option<PathBuf>) -> Self {
        Self { socket, begun: Instant::now(), bots: Mutex::default() }
    }

    /// The socket at which runs ask for processes.
    pub(crate) fn socket(&self) -> Option<&Path> {
        self.socket.as_deref()
    }

    /// The bot that came with an entry, connected or not.
    pub(crate) fn bot(&self, entry: i64) -> Arc<RemoteBot> {
        let mut bots = self.bots.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(bots.entry(entry).or_insert_with(|| Arc::new(RemoteBot::new(self.begun))))
    }

    /// How many bots are connected.
    pub(crate) fn connected(&self) -> usize {
        let bots = self.bots.lock().unwrap_or_else(PoisonError::into_inner);
        bots.values().filter(|bot| bot.is_connected()).count()
    }
}
