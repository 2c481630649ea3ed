//! The bots' protocol, version 1: one JSON object per line.
//!
//! `protocol/bots.md` documents it for authors of bots; the schemas in `protocol/schemas` are generated from these types.

mod excerpt;
mod json_line;
mod liars_dice;
pub(crate) mod messages;
mod schemas;
mod transcript;
mod wire_game;
mod yahtzee;

pub use excerpt::excerpt;
pub use json_line::write_line;
pub use messages::{
    Bye, Capabilities, GameStart, Hello, HelloLimits, MAX_LINE_BYTES, PROTOCOL, Ready, Refused,
};
pub use schemas::schemas;
pub use transcript::{ProcessView, TranscriptLine, transcript};
pub use wire_game::{ParsedAnswer, Unreadable, WireGame};
