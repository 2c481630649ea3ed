//! The stores of hills, and run logs.

mod entry_book;
mod forgeries;
mod new_hill;
mod run_log;
