//! Tokens: who may bring bots, how often, and until when.

use rusqlite::{OptionalExtension, Row, params};
use subtle::ConstantTimeEq;

use super::{EntryBook, SecretToken};
use crate::FileError;
use crate::hill_store::database;

/// What a new token is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenTerms {
    /// Who gets it. Tokens of the same name are the same person's.
    pub name: Option<String>,
    /// Until when it can be used, in seconds since 1970.
    pub expires: Option<i64>,
    /// How many bots it can bring.
    pub uses: Option<u32>,
}

/// A token as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredToken {
    /// Its number, from 1.
    pub id: i64,
    /// What it is for.
    pub terms: TokenTerms,
    /// When it was made, in seconds since 1970.
    pub made: i64,
    /// How many bots it has brought.
    pub used: u32,
    /// When it was revoked, in seconds since 1970.
    pub revoked: Option<i64>,
    hash: String,
}

/// Why a token opens nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// The hill has given out no such token.
    #[error("this hill knows no such token")]
    Unknown,
    /// Its host took it back.
    #[error("this token was revoked by the hill's host")]
    Revoked,
    /// Its time is over.
    #[error("this token has expired")]
    Expired,
    /// It has brought as many bots as it could.
    #[error("this token is used up: it was for {0} bots")]
    UsedUp(u32),
    /// The book cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

impl StoredToken {
    /// Whether it can be used at a time, in seconds since 1970.
    ///
    /// # Errors
    /// Says why not.
    pub fn check(&self, now: i64) -> Result<(), TokenError> {
        let TokenTerms { expires, uses, .. } = self.terms;
        if self.revoked.is_some() {
            return Err(TokenError::Revoked);
        }
        if expires.is_some_and(|expires| expires <= now) {
            return Err(TokenError::Expired);
        }
        match uses.filter(|uses| *uses <= self.used) {
            Some(uses) => Err(TokenError::UsedUp(uses)),
            None => Ok(()),
        }
    }

    /// Whether both are the same person's.
    #[must_use]
    pub fn is_same_person(&self, other: &Self) -> bool {
        self.id == other.id || (self.terms.name.is_some() && self.terms.name == other.terms.name)
    }

    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let name = row.get("name")?;
        let terms = TokenTerms { name, expires: row.get("expires")?, uses: row.get("uses")? };
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

impl EntryBook {
    /// Keeps a token; gives its number.
    ///
    /// # Errors
    /// If the book cannot be written.
    pub fn add_token(&mut self, token: &SecretToken, terms: &TokenTerms) -> Result<i64, FileError> {
        let TokenTerms { name, expires, uses } = terms;
        let added = self.database.execute(
            "INSERT INTO token (name, hash, made, expires, uses) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![name, token.hash(), database::now(), expires, uses],
        );
        added.map(|_| self.database.last_insert_rowid()).map_err(self.named())
    }

    /// All tokens, oldest first.
    ///
    /// # Errors
    /// If the book cannot be read.
    pub fn tokens(&self) -> Result<Vec<StoredToken>, FileError> {
        let tokens = || -> rusqlite::Result<Vec<StoredToken>> {
            let mut statement = self.database.prepare("SELECT * FROM token ORDER BY id")?;
            statement.query_map([], StoredToken::read)?.collect()
        };
        tokens().map_err(self.named())
    }

    /// Takes a token back, by its number.
    ///
    /// # Errors
    /// If there is no such token.
    pub fn revoke(&mut self, id: i64) -> Result<(), FileError> {
        let done = self.database.execute(
            "UPDATE token SET revoked = coalesce(revoked, ?1) WHERE id = ?2",
            params![database::now(), id],
        );
        match done.map_err(self.named())? {
            0 => Err(FileError::new(&self.path, format!("has given out no token {id}"))),
            _ => Ok(()),
        }
    }

    /// The token that somebody has shown, if it can be used now.
    ///
    /// # Errors
    /// Says why it cannot.
    pub fn token(&self, shown: &SecretToken) -> Result<StoredToken, TokenError> {
        let hash = shown.hash();
        let token = self.database.query_row(
            "SELECT * FROM token WHERE hash = ?1",
            [&hash],
            StoredToken::read,
        );
        let token = token.optional().map_err(self.named())?;
        // The index compares as fast as it can, though of a hash of what nobody can guess.
        let is_same =
            |token: &StoredToken| bool::from(token.hash.as_bytes().ct_eq(hash.as_bytes()));
        let token = token.filter(is_same).ok_or(TokenError::Unknown)?;
        token.check(database::now())?;
        Ok(token)
    }
}
