//! External bots: bots that run as processes of their own and speak the protocol.

mod answer_clock;
mod answer_cost;
mod bot_connection;
mod bot_process;
mod bot_runtime;
mod external_bot;
mod handshake;
mod line_buffer;
mod open_games;
mod pack;
mod peer;
mod process_bot;
mod process_failure;
mod process_log;
mod process_snapshot;
mod redactor;
mod remote_session;
mod value_match;

pub use external_bot::ExternalBot;
pub use pack::pack;
