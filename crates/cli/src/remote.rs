//! A server of hills as a client: uploads, reports and logs.

mod archive;
mod client;
mod hill_url;

pub(crate) use archive::packed_bot;
pub(crate) use client::{EntryReport, HillClient};
pub(crate) use hill_url::HillUrl;
