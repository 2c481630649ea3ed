//! The conditions under which a bot plays.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use dicehill_arena::{Limits, Memory};

use crate::isolation::mode::{Isolation, NetworkAccess};
use crate::secret::Secret;

/// The conditions under which a bot plays.
#[derive(Clone, Debug)]
pub struct ExternalBotSettings {
    /// The name of the game.
    pub game: &'static str,
    /// The variant of the rules.
    pub rules: String,
    /// How long a process keeps its state.
    pub memory: Memory,
    /// What it may use.
    pub limits: Limits,
    /// Whether it is sandboxed.
    pub isolation: Isolation,
    /// Whether its sandbox has a network.
    pub network: NetworkAccess,
    /// Environment variables that it gets and no other bot.
    pub secrets: Vec<Secret>,
    /// When answers are no longer waited for.
    pub stop: StopFlag,
}

/// How long an answer is waited for after the caller has asked to stop.
const STOP_GRACE: Duration = Duration::from_secs(1);

/// Set by the caller to stop: a second later, no bot is waited for any more. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct StopFlag {
    is_requested: Arc<AtomicBool>,
    /// When a wait first noticed it.
    since: Arc<OnceLock<Instant>>,
}

impl StopFlag {
    /// A flag that is requested by setting `is_requested`.
    #[must_use]
    pub fn new(is_requested: Arc<AtomicBool>) -> Self {
        Self { is_requested, since: Arc::default() }
    }

    /// Whether the time for answers after the request is over.
    pub(crate) fn is_overdue(&self) -> bool {
        self.is_requested.load(Ordering::Relaxed)
            && self.since.get_or_init(Instant::now).elapsed() > STOP_GRACE
    }
}
