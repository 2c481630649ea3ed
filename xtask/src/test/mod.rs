//! `cargo xtask test`: installs the tools of the tests, builds the tests, runs them, and reports.
//!
//! Only `sets` decides which test belongs to which set.

mod args;
mod build;
mod interrupt;
mod job;
mod language;
mod part;
mod process;
mod reader;
mod report;
mod runner;
mod script;
mod search_path;
mod selection;
mod set_up;
mod sets;
mod tool;

pub use args::TestArgs;
pub use build::{Artifact, parse_artifact};
pub use language::Language;
pub use part::Part;
pub use reader::{LibtestReader, NodeReader, Reader, Tally, TimedTest, UnittestReader};
pub use runner::test;
pub use selection::{
    ProgramName, Selection, SelectionCriteria, Skipped, Tables, entries_without_program,
    entries_without_tests, select,
};
pub use set_up::{Installer, Machine, install_line, missing, needed};
pub use sets::{ALONE, NEEDS, THOROUGH};
pub use tool::Tool;
