//! A run that workers play.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use dicehill_arena::GameSource;
use dicehill_store::RunPlan;

use super::hill_judge::RunJudge;
use crate::messages::BotObject;

/// The usual share of the ranges that another worker plays again.
pub const CHECKED: f64 = 0.02;

/// A run that workers play.
pub struct HostedRun<'a> {
    /// Its plan, with its secret.
    pub plan: &'a RunPlan,
    /// Its external bots.
    pub bots: Vec<HostedBot>,
    /// Checks games, and plays those that workers failed in.
    pub judge: &'a dyn RunJudge,
    /// Games that need not be played.
    pub recorded: &'a dyn GameSource,
    /// The threads that check games.
    pub jobs: usize,
    /// The share of the ranges that another worker plays again, from 0 to 1, to find workers that alter moves: [`CHECKED`], or 0
    /// for bots that do not answer the same each time.
    pub checked: f64,
    /// The name of the host's machine.
    pub machine: String,
    /// Set to stop the run.
    pub stop: &'a AtomicBool,
    /// When the run stops in any case.
    pub deadline: Option<Instant>,
}

/// An external bot, as it travels.
pub struct HostedBot {
    /// The name of its entrant.
    pub name: String,
    /// Its files.
    pub content: Vec<u8>,
}

impl HostedBot {
    pub(super) fn object(&self) -> BotObject {
        let object = blake3::hash(&self.content).to_hex().to_string();
        BotObject { name: self.name.clone(), object, bytes: self.content.len() as u64 }
    }
}
