//! Tokens for a class: one for each row of a list.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use dicehill_arena::{BotName, printable};
use dicehill_store::{
    EntryStore, FileError, SecretToken, StoredToken, TokenRole, TokenTerms, command_word,
    did_you_mean,
};

use super::known::token_of;
use crate::args::TokenNewArgs;
use crate::commands::hill::host::at_terminal;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::seed;
use crate::text::{counted, spreadsheet_cell};

/// The most rows of a list.
const MAX_ROWS: usize = 1_000;
/// The most bytes of a list.
const MAX_BYTES: u64 = 1 << 20;

/// A row of a list.
#[derive(Debug, PartialEq, Eq)]
struct Pupil {
    /// Its line, from 1.
    line: usize,
    name: String,
    /// The name that the hill stores.
    stored: BotName,
}

/// A list.
struct Class {
    pupils: Vec<Pupil>,
    /// The titles of columns that are neither names nor pseudonyms.
    unused: Vec<String>,
}

/// Makes a token for each row of a list, valid until `expires` in seconds since 1970, and prints names, stored names and tokens as CSV.
pub(super) fn new_for_class(
    args: &TokenNewArgs,
    from: &Path,
    expires: Option<i64>,
    console: &Console,
) -> Result<Outcome, Failure> {
    let Class { pupils, unused } = read_class(from)?;
    if !unused.is_empty() {
        let (file, unused) = (from.display(), unused.join(", "));
        console.report(format!("{file}: not used, and not stored: {unused}"));
    }
    if pupils.is_empty() {
        let message = "has no students: each line after the first is one";
        return Err(FileError::new(from, message).into());
    }
    let mut store = EntryStore::open(&args.hill)?;
    refuse_known(&pupils, &store.tokens()?, args, from)?;
    let token = |Pupil { stored, .. }: &Pupil| -> Result<_, Failure> {
        let (name, role) = (Some(stored.to_string()), TokenRole::Author);
        let terms = TokenTerms { name, expires, uses: args.uses, role };
        Ok((SecretToken::new(seed::random()?), terms))
    };
    let tokens = pupils.iter().map(token).collect::<Result<Vec<_>, _>>()?;
    store.add_tokens(&tokens)?;
    write_table(&pupils, &tokens, console).map_err(std::io::Error::other)?;
    let made = counted(pupils.len() as u64, "token");
    let file = from.display().to_string();
    store.log_action(&at_terminal(), ["new", &made, &format!("from {file}")])?;
    let they_are = if pupils.len() == 1 { "it is" } else { "they are" };
    console.report(format!("{made}; {they_are} not shown again"));
    Ok(Outcome::Done)
}

/// Refuses a list with an author of the hill: the holder of a second token would see that author's entries, and could upload new
/// versions of its bots.
fn refuse_known(
    pupils: &[Pupil],
    tokens: &[StoredToken],
    args: &TokenNewArgs,
    from: &Path,
) -> Result<(), FileError> {
    for Pupil { line, stored, .. } in pupils {
        let known = token_of(tokens, Some(stored.as_str()));
        if let Some(known) = known.filter(|token| token.revoked.is_none()) {
            let (number, hill) = (known.id, command_word(&args.hill));
            let message = format!(
                "{:?} already has token {number}; use another name or pseudonym, or first run `dicehill token revoke {hill} {number}`",
                stored.as_str()
            );
            return Err(FileError::at_line(from, *line, message));
        }
    }
    Ok(())
}

/// Prints the tokens. No cell is a formula.
fn write_table(
    pupils: &[Pupil],
    tokens: &[(SecretToken, TokenTerms)],
    console: &Console,
) -> csv::Result<()> {
    let mut table = csv::Writer::from_writer(console.out());
    table.write_record(["name", "pseudonym", "token"])?;
    for (Pupil { name, stored, .. }, (token, _)) in pupils.iter().zip(tokens) {
        let [name, stored] = [name, stored.as_str()].map(spreadsheet_cell);
        table.write_record([&name, &stored, token.reveal()])?;
    }
    Ok(table.flush()?)
}

/// Reads the text of a list.
fn read_text(path: &Path) -> Result<String, FileError> {
    let file = File::open(path).map_err(|error| FileError::not_opened(path, &error))?;
    let mut bytes = Vec::new();
    let read = file.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| FileError::new(path, error))?;
    if bytes.len() as u64 > MAX_BYTES {
        let message = format!(
            "is larger than {} MiB; a list has a line for each student, at most {MAX_ROWS}",
            MAX_BYTES >> 20
        );
        return Err(FileError::new(path, message));
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let message = "is not UTF-8 text: in a spreadsheet, save it as \"CSV UTF-8\"";
        FileError::at_line(path, line, message)
    })
}

/// The line of a quotation mark that begins a cell which nothing ends. The CSV reader would take the rest of the list for it.
fn unterminated_quote(text: &str) -> Option<usize> {
    let (mut line, mut begins_cell, mut quoted_since) = (1, true, None);
    let mut characters = text.strip_prefix('\u{feff}').unwrap_or(text).chars().peekable();
    while let Some(character) = characters.next() {
        line += usize::from(character == '\n');
        match (character, quoted_since) {
            // Two in a quoted cell are one of its characters.
            ('"', Some(_)) if characters.next_if_eq(&'"').is_none() => quoted_since = None,
            ('"', None) if begins_cell => quoted_since = Some(line),
            (_, _) => {}
        }
        begins_cell = quoted_since.is_none() && matches!(character, ',' | '\n' | '\r');
    }
    quoted_since
}

/// The line of a row. The CSV reader places a row before the empty lines that it skips.
fn line_at(text: &str, position: &csv::Position) -> usize {
    let (before, rest) = text.split_at_checked(position.byte() as usize).unwrap_or((text, ""));
    let empty = rest.len() - rest.trim_start_matches('\n').len();
    1 + before.matches('\n').count() + empty
}

/// Reads a list. Nothing is accepted of one with an invalid row.
fn read_class(path: &Path) -> Result<Class, FileError> {
    let failed = |error: csv::Error| FileError::new(path, error);
    // The reader counts a line too few where lines end with both characters.
    let text = read_text(path)?.replace("\r\n", "\n");
    if let Some(line) = unterminated_quote(&text) {
        let message = "a quotation mark has no counterpart; write two for one in a name";
        return Err(FileError::at_line(path, line, message));
    }
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let titles = reader.headers().map_err(failed)?.clone();
    let column = |title: &str| titles.iter().position(|one| one.eq_ignore_ascii_case(title));
    let Some(name_column) = column("name") else {
        let found: String = titles.iter().collect::<Vec<_>>().join(",").chars().take(80).collect();
        let message = format!(
            "{found:?}: the first line must name the columns, separated by commas: name, and optionally pseudonym"
        );
        return Err(FileError::at_line(path, 1, message));
    };
    let pseudonym_column = column("pseudonym");
    if pseudonym_column.is_none() {
        // A misspelt title would show the names themselves.
        let suggestion = |title: &str| did_you_mean(title, ["pseudonym"]);
        if let Some(title) = titles.iter().find(|title| !suggestion(title).is_empty()) {
            let message = format!("unknown column {title:?}{}", suggestion(title));
            return Err(FileError::at_line(path, 1, message));
        }
    }
    let (mut pupils, mut seen) = (Vec::new(), HashSet::new());
    for row in reader.records() {
        let row = row.map_err(|error| {
            let csv::ErrorKind::UnequalLengths { pos: Some(position), expected_len, len } =
                error.kind()
            else {
                return failed(error);
            };
            let remedy = match len < expected_len {
                true => "write a comma before each cell that stays empty",
                false => "put a name with a comma into quotation marks",
            };
            let cells = counted(*len, "cell");
            let message = format!("has {cells}, and the first line has {expected_len}: {remedy}");
            FileError::at_line(path, line_at(&text, position), message)
        })?;
        let line = row.position().map_or(0, |position| line_at(&text, position));
        let at = |message: String| FileError::at_line(path, line, message);
        let cell = |column: usize| row.get(column).filter(|cell| !cell.is_empty());
        let name = cell(name_column).ok_or_else(|| at("has no name".to_owned()))?;
        let stored = pseudonym_column.and_then(cell).unwrap_or(name);
        let stored = BotName::new(stored)
            .map_err(|error| at(format!("{:?} {}", error.name, error.fault)))?;
        if !seen.insert(stored.clone()) {
            return Err(at(format!("{:?} appears twice", stored.as_str())));
        }
        pupils.push(Pupil { line, name: name.to_owned(), stored });
        if pupils.len() > MAX_ROWS {
            return Err(FileError::new(path, format!("has more than {MAX_ROWS} rows")));
        }
    }
    let is_used = |column: usize| column == name_column || Some(column) == pseudonym_column;
    let unused = titles.iter().enumerate().filter(|(column, _)| !is_used(*column));
    Ok(Class { pupils, unused: unused.map(|(_, title)| printable(title)).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_mark_without_counterpart_is_found() {
        for text in
            ["", "a,b\n", "\"a\",\"b\"\"c\"\n", "a\"b\n", "\"\"\n", "\u{feff}\"a\"\n", "a, \"b\n"]
        {
            assert_eq!(unterminated_quote(text), None, "{text:?}");
        }
        for (text, line) in
            [("\"", 1), ("a\n\"b\nc\n", 2), ("a\r\nb,\"c\"\"\n", 2), ("\u{feff}\"a", 1)]
        {
            assert_eq!(unterminated_quote(text), Some(line), "{text:?}");
        }
    }
}
