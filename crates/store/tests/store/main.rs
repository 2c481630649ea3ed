//! Hills and logs on disk.

mod entry_book;
mod forgeries;
mod new_hill;
mod run_log;
