//! What `cargo xtask` does, and what it holds the project's files to.

mod architecture;
mod dependencies;
mod interrupt;
mod links;
mod readers;
mod selection;
mod set_up;
