//! Tokens: how many bots their holders may upload, and until when.

use rusqlite::{Connection, OptionalExtension, Row, params};
use subtle::ConstantTimeEq;

use super::counted::counted;
use super::{EntryStore, SecretToken};
use crate::FileError;
use crate::hill_store::database;

/// The name and the limits of a token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenTerms {
    /// The name of its holder. Tokens with the same name belong to the same person.
    pub name: Option<String>,
    /// When it expires, in seconds since 1970; `None` if never.
    pub expires: Option<i64>,
    /// The number of bots that can be uploaded with it; `None` if unlimited.
    pub uses: Option<u32>,
    /// What its holder may do.
    pub role: TokenRole,
}

/// What the holder of a token may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenRole {
    /// Upload bots.
    #[default]
    Author,
    /// Act as the host.
    Host,
}

impl TokenRole {
    /// The word in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::Host => "host",
        }
    }

    /// The role of a word; a word of a later version gives no right of a host.
    fn named(word: Option<&str>) -> Self {
        if word == Some(Self::Host.name()) { Self::Host } else { Self::Author }
    }
}

/// A token as the store has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredToken {
    /// Its number, from 1.
    pub id: i64,
    /// Its name and limits.
    pub terms: TokenTerms,
    /// When it was created, in seconds since 1970.
    pub made: i64,
    /// The number of bots that were uploaded with it.
    pub used: u32,
    /// When it was revoked, in seconds since 1970; `None` if it was not.
    pub revoked: Option<i64>,
    hash: String,
}

/// Why a token is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// The hill has no such token.
    #[error("this hill has no such token")]
    Unknown,
    /// The host revoked the token.
    #[error("this token was revoked by the hill's host")]
    Revoked,
    /// The token has expired.
    #[error("this token has expired")]
    Expired,
    /// This number of bots was uploaded with the token, and it allows no more.
    #[error("this token is used up: it was valid for {}", counted(*.0, "bot"))]
    UsedUp(u32),
    /// The store cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

impl StoredToken {
    /// Checks that the token can be used at the time `now`, in seconds since 1970.
    ///
    /// # Errors
    /// If it is revoked, expired or used up.
    pub fn check(&self, now: i64) -> Result<(), TokenError> {
        let expires = self.terms.expires;
        if self.revoked.is_some() {
            return Err(TokenError::Revoked);
        }
        if expires.is_some_and(|expires| expires <= now) {
            return Err(TokenError::Expired);
        }
        self.check_uses()
    }

    /// Checks that a further bot may be uploaded with the token.
    ///
    /// # Errors
    /// If it is used up.
    pub fn check_uses(&self) -> Result<(), TokenError> {
        match self.terms.uses.filter(|uses| *uses <= self.used) {
            Some(uses) => Err(TokenError::UsedUp(uses)),
            None => Ok(()),
        }
    }

    /// Whether both tokens belong to the same person.
    #[must_use]
    pub(crate) fn is_same_person(&self, other: &Self) -> bool {
        self.id == other.id || (self.terms.name.is_some() && self.terms.name == other.terms.name)
    }

    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let name = row.get("name")?;
        let role: Option<String> = database::since_version_5(row, "role")?;
        let terms = TokenTerms {
            name,
            expires: row.get("expires")?,
            uses: row.get("uses")?,
            role: TokenRole::named(role.as_deref()),
        };
        Ok(Self {
            id: row.get("id")?,
            terms,
            made: row.get("made")?,
            used: row.get("used")?,
            revoked: row.get("revoked")?,
            hash: row.get("hash")?,
        })
    }
}

impl EntryStore {
    /// Stores a token and returns its number.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn add_token(&mut self, token: &SecretToken, terms: &TokenTerms) -> Result<i64, FileError> {
        insert(&self.database, token, terms).map_err(self.to_file_error())
    }

    /// Stores all of these tokens, or none.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn add_tokens(&mut self, tokens: &[(SecretToken, TokenTerms)]) -> Result<(), FileError> {
        let path = self.path.clone();
        let mut add = || -> rusqlite::Result<()> {
            let transaction = self.begin()?;
            for (token, terms) in tokens {
                insert(&transaction, token, terms)?;
            }
            transaction.commit()
        };
        add().map_err(|error| database::error(&path, &error))
    }

    /// All tokens, oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn tokens(&self) -> Result<Vec<StoredToken>, FileError> {
        let tokens = || -> rusqlite::Result<Vec<StoredToken>> {
            let mut statement = self.database.prepare("SELECT * FROM token ORDER BY id")?;
            statement.query_map([], StoredToken::read)?.collect()
        };
        tokens().map_err(self.to_file_error())
    }

    /// Revokes the token with this number.
    ///
    /// # Errors
    /// If there is no such token.
    pub fn revoke(&mut self, id: i64) -> Result<(), FileError> {
        let done = self.database.execute(
            "UPDATE token SET revoked = coalesce(revoked, ?1) WHERE id = ?2",
            params![database::now(), id],
        );
        match done.map_err(self.to_file_error())? {
            0 => Err(FileError::new(&self.path, format!("has no token {id}"))),
            _ => Ok(()),
        }
    }

    /// The stored token for a secret, if it can be used now.
    ///
    /// # Errors
    /// If it is unknown, revoked, expired or used up, or the store cannot be read.
    pub fn token(&self, secret: &SecretToken) -> Result<StoredToken, TokenError> {
        let token = self.holder(secret)?;
        token.check_uses()?;
        Ok(token)
    }

    /// The stored token for a secret, even if it is used up.
    ///
    /// # Errors
    /// If it is unknown, revoked or expired, or the store cannot be read.
    pub fn holder(&self, secret: &SecretToken) -> Result<StoredToken, TokenError> {
        let hash = secret.hash();
        let token = self.database.query_row(
            "SELECT * FROM token WHERE hash = ?1",
            [&hash],
            StoredToken::read,
        );
        let token = token.optional().map_err(self.to_file_error())?;
        // The index compares in variable time, but only hashes of secrets that cannot be guessed.
        let has_hash =
            |token: &StoredToken| bool::from(token.hash.as_bytes().ct_eq(hash.as_bytes()));
        let token = token.filter(has_hash).ok_or(TokenError::Unknown)?;
        match token.check(database::now()) {
            Ok(()) | Err(TokenError::UsedUp(_)) => Ok(token),
            Err(error) => Err(error),
        }
    }
}

fn insert(database: &Connection, token: &SecretToken, terms: &TokenTerms) -> rusqlite::Result<i64> {
    let TokenTerms { name, expires, uses, role } = terms;
    database.execute(
        "INSERT INTO token (name, hash, made, expires, uses, role) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![name, token.hash(), database::now(), expires, uses, role.name()],
    )?;
    Ok(database.last_insert_rowid())
}
