//! The SDK as the arena and the authors of bots use it.

mod faults;
mod program;
mod session;
mod starter;
mod transcript;
