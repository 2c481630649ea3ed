//! The stores of hills, and run logs.

mod backup;
mod crash;
mod entry_store;
mod failures;
mod forgeries;
mod fuzz;
mod highlights;
mod history;
mod new_hill;
mod queue;
mod readers;
mod run_log;
mod test_hill;
mod torn_logs;
