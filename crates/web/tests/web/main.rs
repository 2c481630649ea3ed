//! The server over real connections.

mod api;
mod book;
mod bounds;
mod clients;
mod hostile;
mod pages;
mod pictures;
mod support;
