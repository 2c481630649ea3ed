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
//! The rules of the games and the judge are in other crates.

#[cfg(target_os = "linux")]
pub mod attacks;
mod bot_log;
mod child;
mod external;
mod files;
mod helper_process;
mod isolation;
mod java;
mod prepare;
mod process;
mod protocol;
mod supervisor;

pub use bot_log::BotLog;
pub use child::ending::wait_for_children;
pub use child::helper_program::set_helper_program;
pub use child::probe::probe;
pub use external::{ExternalBot, pack};
pub use files::{FilesError, PackedFile, UnpackedFiles};
pub use helper_process::run_helper_process;
pub use isolation::guarantee::{GUARANTEES, Guarantee, weakens_isolation};
pub use isolation::mechanism::{Mechanism, MissingMechanism};
pub use isolation::sandbox::{Isolation, NetworkAccess};
pub use prepare::cache::cache_folder;
pub use prepare::error::PrepareError;
pub use prepare::outside_paths::outside_paths;
pub use prepare::settings::{ExternalBotSettings, StopFlag};
pub use prepare::source::BotSource;
pub use process::secret::{Secret, SecretError};
pub use protocol::{
    Bye, Capabilities, GameStart, Hello, HelloLimits, MAX_LINE_BYTES, PROTOCOL, ParsedAnswer,
    ProcessView, Ready, Refused, TranscriptLine, Unreadable, WireGame, excerpt, schemas,
    transcript, write_line,
};
