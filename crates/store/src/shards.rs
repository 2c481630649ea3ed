//! Runs that several machines play: the plan of a run, the parts that the machines write, and the parts put together.
//!
//! A game is a function of the plan and its number. So each part has the games of one range, and the whole run is played
//! from the parts as an interrupted run is played from its log.

pub(crate) mod bot_bundle;
pub(crate) mod line_check;
pub(crate) mod offences_line;
pub(crate) mod part_header;
pub(crate) mod part_reader;
pub(crate) mod part_writer;
pub(crate) mod parts;
pub(crate) mod parts_check;
pub(crate) mod played_line;
pub(crate) mod run_plan;

pub use bot_bundle::BotBundle;
pub use line_check::LineCheck;
pub use part_header::PartHeader;
pub use part_writer::{PartState, PartWriter};
pub use parts::Parts;
pub use played_line::PlayedLine;
pub use run_plan::RunPlan;
