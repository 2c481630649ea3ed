//! The secrets of committed runs. Their hashes are published before the entrants are known; each is used in one run.

use dicehill_arena::Commitment;
use dicehill_rules::Secret;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::FileError;
use crate::hill_store::{HillStore, database};

/// A commitment that no run has used yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedCommitment {
    /// The hash that is published.
    pub published: String,
    /// When the secret was drawn, in seconds since 1970.
    pub made: i64,
    /// The secret.
    pub secret: Secret,
}

/// A row of the table before its secret is checked.
struct CommitmentRow {
    published: String,
    secret: String,
    nonce: String,
    made: i64,
    public_text: Option<String>,
}

impl HillStore {
    /// The commitment that the next committed run uses; `None` if there is none.
    ///
    /// # Errors
    /// If the store cannot be read, or the secret was altered.
    pub fn unused_commitment(&self) -> Result<Option<UnusedCommitment>, FileError> {
        let raw =
            read_row(&self.database, "SELECT * FROM commitment WHERE run IS NULL ORDER BY id", []);
        let Some(raw) = raw.map_err(self.to_file_error())? else { return Ok(None) };
        let secret = self.secret(&raw)?;
        Ok(Some(UnusedCommitment { published: raw.published, made: raw.made, secret }))
    }

    /// The commitment of a run; `None` if the run is not committed.
    ///
    /// # Errors
    /// If the store cannot be read, or the secret was altered.
    pub fn commitment_of(&self, run: i64) -> Result<Option<Commitment>, FileError> {
        let raw = read_row(&self.database, "SELECT * FROM commitment WHERE run = ?1", [run]);
        let Some(raw) = raw.map_err(self.to_file_error())? else { return Ok(None) };
        let secret = self.secret(&raw)?;
        Ok(Some(Commitment { secret, public_text: raw.public_text }))
    }

    fn secret(&self, raw: &CommitmentRow) -> Result<Secret, FileError> {
        let secret = Secret::from_hex(&raw.secret, &raw.nonce)
            .filter(|secret| secret.commitment() == raw.published);
        let altered = || {
            let message = format!("the secret of the commitment {} was altered", raw.published);
            FileError::altered(&self.path, None, message)
        };
        secret.ok_or_else(altered)
    }

    /// Stores a secret for the next committed run.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn commit(&mut self, secret: &Secret) -> Result<(), FileError> {
        let done = self.database.execute(
            "INSERT INTO commitment (hash, secret, nonce, made) VALUES (?1, ?2, ?3, ?4)",
            params![secret.commitment(), secret.secret_hex(), secret.nonce_hex(), database::now()],
        );
        done.map(drop).map_err(self.to_file_error())
    }
}

fn read_row(
    database: &Connection,
    sql: &str,
    parameters: impl rusqlite::Params,
) -> rusqlite::Result<Option<CommitmentRow>> {
    let raw = |row: &Row<'_>| {
        Ok(CommitmentRow {
            published: row.get("hash")?,
            secret: row.get("secret")?,
            nonce: row.get("nonce")?,
            made: row.get("made")?,
            public_text: row.get("public_text")?,
        })
    };
    database.query_row(sql, parameters, raw).optional()
}

/// Assigns an unused commitment to a run. The caller has begun a transaction. It is an error if a run has it already.
pub(in crate::hill_store) fn use_for(
    database: &Connection,
    run: i64,
    commitment: &Commitment,
) -> rusqlite::Result<()> {
    let rows = database.execute(
        "UPDATE commitment SET run = ?1, public_text = ?2 WHERE hash = ?3 AND run IS NULL",
        params![run, commitment.public_text, commitment.secret.commitment()],
    )?;
    if rows == 1 { Ok(()) } else { Err(rusqlite::Error::StatementChangedRows(rows)) }
}
