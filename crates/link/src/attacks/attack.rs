//! One attack, and how its success is checked.

use super::defence::Defence;
use super::outcome::AttackOutcome;
use super::target::AttackTarget;
use crate::NetworkAccess;

/// The first argument of a process that carries out an attack.
pub(crate) const ATTACK_ARGUMENT: &str = "--attack";

/// Something that a bot must not be able to do.
pub struct Attack {
    /// A short name, unique among the attacks.
    pub name: &'static str,
    /// What it does, for display.
    pub what: &'static str,
    /// What a bot can do where the attack is open: one sentence.
    pub meaning: &'static str,
    /// What the host does then: one sentence.
    pub remedy: &'static str,
    /// What should contain it, the most important defence first.
    pub defences: &'static [Defence],
    /// Carries it out, in the attacking process.
    pub(super) carry_out: fn(&AttackTarget) -> AttackOutcome,
    /// How its success is checked.
    pub(super) proof: Proof,
}

impl Attack {
    /// Whether a bot with a network is meant to do this.
    #[must_use]
    pub fn is_granted_by(&self, network: NetworkAccess) -> bool {
        network == NetworkAccess::Host && ["tcp-connect", "udp-send"].contains(&self.name)
    }
}

/// How the success of an attack is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proof {
    /// By the word of the attacking process.
    Word,
    /// By the word of the attacking process. If the process is killed first, the attack is contained.
    End,
    /// A file that it created exists in one of these folders.
    File(&'static [&'static str]),
    /// A connection to the port that it reports succeeds.
    Port,
    /// Its datagram arrived.
    Message,
    /// By its word, with a descriptor left open for it to find.
    Descriptor,
    /// It wrote a file larger than a bot may write.
    Space,
    /// By its word that it holds more in its files than a bot may. If the process is killed first, the attack is
    /// contained.
    Hoard,
    /// One of its processes survives it.
    Survivor,
    /// It uses the processor while no answer is owed.
    Processor,
    /// The same, by the word of processes that live too briefly to be seen.
    RelayedProcessor,
}
