//! What requests need whatever they ask for: the address of their client, checks of their origin, limits for each
//! client, a cache of rendered responses, threads for blocking work, and metrics.

pub(crate) mod client_address;
pub(crate) mod client_slots;
pub(crate) mod metrics;
pub(crate) mod origin;
pub(crate) mod page_cache;
pub(crate) mod rate_limit;
mod run_blocking;

pub(crate) use run_blocking::run_blocking;
