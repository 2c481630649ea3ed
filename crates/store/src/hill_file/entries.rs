//! The table `[entries]` of a hill file.

use std::ops::Range;

use toml::Spanned;

use super::raw::RawEntries;
use crate::{EntryKey, EntryTerms, FileError};

/// The terms in the table; `at` makes an error at a place in the file.
///
/// # Errors
/// If a value is not valid.
pub(super) fn entry_terms(
    raw: &RawEntries,
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
            EntryKey::Message => text(&raw.message),
        };
        if let Some((value, span)) = value {
            let changed = terms.with(key, Some(&value), 0);
            terms = changed.map_err(|error| at(span, error.to_string()))?;
        }
    }
    Ok(terms)
}
