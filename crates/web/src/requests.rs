//! What requests need whatever they ask for: checks of their origin, rate limits, a cache of rendered responses,
//! threads for blocking work, and metrics.

pub(crate) mod metrics;
pub(crate) mod origin;
pub(crate) mod page_cache;
pub(crate) mod rate_limit;
mod run_blocking;

pub(crate) use run_blocking::run_blocking;
