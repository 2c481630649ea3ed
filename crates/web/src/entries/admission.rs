//! Who may upload bots: holders of a token of the hill, on a server whose host accepts bots.

use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use dicehill_store::{EntryStore, FileError, SecretToken, StoredToken, TokenError};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;

use super::free_disk::FreeDisk;
use super::queue::{EntryQueue, token_problem};
use super::viewer::{Viewer, bearer, token_in_cookie};
use crate::hills::{Hills, ServedHill};
use crate::remote::remote_bots::RemoteBots;
use crate::requests::client_address::ClientAddress;
use crate::requests::rate_limit::RateLimit;
use crate::{Config, Problem};

/// Uploads that are unpacked at the same time: each needs memory and disk.
const UNPACKED_AT_ONCE: usize = 2;
/// Tokens that are looked up at the same time, which bounds how many a whole crowd can try.
const LOOKED_UP_AT_ONCE: usize = 2;
/// Wrong tokens that a client may send at once.
const WRONG_AT_ONCE: u32 = 10;

/// Uploads with a token at once: an author who tries until a bot is accepted. They are qualified one after the other.
const UPLOADS_AT_ONCE: u32 = 10;
/// The time after which one more is accepted.
const UPLOAD_PAUSE: Duration = Duration::from_secs(360);

/// Checks who may upload bots, and how often.
pub(crate) struct UploadAdmission {
    queue: EntryQueue,
    remote: RemoteBots,
    disk: FreeDisk,
    /// Why no bots are accepted; `None` if they are.
    closed: Option<String>,
    upload_bytes: usize,
    wrong_tokens: RateLimit<ClientAddress>,
    lookups: Semaphore,
    /// Uploads by hill and token.
    uploads: RateLimit<(String, i64)>,
    unpacking: Semaphore,
}

impl UploadAdmission {
    /// Opens the queues of these hills, unless the server accepts no bots.
    ///
    /// # Errors
    /// If the server accepts bots, and a hill cannot be written.
    pub(crate) fn open(config: &Config, hills: &Hills) -> Result<Self, FileError> {
        let closed = why_closed(config);
        let (remote, queue) = match closed {
            None => {
                let remote = RemoteBots::open(hills.all().iter().map(ServedHill::address));
                let queue = EntryQueue::open(hills, config, &remote)?;
                (remote, queue)
            }
            Some(_) => (RemoteBots::closed(), EntryQueue::closed()),
        };
        Ok(Self {
            queue,
            remote,
            disk: FreeDisk::new(config),
            closed,
            upload_bytes: config.limits.upload_bytes,
            wrong_tokens: RateLimit::new(WRONG_AT_ONCE, config.limits.wrong_token_pause),
            lookups: Semaphore::new(LOOKED_UP_AT_ONCE),
            uploads: RateLimit::new(UPLOADS_AT_ONCE, UPLOAD_PAUSE),
            unpacking: Semaphore::new(UNPACKED_AT_ONCE),
        })
    }

    /// The queue of admitted bots.
    pub(crate) const fn queue(&self) -> &EntryQueue {
        &self.queue
    }

    /// The room that the disks must have.
    pub(crate) const fn free_disk(&self) -> &FreeDisk {
        &self.disk
    }

    /// The bots that stay on their authors' machines.
    pub(crate) const fn remote(&self) -> &RemoteBots {
        &self.remote
    }

    /// The most bytes of an uploaded file.
    pub(crate) const fn upload_bytes(&self) -> usize {
        self.upload_bytes
    }

    /// Why no bots are accepted; `None` if they are.
    pub(crate) fn why_closed(&self) -> Option<&str> {
        self.closed.as_deref()
    }

    /// The same, also while there is no room for the bots of a hill.
    pub(crate) fn why_closed_at(&self, hill: &ServedHill) -> Option<&str> {
        self.why_closed().or_else(|| self.disk.notice(hill.path()))
    }

    /// Checks that bots are accepted.
    ///
    /// # Errors
    /// The reason why they are not.
    pub(crate) fn check_open(&self) -> Result<(), Problem> {
        self.why_closed().map_or(Ok(()), |why| Err(Problem::Forbidden(why.to_owned())))
    }

    /// The number of the token `text`, with which a bot may be uploaded now. A valid token is accepted however many wrong
    /// ones came before it, because other clients may share its address.
    ///
    /// # Errors
    /// If it is not a valid token of this hill or was used too often, or if it is wrong and too many wrong tokens came from
    /// this client.
    pub(super) async fn admit(
        &self,
        hill: &ServedHill,
        text: &str,
        client: ClientAddress,
    ) -> Result<i64, Problem> {
        let token = self.holder(hill, text, client).await?;
        if let Err(used_up) = token.check_uses() {
            return Err(token_problem(used_up));
        }
        if !self.uploads.take((hill.address().to_owned(), token.id), Instant::now()) {
            let message = "too many entries with this token: the limit is ten at once, and one more every six minutes";
            return Err(Problem::RateLimited(message.to_owned()));
        }
        Ok(token.id)
    }

    /// The stored token of `text`, even if no more bots may be uploaded with it. A valid token is accepted however many wrong ones
    /// came before it.
    ///
    /// # Errors
    /// If it is not a valid token of this hill, or if it is wrong and too many wrong tokens came from this client.
    pub(crate) async fn holder(
        &self,
        hill: &ServedHill,
        text: &str,
        client: ClientAddress,
    ) -> Result<StoredToken, Problem> {
        match self.look_up(hill, text).await {
            Ok(token) => Ok(token),
            Err(TokenError::File(error)) => Err(error.into()),
            Err(_) if !self.wrong_tokens.take(client, Instant::now()) => {
                let message = "too many wrong tokens from your address; try again in a minute";
                Err(Problem::RateLimited(message.to_owned()))
            }
            Err(wrong) => Err(token_problem(wrong)),
        }
    }

    /// Who asks for a page: the holder of the token in a header or cookie, or a visitor.
    pub(crate) async fn viewer(
        &self,
        hill: &ServedHill,
        headers: &HeaderMap,
        client: ClientAddress,
    ) -> Viewer {
        let token = bearer(headers).or_else(|| token_in_cookie(headers).map(str::to_owned));
        let Some(token) = token.filter(|_| self.closed.is_none()) else { return Viewer::default() };
        Viewer { token: self.holder(hill, &token, client).await.ok() }
    }

    /// The stored token, found by its hash.
    async fn look_up(&self, hill: &ServedHill, text: &str) -> Result<StoredToken, TokenError> {
        let token = SecretToken::parse(text).ok_or(TokenError::Unknown)?;
        let path = hill.path().to_owned();
        let _permit = self.lookups.acquire().await;
        let found = spawn_blocking(move || EntryStore::open_to_read(&path)?.holder(&token)).await;
        found.unwrap_or_else(|panicked| Err(FileError::new(hill.path(), panicked).into()))
    }

    /// Waits until an upload may be unpacked. The caller holds the permit until it is.
    pub(super) async fn unpack_permit(&self) -> Option<SemaphorePermit<'_>> {
        self.unpacking.acquire().await.ok()
    }
}

fn why_closed(config: &Config) -> Option<String> {
    if !config.accept {
        return Some("this server accepts no uploads: it only shows its hills".to_owned());
    }
    config.missing.first()?;
    let message = "this server accepts no uploads: its machine cannot sandbox strangers' programs";
    Some(message.to_owned())
}
