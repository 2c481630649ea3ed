//! Tests of `cargo xtask`, and its checks of the project's files.

mod architecture;
mod dependencies;
mod docs;
mod interrupt;
mod links;
mod packages;
mod publishing;
mod readers;
mod reproducible;
mod selection;
mod set_up;
mod structure;
