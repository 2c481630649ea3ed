//! The server as visitors meet it: over real connections.

mod api;
mod bounds;
mod hostile;
mod pages;
mod support;
