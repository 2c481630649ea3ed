//! Hills on the web: pages, streams and an API of what their stores hold, tables where people play, and uploads of
//! bots.
//!
//! Data flows one way. One thread per hill (`hills`) watches its store and publishes a snapshot when the store changes;
//! `model` turns snapshots and recorded games into documents; `pages` renders a document as HTML and `api` as JSON, so
//! that page and API show the same data. `server` listens and connects these to their addresses; `static_site`
//! writes the pages of one run as files.
//!
//! The server itself never plays tournaments and never runs an uploaded bot: it starts the `dicehill` command
//! (`entries`), which does so in an isolated process of its own, and reads the result from the store.

mod address_range;
mod api;
mod book;
mod config;
mod entries;
mod hills;
mod model;
mod news;
mod pages;
mod pictures;
mod problem;
mod remote;
mod requests;
mod server;
mod site;
mod static_site;
mod tables;
#[cfg(test)]
mod tests;
mod webhook;

pub use address_range::{AddressRange, InvalidAddressRange};
pub use config::{Config, RequestLimits};
pub use hills::hill_address;
pub use problem::Problem;
pub use remote::{AuthorFrame, Outbox, REPLACED_STATUS, ServerFrame};
pub use requests::origin::parse_origin;
pub use server::{ServeError, ServedAddresses, serve};
pub use static_site::{PageSink, write_pages};
pub use webhook::Webhook;
