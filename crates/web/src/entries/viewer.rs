//! Who asks for what only some may see: the token of a request, in its header or in a cookie.

use axum::http::{HeaderMap, header};
use dicehill_store::{
    EntryState, EntryStore, FileError, ReportAccess, StoredEntry, StoredToken, TokenRole,
};

/// The name of the cookie with a token.
pub(super) const COOKIE: &str = "account";

/// Who asks for an entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Viewer {
    /// The token of the viewer; `None` for a visitor.
    pub(super) token: Option<StoredToken>,
}

impl Viewer {
    /// Whether the viewer may read the whole report on an entry.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub(super) fn may_read(
        &self,
        store: &EntryStore,
        entry: &StoredEntry,
    ) -> Result<bool, FileError> {
        let Some(token) = &self.token else {
            let is_public = store.entry_terms()?.reports == ReportAccess::Public;
            let is_hidden = entry.is_hidden || entry.state == EntryState::Held;
            return Ok(is_public && !is_hidden);
        };
        match token.terms.role {
            TokenRole::Host => Ok(true),
            TokenRole::Author if store.is_entry_of(entry.id, token.id)? => Ok(true),
            TokenRole::Author => Self::default().may_read(store, entry),
        }
    }
}

/// The token in the header `Authorization`.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}

/// The token of a request, in its header or in a cookie.
pub(crate) fn token_of(headers: &HeaderMap) -> Option<String> {
    bearer(headers).or_else(|| token_in_cookie(headers).map(str::to_owned))
}

/// The token in the cookies of a request.
pub(crate) fn token_in_cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|one| one.to_str().ok());
    let mut pairs = cookies.flat_map(|one| one.split(';')).filter_map(|one| one.split_once('='));
    let found = pairs.find(|(key, _)| key.trim() == COOKIE).map(|(_, value)| value.trim());
    found.filter(|token| !token.is_empty())
}
