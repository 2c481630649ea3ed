//! The SDK as the arena and as authors meet it.

mod faults;
mod program;
mod session;
mod starter;
mod transcript;
