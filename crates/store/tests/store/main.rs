//! The stores of hills, and run logs.

mod entry_store;
mod forgeries;
mod new_hill;
mod run_log;
