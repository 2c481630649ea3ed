//! `dicehill token`: tokens with which bots can be uploaded to a hill.

mod class;
mod known;

use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use dicehill_arena::BotName;
use dicehill_store::{EntryStore, SecretToken, StoredToken, TokenError, TokenRole, TokenTerms};

use self::known::token_of;
use super::hill::host::at_terminal;
use crate::args::{TokenCommand, TokenNewArgs};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::layout::{Column, Table};
use crate::seed;
use crate::text::{counted, date, printable};

/// The seconds of a day.
const DAY: i64 = 24 * 60 * 60;

pub(crate) fn token(command: &TokenCommand, console: &Console) -> Result<Outcome, Failure> {
    match command {
        TokenCommand::New(args) => new(args, console),
        TokenCommand::List { hill } => list(hill, console),
        TokenCommand::Revoke { hill, tokens } => revoke(hill, tokens, console),
    }
}

/// Only the token goes to stdout, so that it can be piped.
fn new(args: &TokenNewArgs, console: &Console) -> Result<Outcome, Failure> {
    let TokenNewArgs { hill, name, uses, days, from, host } = args;
    if let Some(from) = from {
        let expires = days.map(|days| now() + i64::from(days) * DAY);
        return class::new_for_class(args, from, expires, console);
    }
    // A name is printed in lists, like names of bots, and has to meet the same rules.
    let checked = name.as_deref().map(BotName::new).transpose();
    let name = checked.map_err(|error| {
        Failure::Usage(format!("--name: the name {:?} {}", error.name, error.fault))
    })?;
    let expires = days.map(|days| now() + i64::from(days) * DAY);
    let role = if *host { TokenRole::Host } else { TokenRole::Author };
    let name = name.map(|name| name.to_string());
    let terms = TokenTerms { name, expires, uses: *uses, role };
    let token = SecretToken::new(seed::random()?);
    let mut store = EntryStore::open(hill)?;
    let known = store.tokens()?;
    // A host uploads nothing.
    let author = terms.name.as_deref().filter(|_| role == TokenRole::Author);
    let previous = token_of(&known, author).map(|token| token.id);
    let id = store.add_token(&token, &terms)?;
    let extent = extent(&terms);
    let detail = match extent.strip_prefix(", ") {
        Some(extent) => format!("({extent})"),
        None => String::new(),
    };
    store.log_action(&at_terminal(), ["new", &format!("token {id}"), &detail])?;
    writeln!(console.out(), "{}", token.reveal())?;
    console.report(format!("token {id}{extent}; it is not shown again"));
    if let Some(previous) = previous {
        console.report(format!(
            "it belongs to the same author as token {previous}: its holder sees that author's entries, and can upload new versions of its bots"
        ));
    }
    Ok(Outcome::Done)
}

fn list(path: &Path, console: &Console) -> Result<Outcome, Failure> {
    let store = EntryStore::open_to_read(path)?;
    store.check_lists()?;
    let tokens = store.tokens()?;
    if tokens.is_empty() {
        console.report("no tokens yet; `dicehill token new` makes one");
    }
    let columns = vec![
        Column::number("token"),
        Column::name("name"),
        Column::name("role"),
        Column::name("state"),
        Column::name("bots uploaded"),
        Column::name("until").priority(2),
        Column::name("made").priority(1),
    ];
    Table::write_list(columns, tokens.iter().map(cells).collect(), &mut console.out())?;
    Ok(Outcome::Done)
}

/// The row of a token in the list.
fn cells(token: &StoredToken) -> Vec<String> {
    let StoredToken { id, made, used, terms, .. } = token;
    let TokenTerms { name, expires, uses, role } = terms;
    let role = match role {
        TokenRole::Author => "author",
        TokenRole::Host => "host",
    };
    let state = match token.check(now()) {
        Ok(()) => "open".to_owned(),
        Err(TokenError::Revoked) => "revoked".to_owned(),
        Err(TokenError::Expired) => "expired".to_owned(),
        Err(TokenError::UsedUp(_)) => "used up".to_owned(),
        Err(error @ (TokenError::Unknown | TokenError::File(_))) => error.to_string(),
    };
    let none = || "-".to_owned();
    let name = name.as_deref().map_or_else(none, printable);
    let uploaded = uses.map_or_else(|| used.to_string(), |uses| format!("{used} of {uses}"));
    let until = expires.map_or_else(none, date);
    vec![id.to_string(), name, role.to_owned(), state, uploaded, until, date(*made)]
}

fn revoke(path: &Path, tokens: &[i64], console: &Console) -> Result<Outcome, Failure> {
    let mut book = EntryStore::open(path)?;
    for id in tokens {
        book.revoke(*id)?;
        book.log_action(&at_terminal(), ["revoke", &format!("token {id}"), ""])?;
        console.report(format!("token {id} is revoked; the bots uploaded with it stay"));
    }
    Ok(Outcome::Done)
}

/// The name, the number of uses and the expiry of a token.
fn extent(terms: &TokenTerms) -> String {
    let TokenTerms { name, expires, uses, role } = terms;
    let role = match role {
        TokenRole::Author => None,
        TokenRole::Host => Some(", a host's".to_owned()),
    };
    let name = name.as_ref().map(|name| format!(", for {}", printable(name)));
    let uses = uses.map(|uses| format!(", {} in all", counted(uses, "bot")));
    let until = expires.map(|expires| format!(", until {}", date(expires)));
    [role, name, uses, until].into_iter().flatten().collect()
}

/// Seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs().cast_signed())
}
