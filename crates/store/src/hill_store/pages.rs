//! Pages: rows with many games each, and the games in them.

pub(crate) mod answer_times;
pub(crate) mod game_page;
pub(crate) mod game_reader;
pub(crate) mod open_page;
pub(crate) mod page_reader;
mod played_by;
pub(crate) mod stored_games;

pub use game_page::GamePage;
pub use game_reader::GameOrder;
pub use stored_games::StoredGames;
