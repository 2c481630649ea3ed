//! The keys by which a hill file gives one bot terms of its own.

use std::ops::Range;

use dicehill_arena::OwnTerms;
use toml::Spanned;

use super::limits::own_limits;
use super::raw::{RawBot, RawOwnLimits};
use super::text::ErrorAt;
use crate::FileError;

/// The most secrets of a bot.
const MAX_SECRETS: usize = 32;

/// The keys of a bot's table that only a hill file may have, besides `read` and `votes`, and where they are.
pub(super) fn given_keys(raw: &RawBot) -> impl Iterator<Item = (&'static str, Range<usize>)> {
    let keys = [
        ("network", raw.network.as_ref().map(Spanned::span)),
        ("secrets", raw.secrets.as_ref().map(Spanned::span)),
        ("limits", raw.limits.as_ref().map(Spanned::span)),
        ("deterministic", raw.deterministic.as_ref().map(Spanned::span)),
    ];
    keys.into_iter().filter_map(|(key, span)| Some((key, span?)))
}

/// The terms that a bot's table gives it.
pub(super) fn own_terms(raw: &RawBot, at: &ErrorAt<'_>) -> Result<OwnTerms, FileError> {
    let is = |value: &Option<Spanned<bool>>, usual| value.as_ref().map_or(usual, |v| *v.get_ref());
    let limits = raw.limits.as_ref().map_or(&RawOwnLimits::DEFAULT, Spanned::get_ref);
    Ok(OwnTerms {
        network: is(&raw.network, false),
        secrets: raw.secrets.as_ref().map_or(Ok(Vec::new()), |names| secrets(names, at))?,
        limits: own_limits(limits, at)?,
        remote: false,
        deterministic: is(&raw.deterministic, true),
    })
}

/// The names of environment variables, each once.
fn secrets(names: &Spanned<Vec<String>>, at: &ErrorAt<'_>) -> Result<Vec<String>, FileError> {
    let refuse = |why: String| Err(at(names.span(), why));
    let list = names.get_ref();
    if list.len() > MAX_SECRETS {
        return refuse(format!(
            "secrets: {} names, but at most {MAX_SECRETS} are allowed",
            list.len()
        ));
    }
    for (index, name) in list.iter().enumerate() {
        if !is_variable(name) {
            return refuse(format!("secrets: {name:?} is not the name of an environment variable"));
        }
        if list[..index].contains(name) {
            return refuse(format!("secrets: {name:?} is named twice"));
        }
    }
    Ok(list.clone())
}

/// Whether this can be the name of an environment variable: letters, digits and underscores, no digit first.
fn is_variable(name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.len() <= 256
        && name.chars().all(is_word)
        && name.chars().next().is_some_and(|first| !first.is_ascii_digit())
}
