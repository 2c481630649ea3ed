//! A setting and its new value, as `dicehill hill set` takes them.

use std::str::FromStr;

use dicehill_arena::LimitKey;
use dicehill_store::{EntryKey, EntryTerms, did_you_mean};

use super::limit_change::{DEFAULT, LimitChange};

/// What a hill keeps from its start, because the games of different runs could not be compared otherwise.
const FIXED: [&str; 7] = ["game", "rules", "format", "seats", "challenger", "games", "memory"];

/// A setting of a hill and its new value, `KEY=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SettingChange {
    Limit(LimitChange),
    /// A setting for entries, whose value has been checked; `None` for the default.
    Entry(EntryKey, Option<String>),
}

impl FromStr for SettingChange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Hill files have these settings in tables.
        let in_table = ["limits.", "entries."].iter().find_map(|table| text.strip_prefix(table));
        let text = in_table.unwrap_or(text);
        let (key, value) = text.split_once('=').unwrap_or((text, ""));
        if FIXED.contains(&key) {
            return Err(format!(
                "{key:?} stays as it was when the hill was made; `dicehill hill init` makes another hill"
            ));
        }
        let is_known = key.parse::<EntryKey>().is_ok() || key.parse::<LimitKey>().is_ok();
        if is_known && !text.contains('=') {
            return Err(format!("has no value; write {key}=VALUE, or {key}={DEFAULT}"));
        }
        let Ok(entry) = key.parse::<EntryKey>() else {
            if let Some(name) = key.strip_prefix("environment.") {
                let written = format!("\"environments={name}=/PATH\"");
                return Err(format!("no such setting: {key:?}; did you mean {written}?"));
            }
            if key.parse::<LimitKey>().is_err() {
                let names = LimitKey::ALL.map(LimitKey::name).into_iter();
                let names = names.chain(EntryKey::ALL.map(EntryKey::name));
                return Err(format!("no such setting: {key:?}{}", did_you_mean(key, names)));
            }
            return text.parse().map(Self::Limit);
        };
        let value = Some(value).filter(|value| *value != DEFAULT);
        let checked = EntryTerms::default().with_new(entry, value, 0);
        checked.map_err(|error| match value {
            Some("none") => format!("{error}; for none, write {key}={DEFAULT}"),
            Some(_) | None => error.to_string(),
        })?;
        Ok(Self::Entry(entry, value.map(str::to_owned)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<SettingChange, &str>) {
        assert_eq!(text.parse(), expected.map_err(str::to_owned), "{text}");
    }

    fn check_error(text: &str) -> String {
        text.parse::<SettingChange>().expect_err(text)
    }

    #[test]
    fn a_change_is_a_key_and_a_value() {
        let limit = LimitChange { key: LimitKey::RunMs, value: None };
        check("run_ms=default", Ok(SettingChange::Limit(limit)));
        let entry = |value: Option<&str>| {
            Ok(SettingChange::Entry(EntryKey::Schedule, value.map(str::to_owned)))
        };
        check("schedule=daily 20:00 UTC", entry(Some("daily 20:00 UTC")));
        check("schedule=default", entry(None));
        check("entries.schedule=default", entry(None));
        let none = check_error("schedule=none");
        assert!(none.ends_with("; for none, write schedule=default"), "{none}");
        check("schedule", Err("has no value; write schedule=VALUE, or schedule=default"));
        check("run_ms", Err("has no value; write run_ms=VALUE, or run_ms=default"));
        check("shedule=x", Err("no such setting: \"shedule\"; did you mean \"schedule\"?"));
        check("author_bots=0", Err("author_bots = \"0\": must be 1 to 10,000"));
        let fixed = "\"games\" stays as it was when the hill was made; `dicehill hill init` makes another hill";
        check("games=500", Err(fixed));
        check("games", Err(fixed));
        let environment =
            "no such setting: \"environment.x\"; did you mean \"environments=x=/PATH\"?";
        check("environment.x=/opt", Err(environment));
        let skipped = "closes = \"2026-03-29 02:30 Europe/Berlin\": the clocks of this time zone skip this time when summer time begins; use a time an hour later";
        check("closes=2026-03-29 02:30 Europe/Berlin", Err(skipped));
        let far = "opens = \"0000-01-01 10:00\": the year must be 2000 to 2199";
        check("opens=0000-01-01 10:00", Err(far));
        check("limits.run_ms=x", Err("\"x\" is neither a number nor `default`"));
        check("run_ms=x", Err("\"x\" is neither a number nor `default`"));
    }
}
