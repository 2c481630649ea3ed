//! Who may bring a bot: whoever has a token of the hill, on a server whose host takes bots in.

use std::net::IpAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use dicehill_store::{EntryBook, FileError, SecretToken, TokenError};
use tokio::sync::Semaphore;

use super::desk::{Desk, off_the_loop, refused};
use crate::hills::Hills;
use crate::rate::{Rate, visitor};
use crate::{Config, Problem};

/// Uploads that are unpacked at the same time: each needs memory and disk.
const UNPACKED_AT_ONCE: usize = 2;

/// The door through which bots come in.
pub(crate) struct Door {
    pub(crate) desk: Desk,
    /// Why nobody comes in.
    closed: Option<String>,
    /// Tokens that a visitor has guessed wrong.
    wrong: Rate<IpAddr>,
    /// Uploads with a hill's token.
    uploads: Rate<(String, i64)>,
    unpacking: Semaphore,
}

impl Door {
    /// The door of a server that shows these hills.
    ///
    /// # Errors
    /// If the server takes bots in, and a hill cannot be written.
    pub(crate) fn open(config: &Config, hills: &Hills) -> Result<Self, FileError> {
        let closed = why_closed(config);
        let desk = match closed {
            None => Desk::open(hills, &config.program)?,
            Some(_) => Desk::closed(),
        };
        Ok(Self {
            desk,
            closed,
            wrong: Rate::new(10, Duration::from_secs(12)),
            uploads: Rate::new(3, Duration::from_secs(360)),
            unpacking: Semaphore::new(UNPACKED_AT_ONCE),
        })
    }

    /// Why nobody comes in; `None` if the door is open.
    pub(crate) fn why_closed(&self) -> Option<&str> {
        self.closed.as_deref()
    }

    /// Whether bots come in.
    ///
    /// # Errors
    /// Says why not.
    pub(crate) fn check_open(&self) -> Result<(), Problem> {
        self.why_closed().map_or(Ok(()), |why| Err(Problem::Forbidden(why.to_owned())))
    }

    /// The number of the token that a visitor shows, with which a bot may come in now.
    ///
    /// # Errors
    /// If it is none, or was used too often; who shows wrong ones too often is not asked any more.
    pub(crate) async fn admit(
        &self,
        hill: (&str, &Path),
        shown: &str,
        peer: IpAddr,
    ) -> Result<i64, Problem> {
        let peer = visitor(peer);
        if self.wrong.is_exhausted(&peer, Instant::now()) {
            let message = "too many wrong tokens came from your address; come again in a minute";
            return Err(Problem::TooMany(message.to_owned()));
        }
        let ((name, path), token) = (hill, SecretToken::parse(shown));
        let path = path.to_owned();
        let found = off_the_loop(move || {
            let token = token.ok_or(TokenError::Unknown);
            token.and_then(|token| EntryBook::open(&path)?.token(&token)).map_err(refused)
        });
        let token = found.await.inspect_err(|_| {
            self.wrong.take(peer, Instant::now());
        })?;
        if !self.uploads.take((name.to_owned(), token.id), Instant::now()) {
            let message = "too many uploads with this token; it takes ten an hour";
            return Err(Problem::TooMany(message.to_owned()));
        }
        Ok(token.id)
    }

    /// Waits until an upload may be unpacked, and for as long as what is given back is there.
    pub(crate) async fn place_to_unpack(&self) -> Option<tokio::sync::SemaphorePermit<'_>> {
        self.unpacking.acquire().await.ok()
    }
}

fn why_closed(config: &Config) -> Option<String> {
    if !config.accept {
        return Some("this server only shows its hills: its host takes no bots in".to_owned());
    }
    let missing = config.missing.first()?;
    eprintln!("bots cannot come in, since they could not be kept apart: {missing}");
    let message = "this server takes no bots in: its machine cannot keep strangers' programs apart";
    Some(message.to_owned())
}
