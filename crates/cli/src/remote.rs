//! A server of hills as a client: uploads, reports and logs, and bots that play from here.

mod archive;
mod author_connection;
mod authorities;
mod client;
mod hill_url;
mod log_download;
mod news_sender;
mod program;

pub(crate) use archive::packed_bot;
pub(crate) use author_connection::{AuthorConnection, ConnectedBot};
pub(crate) use client::{EntryReport, HillClient, is_outage};
pub(crate) use hill_url::HillUrl;
pub(crate) use log_download::LogDownload;
pub(crate) use news_sender::NewsSender;
pub(crate) use program::check_program;
