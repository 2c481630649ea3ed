//! The pages of `dicehill serve` in a real browser: Chromium, by its WebDriver.

#![cfg(target_os = "linux")]

mod chromium;
mod driver;
mod enter;
mod every_page;
mod hills;
mod live;
mod load;
mod play;
mod process;
mod replay;
mod stage;
mod two_at_a_table;
