//! Bots outside the process, in any language.
//!
//! A program is found, copied and, where necessary, built ([`Outside::prepare`]). Each of its
//! processes is started and ended in one place, `child`, beside which a keeper sees to it that nothing
//! is left of it. `process` speaks the protocol, whose messages are in `wire`: it is the arena's
//! [`dicehill_arena::Server`], and, behind `child_bot`, a [`dicehill_arena::Bot`]. Players for the published
//! Java interfaces are served by a bridge that is a program like any other (`java`).
//!
//! What bots are kept from is in `isolation`, and `attacks` tries it out.
//!
//! What the games are and how they are judged is left to the arena.

mod allowance;
#[cfg(target_os = "linux")]
pub mod attacks;
mod bot_log;
mod build;
mod cache;
mod cargo_home;
mod child;
mod child_bot;
mod child_end;
mod descendants;
mod files;
mod isolation;
mod java;
mod keeper;
mod move_clock;
mod pack;
mod process;
mod program;
mod reach;
mod seen;
mod stock;
mod transcript;
mod wire;

pub use bot_log::BotLog;
pub use cache::cache_folder;
pub use child::{let_work_behind_the_scenes, wait_for_children};
pub use files::FilesError;
pub use isolation::{Absent, GUARANTEES, Guarantee, Isolation, Mechanism, survey};
pub use pack::{PackedFile, Unpacked, pack};
pub use program::{Outside, PrepareError, Source, Terms};
pub use transcript::{Line, Sight, transcript};
pub use wire::{
    Bye, GameStart, Hello, HelloLimits, Ids, LONGEST_LINE, PROTOCOL, Ready, ReadyFor, Refused,
    Said, Unreadable, WireGame, excerpt, schemas, write_line,
};

/// Does the work for which this program starts itself again, if it was started for that: beside children and
/// before them. A program that uses this crate calls it first of all.
pub fn work_behind_the_scenes() -> Option<std::process::ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next()?;
    if first == keeper::KEEPER {
        return Some(keeper::keep(arguments));
    }
    if first == isolation::INIT {
        return Some(isolation::init(arguments));
    }
    #[cfg(target_os = "linux")]
    if first == attacks::ATTACK {
        return Some(attacks::attack(arguments));
    }
    None
}
