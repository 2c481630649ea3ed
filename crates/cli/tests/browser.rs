//! The pages of `dicehill serve` in a real browser: Chromium, by its WebDriver.

#![cfg(target_os = "linux")]

#[path = "browser/chromium.rs"]
mod chromium;
#[path = "browser/driver.rs"]
mod driver;
#[path = "browser/enter.rs"]
mod enter;
#[path = "browser/every_page.rs"]
mod every_page;
#[path = "browser/hills.rs"]
mod hills;
#[path = "browser/live.rs"]
mod live;
#[path = "browser/load.rs"]
mod load;
#[path = "support/machine.rs"]
mod machine;
#[path = "browser/play.rs"]
mod play;
#[path = "browser/process.rs"]
mod process;
#[path = "browser/replay.rs"]
mod replay;
#[path = "support/scratch.rs"]
mod scratch;
#[path = "browser/stage.rs"]
mod stage;
#[path = "browser/two_at_a_table.rs"]
mod two_at_a_table;

use scratch::{Ran, Scratch};
