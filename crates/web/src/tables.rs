//! Tables at which people play, with each other and with house bots.
//!
//! A `Hall` keeps the tables. Each is a `Room`: a `Table`, where people sit down one after the other, and whoever
//! waits for news of it. When all seats are taken the table has a `Session`, a game with people in it. What a game has to
//! say for itself is a `TableGame`.
//!
//! Who may see what is decided here, in `Session::document` and the two games: everything that leaves a room is a document
//! for one seat, or for a visitor. Addresses and cookies are left to `api::tables`.

mod hall;
mod liars_dice;
mod odds;
mod order;
mod refusal;
mod room;
mod seat_token;
mod session;
mod table;
mod table_game;
mod table_id;
mod yahtzee;

pub(crate) use hall::Hall;
pub(crate) use order::OrderDraft;
pub(crate) use refusal::Refusal;
pub(crate) use room::{AnyRoom, Wanted};
pub(crate) use seat_token::SeatToken;
pub(crate) use table_game::TableGame;
pub(crate) use table_id::TableId;
