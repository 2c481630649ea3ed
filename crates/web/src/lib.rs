//! Hills on the web: pages, streams and an API of what their stores hold, tables where people play, and the
//! door through which bots come in.
//!
//! Data flows one way. A thread for each hill looks what its store holds and publishes a snapshot
//! whenever that has changed; `model` makes documents of snapshots and recorded games; `pages` shows a document as HTML
//! and `api` as JSON. So page and API say the same.
//!
//! The server itself never plays tournaments and never runs a stranger's bot: it starts the `dicehill` command, which
//! does so in isolation, in a process of its own, and looks into the store as at any other run.

mod api;
mod assets;
mod coaching;
mod config;
mod entry;
mod game_routes;
mod hills;
mod links;
mod metrics;
mod model;
mod origin;
mod pages;
mod problem;
mod rate;
mod recorded_games;
mod rendered;
mod routes;
mod server;
mod site;
mod static_pages;
#[cfg(test)]
mod tests;

pub use config::{Config, Limits};
pub use problem::Problem;
pub use server::{ServeError, serve};
pub use static_pages::{PageSink, write_pages};
