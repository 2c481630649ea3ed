//! Tests that need a hill with recorded games.

mod altered_hills;
mod foreign_hills;
mod front;
mod games;
mod league;
mod replay_pages;
mod replays;
mod static_pages;
mod test_hill;
