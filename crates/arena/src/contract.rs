//! What a bot is to the arena: how it is asked, what it may answer, and what counts as its fault.

mod bot;
mod bot_name;
mod failure;
mod game_move;
mod inert_bot;
mod lookalike;
mod printable;
mod program;
mod request_ids;
mod server;
mod start;
mod turn_message;

pub use bot::Bot;
pub use bot_name::{BotName, NameError, NameFault};
pub use failure::{Failure, Reason};
pub use game_move::Move;
pub use inert_bot::InertBot;
pub use lookalike::{MisleadingName, contains_word, lookalikes};
pub use printable::{escape_json, is_printable, printable, printable_json, thousands};
pub use program::{Program, Resent};
pub use request_ids::RequestIds;
pub use server::{Answered, GameSlot, PollInterest, Server};
pub use start::{Finished, Start};
pub(crate) use turn_message::request_text;
pub use turn_message::{BidTexts, LiarsDiceTurn, Pips, YahtzeeTurn};
