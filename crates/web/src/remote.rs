//! Remote bots: programs on their authors' machines, which play over a WebSocket.
//!
//! A run asks for a process of such a bot over a socket of this machine (`sessions`). The server opens a session for it on the author's
//! connection (`connection`), and passes lines on. Both sides number their frames (`frames`) and keep those that the other
//! side has not confirmed (`outbox`), so that a connection that is cut loses nothing. What a bot's connection is, and whether there
//! is one, is in `remote_bot`; `hill_bots` has those of a hill, and `remote_bots` those of all hills.

pub(crate) mod connection;
pub(crate) mod frames;
pub(crate) mod hill_bots;
mod outbox;
#[cfg_attr(not(unix), expect(dead_code, reason = "runs reach remote bots over a Unix socket"))]
pub(crate) mod remote_bot;
pub(crate) mod remote_bots;
#[cfg(unix)]
mod sessions;

pub use frames::{AuthorFrame, REPLACED_STATUS, ServerFrame};
pub use outbox::Outbox;

/// Waits until a flag is set, or nothing can set it any more.
async fn is_set(flag: &mut tokio::sync::watch::Receiver<bool>) {
    let _closed = flag.wait_for(|is_set| *is_set).await;
}
