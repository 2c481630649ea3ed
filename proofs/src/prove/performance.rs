//! What isolation, the protocol, storage and the web server cost.

pub(super) mod environments;
pub(super) mod isolation;
pub(crate) mod link;
pub(super) mod luck;
pub(super) mod speed;
pub(super) mod store;
pub(super) mod web;
pub(super) mod weekend;
pub(super) mod wheel;
pub(super) mod workers;
