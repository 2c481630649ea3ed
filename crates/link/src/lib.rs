//! External bots: bots that run as processes of their own, in any language.
//!
//! - `prepare` finds, hashes, copies and, where necessary, builds a bot; `java` does so for players of the published
//!   Java interfaces, which a bridge runs.
//! - `external` has the bot itself ([`ExternalBot`]) and its processes: a process is the arena's
//!   [`dicehill_arena::Server`] and, alone, a [`dicehill_arena::Bot`].
//! - `protocol` has the messages.
//! - `child` starts and ends all processes. Each has a `supervisor`, which ends whatever it has started.
//! - `isolation` sandboxes bots, and [`attacks`] tests that.
//!
//! The sandbox needs Linux. On other Unix systems bots run without it if the host asks for that, and on Windows external bots do
//! not run ([`platform_gap`]).
//!
//! The rules of the games and the judge are in other crates.

#![cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "the sandbox needs Linux"))]

#[cfg(target_os = "linux")]
pub mod attacks;
mod bot_log;
#[cfg(unix)]
mod child;
#[cfg(unix)]
mod external;
mod files;
#[cfg(unix)]
mod helper_process;
mod isolation;
#[cfg(unix)]
mod java;
mod prepare;
#[cfg(unix)]
mod process;
mod protocol;
mod secret;
#[cfg(unix)]
mod supervisor;
#[cfg(windows)]
mod windows;

pub use bot_log::BotLog;
pub use files::{FilesError, PackedFile, UnpackedFiles};
pub use isolation::guarantee::{GUARANTEES, Guarantee, weakens_isolation};
pub use isolation::mechanism::{Mechanism, MissingMechanism};
pub use isolation::mode::{Isolation, NetworkAccess, platform_gap, unenforced_limits};
pub use prepare::cache::cache_folder;
pub use prepare::error::{Missing, PrepareError};
pub use prepare::settings::{ExternalBotSettings, StopFlag};
pub use prepare::source::BotSource;
pub use protocol::{
    Bye, Capabilities, GameStart, Hello, HelloLimits, MAX_LINE_BYTES, PROTOCOL, ParsedAnswer,
    ProcessView, Ready, Refused, TranscriptLine, Unreadable, WireGame, excerpt, schemas,
    transcript, write_line,
};
pub use secret::{Secret, SecretError};
#[cfg(windows)]
pub use windows::{
    ExternalBot, outside_paths, pack, probe, run_helper_process, set_helper_program,
    wait_for_children,
};
#[cfg(unix)]
pub use {
    child::{ending::wait_for_children, helper_program::set_helper_program, probe::probe},
    external::{ExternalBot, pack},
    helper_process::run_helper_process,
    prepare::outside_paths::outside_paths,
};
