//! Tests of what needs a hill with games in it.

mod games;
mod league;
mod replay_pages;
mod replays;
mod static_pages;
mod test_hill;
