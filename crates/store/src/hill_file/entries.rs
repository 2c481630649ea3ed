//! The table `[entries]` of a hill file.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;

use super::raw::{RawEntries, RawEnvironment};
use crate::{EntryKey, EntryTerms, FileError};

/// The terms in the table; `at` makes an error at a place in the file.
///
/// # Errors
/// If a value is not valid.
pub(super) fn entry_terms(
    raw: &RawEntries,
    environments: &BTreeMap<String, Spanned<RawEnvironment>>,
    at: &dyn Fn(Range<usize>, String) -> FileError,
) -> Result<EntryTerms, FileError> {
    let text = |value: &Option<Spanned<String>>| {
        value.as_ref().map(|value| (value.get_ref().clone(), value.span()))
    };
    let number = |value: &Option<Spanned<i64>>| {
        value.as_ref().map(|value| (value.get_ref().to_string(), value.span()))
    };
    let mut terms = EntryTerms::default();
    for key in EntryKey::ALL {
        let value = match key {
            EntryKey::Schedule => text(&raw.schedule),
            EntryKey::Opens => text(&raw.opens),
            EntryKey::Closes => text(&raw.closes),
            EntryKey::Approval => text(&raw.approval),
            EntryKey::ApprovalWords => {
                raw.approval_words.as_ref().map(|words| (words.get_ref().join(","), words.span()))
            }
            EntryKey::AuthorBots => number(&raw.author_bots),
            EntryKey::AuthorWaiting => number(&raw.author_waiting),
            EntryKey::AuthorDaily => number(&raw.author_daily),
            EntryKey::Reports => text(&raw.reports),
            EntryKey::Remote => text(&raw.remote),
            EntryKey::Environments => {
                let first = environments.values().next().map(Spanned::span);
                first.map(|span| (text_of(environments), span))
            }
            EntryKey::Message => text(&raw.message),
        };
        if let Some((value, span)) = value {
            let changed = terms.with_new(key, Some(&value), 0);
            terms = changed.map_err(|error| at(span, error.to_string()))?;
        }
    }
    Ok(terms)
}

/// The environments as the setting has them.
fn text_of(environments: &BTreeMap<String, Spanned<RawEnvironment>>) -> String {
    let one = |(name, environment): (&String, &Spanned<RawEnvironment>)| {
        format!("{name}={}", environment.get_ref().read.join(":"))
    };
    environments.iter().map(one).collect::<Vec<_>>().join(",")
}
