//! The entry of a remote bot: the one with which it came to the hill, or a new one.

use std::path::PathBuf;

use dicehill_arena::BotName;
use dicehill_store::{
    BotKind, EntryStore, HillStore, NewUpload, SecretToken, StoredToken, TokenError, TokenRole,
};

use super::admission::UploadAdmission;
use crate::Problem;
use crate::hills::ServedHill;
use crate::requests::client_address::ClientAddress;
use crate::requests::run_blocking;

/// What the author's program asks for.
#[derive(Clone, Debug)]
pub(crate) struct RemoteRequest {
    /// The bot's name.
    pub(crate) name: String,
    /// The entry that an earlier connection of the program was for. Then it is for no other.
    pub(crate) entry: Option<i64>,
    /// Whether the program is a new version, which enters the queue.
    pub(crate) is_new_version: bool,
    /// The token of the hill.
    pub(crate) token: String,
}

/// The number of the entry of a remote bot, which is a new one if the bot is new on the hill.
///
/// # Errors
/// If the token is not an author's, the bot is not the author's, or the hill refuses it.
pub(crate) async fn entry(
    uploads: &UploadAdmission,
    hill: &ServedHill,
    client: ClientAddress,
    request: &RemoteRequest,
) -> Result<i64, Problem> {
    uploads.check_open()?;
    let holder = uploads.holder(hill, &request.token, client).await?;
    if holder.terms.role == TokenRole::Host {
        let why = "this is a token of the host: bots are connected with the token of an author";
        return Err(Problem::Forbidden(why.to_owned()));
    }
    let invalid = |error: &dyn std::fmt::Display| Problem::BadRequest(error.to_string());
    let name = BotName::new(request.name.trim()).map_err(|error| invalid(&error))?;
    name.check_not_misleading().map_err(|error| invalid(&error))?;
    let known = Known { path: hill.path().to_owned(), token: holder, name: name.clone() };
    let wanted = request.clone();
    if let Some(entry) = run_blocking(move || known.entry(&wanted)).await? {
        return Ok(entry);
    }
    uploads.free_disk().check(hill.path())?;
    let token = uploads.admit(hill, &request.token, client).await?;
    uploads.queue().add(hill.address(), token, NewUpload::remote(name)).await
}

/// Whether a token is still one of the hill's. A store that cannot be read now does not end a connection.
pub(crate) async fn is_valid(path: PathBuf, token: String) -> bool {
    let read = move || {
        let Some(secret) = SecretToken::parse(&token) else { return Ok::<_, Problem>(false) };
        let held = EntryStore::open_to_read(&path)?.holder(&secret);
        Ok(held.map_or_else(|error| matches!(error, TokenError::File(_)), |_| true))
    };
    run_blocking(read).await.unwrap_or(true)
}

/// What the store may know of a remote bot.
struct Known {
    path: PathBuf,
    token: StoredToken,
    name: BotName,
}

impl Known {
    /// The entry that the program is connected for; `None` if a new one is needed.
    fn entry(&self, request: &RemoteRequest) -> Result<Option<i64>, Problem> {
        let store = EntryStore::open_to_read(&self.path)?;
        if let Some(entry) = request.entry {
            let own = store.is_entry_of(entry, self.token.id)?;
            let other = || Problem::Conflict(format!("entry {entry} is not yours on this hill"));
            return own.then_some(Some(entry)).ok_or_else(other);
        }
        if request.is_new_version {
            return Ok(None);
        }
        if let Some(waiting) = store.waiting_remote(self.token.id, &self.name)? {
            return Ok(Some(waiting));
        }
        self.on_hill(&store)
    }

    /// The entry of the version on the hill, if that is a remote one of the same author. One that was uploaded is replaced only
    /// if its author asks for that.
    fn on_hill(&self, store: &EntryStore) -> Result<Option<i64>, Problem> {
        let on_hill = HillStore::open(&self.path)?.entrants()?;
        let version = on_hill.into_iter().find(|version| version.name == self.name);
        match version.map(|version| version.kind) {
            Some(BotKind::Remote { entry }) => {
                Ok(store.is_entry_of(entry, self.token.id)?.then_some(entry))
            }
            Some(_) if store.name_refusal(&self.name, self.token.id)?.is_none() => {
                Err(Problem::Conflict(format!(
                    "{} plays here as an uploaded bot: --new-version replaces it by this program, which then has to be \
                     connected in each run",
                    self.name
                )))
            }
            Some(_) | None => Ok(None),
        }
    }
}
