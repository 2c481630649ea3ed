//! The server as visitors meet it: over real connections.

mod api;
mod bounds;
mod pages;
mod support;
