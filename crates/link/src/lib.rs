//! Bots outside the process, in any language.
//!
//! A program is found, copied and, where necessary, built ([`Outside::prepare`]). Each of its
//! processes is started and ended in one place, `child`, beside which a [`keep()`]er sees to it that nothing
//! is left of it. `process` speaks the protocol, whose messages are in `wire`: it is the arena's
//! [`dicehill_arena::Server`], and, behind `child_bot`, a [`dicehill_arena::Bot`]. Players for the published
//! Java interfaces are served by a bridge that is a program like any other (`java`).
//!
//! What bots are kept from is in [`isolation`], and `attacks` tries it out.
//!
//! What the games are and how they are judged is left to the arena.

#[cfg(target_os = "linux")]
pub mod attacks;
mod bot_log;
mod build;
mod cache;
mod child;
mod child_bot;
mod descendants;
mod files;
pub mod isolation;
mod java;
mod keeper;
mod process;
mod program;
mod seen;
mod transcript;
mod wire;

pub use bot_log::BotLog;
pub use child::wait_for_children;
pub use files::FilesError;
pub use keeper::{KEEPER, keep};
pub use program::{Outside, PrepareError, Source, Terms};
pub use transcript::{Line, Sight, transcript};
pub use wire::{
    Bye, GameStart, Hello, HelloLimits, Ids, LONGEST_LINE, PROTOCOL, Ready, ReadyFor, Refused,
    Said, Unreadable, WireGame, excerpt, schemas, write_line,
};
