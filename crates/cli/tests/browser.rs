//! The pages of `dicehill serve` in a real browser: Chromium through its WebDriver.

#![cfg(target_os = "linux")]

mod bad_network;
mod chromium;
mod driver;
mod entry_form;
mod every_page;
mod hills;
mod live;
mod load;
mod page_checks;
mod play;
mod play_page;
mod process;
mod replay;
mod table_preferences;
mod tables;
mod test_server;
mod two_at_a_table;
