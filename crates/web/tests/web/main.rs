//! The server over real connections.

mod api;
mod bounds;
mod hostile;
mod pages;
mod support;
