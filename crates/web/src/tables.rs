//! Tables at which people play, with each other and with house bots.
//!
//! The `Lobby` keeps the tables. Each is a `TableSession`: a `Table`, where people take seats one after the other, and
//! the channels of its listeners. When all seats are taken the table has a `LiveGame`. A `TableGame` is what the game
//! itself contributes. A `TableFolder` keeps what tables follow from, so that they survive a restart of the server; a
//! `TableWriter` writes it in a thread of its own, so that no player waits for the disk.
//!
//! What each viewer may see is decided here, in `LiveGame::show` and the two games: everything that leaves a session is
//! a document for one seat or for a visitor. Addresses are left to `api::tables`.

mod absence;
mod box_title;
mod finished_game;
mod liars_dice;
mod live_game;
mod lobby;
mod move_clock;
mod refusal;
mod restored_table;
mod seat_cookie;
mod seat_token;
mod stored_table;
mod table;
mod table_folder;
mod table_game;
mod table_id;
mod table_options;
mod table_session;
mod table_writer;
mod yahtzee;
mod yahtzee_reasons;

#[cfg(test)]
mod tests;

pub(crate) use lobby::{Asking, Lobby, LobbyLimits};
pub(crate) use refusal::Refusal;
pub(crate) use seat_cookie::{seat_cookie, seat_token};
pub(crate) use seat_token::SeatToken;
pub(crate) use table_folder::TableFolder;
pub(crate) use table_game::TableGame;
pub(crate) use table_id::TableId;
pub(crate) use table_options::TableDraft;
pub(crate) use table_session::{ActionRequest, AnyTableSession, SeatChange};
