//! The door through which bots come in: an upload is taken apart, qualified in isolation, and played with.
//!
//! The server itself never runs what comes in. It unpacks archives, within limits, and starts the `dicehill` command,
//! which does the rest in processes that are kept apart.

pub(crate) mod child;
pub(crate) mod clerk;
pub(crate) mod desk;
pub(crate) mod door;
pub(crate) mod lines;
pub(crate) mod live;
pub(crate) mod member_path;
pub(crate) mod recipe;
pub(crate) mod report;
pub(crate) mod routes;
pub(crate) mod target;
pub(crate) mod unpack;
pub(crate) mod upload;
