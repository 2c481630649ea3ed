//! Tokens for a class: one for each row of a list.

use std::collections::HashSet;
use std::path::Path;

use dicehill_arena::BotName;
use dicehill_store::{EntryStore, FileError, SecretToken, TokenRole, TokenTerms};

use crate::args::TokenNewArgs;
use crate::commands::hill::host::at_terminal;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::seed;
use crate::text::counted;

/// The most rows of a list.
const MAX_ROWS: usize = 1_000;

/// A row of a list.
#[derive(Debug, PartialEq, Eq)]
struct Pupil {
    name: String,
    /// The name that the hill stores.
    stored: BotName,
}

/// Makes a token for each row of a list, valid until `expires` in seconds since 1970, and prints names, stored names and tokens as CSV.
pub(super) fn new_for_class(
    args: &TokenNewArgs,
    from: &Path,
    expires: Option<i64>,
    console: &Console,
) -> Result<Outcome, Failure> {
    let pupils = read_class(from)?;
    let mut store = EntryStore::open(&args.hill)?;
    let failed = |error: csv::Error| Failure::Failed(std::io::Error::other(error));
    let mut table = csv::Writer::from_writer(console.out());
    table.write_record(["name", "pseudonym", "token"]).map_err(failed)?;
    for Pupil { name, stored } in &pupils {
        let token = SecretToken::new(seed::random()?);
        let stored = stored.to_string();
        let terms = TokenTerms {
            name: Some(stored.clone()),
            expires,
            uses: args.uses,
            role: TokenRole::Author,
        };
        store.add_token(&token, &terms)?;
        table.write_record([name, &stored, token.reveal()]).map_err(failed)?;
    }
    table.flush().map_err(Failure::Failed)?;
    let made = counted(pupils.len() as u64, "token");
    let file = from.display().to_string();
    store.log_action(&at_terminal(), ["new", &made, &format!("from {file}")])?;
    console.report(format!("{made}; they are not shown again"));
    Ok(Outcome::Done)
}

/// Reads a list. Nothing is accepted of one with an invalid row.
fn read_class(path: &Path) -> Result<Vec<Pupil>, FileError> {
    let failed = |error: csv::Error| FileError::new(path, error);
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(path).map_err(failed)?;
    let titles = reader.headers().map_err(failed)?.clone();
    let column = |title: &str| titles.iter().position(|one| one.eq_ignore_ascii_case(title));
    let Some(name_column) = column("name") else {
        let message = "its first line must name its columns: name, and optionally pseudonym";
        return Err(FileError::new(path, message));
    };
    let pseudonym_column = column("pseudonym");
    let (mut pupils, mut seen) = (Vec::new(), HashSet::new());
    for row in reader.records() {
        let row = row.map_err(failed)?;
        let line = row.position().map_or(0, |position| position.line() as usize);
        let at = |message: String| FileError::at_line(path, line, message);
        let cell = |column: usize| row.get(column).filter(|cell| !cell.is_empty());
        let name = cell(name_column).ok_or_else(|| at("has no name".to_owned()))?;
        let stored = pseudonym_column.and_then(cell).unwrap_or(name);
        let stored = BotName::new(stored)
            .map_err(|error| at(format!("{:?} {}", error.name, error.fault)))?;
        if !seen.insert(stored.clone()) {
            return Err(at(format!("{:?} appears twice", stored.as_str())));
        }
        pupils.push(Pupil { name: name.to_owned(), stored });
        if pupils.len() > MAX_ROWS {
            return Err(FileError::new(path, format!("has more than {MAX_ROWS} rows")));
        }
    }
    Ok(pupils)
}
