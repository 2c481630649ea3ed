//! One attack, and how its success is checked.

use super::defence::Defence;
use super::outcome::Outcome;
use super::target::Target;

/// The first argument of a program that is to carry out an attack.
pub const ATTACK: &str = "--attack";

/// Something that a bot must not be able to do.
pub struct Attack {
    /// A short name.
    pub name: &'static str,
    /// What it does, in words.
    pub what: &'static str,
    /// What should contain it, the most important first.
    pub defences: &'static [Defence],
    /// Does it, inside the attacking process.
    pub(super) carry_out: fn(&Target) -> Outcome,
    /// How it is checked from outside.
    pub(super) proof: Proof,
}

/// How it is seen from outside what an attack got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proof {
    /// It says so itself.
    Word,
    /// It says so itself; where its process is ended before, that is what should happen.
    End,
    /// There is a file that it has made at one of these places.
    File(&'static [&'static str]),
    /// Somebody listens at the port that it has told.
    Port,
    /// Its message has arrived.
    Message,
    /// It has a descriptor that was left open for it.
    Descriptor,
    /// It has filled the disk beyond what it may.
    Space,
    /// A process of it lives on.
    Survivor,
    /// It uses the processor though nobody asks it anything.
    Processor,
}
