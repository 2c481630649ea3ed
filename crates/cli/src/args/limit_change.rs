//! A limit and its new value, as `dicehill hill set` takes them.

use std::str::FromStr;

use dicehill_arena::LimitKey;
use dicehill_store::did_you_mean;

/// The value that stands for the default.
pub(super) const DEFAULT: &str = "default";

/// A limit and its new value, `KEY=VALUE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LimitChange {
    pub(crate) key: LimitKey,
    /// `None` for the default.
    pub(crate) value: Option<u64>,
}

impl FromStr for LimitChange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (key, value) = text.split_once('=').unwrap_or((text, ""));
        let key = key.parse::<LimitKey>().map_err(|error| {
            format!("{error}{}", did_you_mean(key, LimitKey::ALL.map(LimitKey::name)))
        })?;
        let is_number = |text: &str| format!("{text:?} is neither a number nor `{DEFAULT}`");
        let value = match value {
            DEFAULT => None,
            number => Some(number.parse().map_err(|_| is_number(number))?),
        };
        Ok(Self { key, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<(LimitKey, Option<u64>), &str>) {
        let expected = expected.map(|(key, value)| LimitChange { key, value });
        assert_eq!(text.parse(), expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn a_change_is_a_key_and_a_value() {
        check("game_ms=20000", Ok((LimitKey::GameMs, Some(20_000))));
        check("run_ms=default", Ok((LimitKey::RunMs, None)));
        check("gamems=1", Err("no such limit: \"gamems\"; did you mean \"game_ms\"?"));
        check("rounds=1", Err("no such limit: \"rounds\""));
        check("run_ms", Err("\"\" is neither a number nor `default`"));
        check("run_ms=-1", Err("\"-1\" is neither a number nor `default`"));
    }
}
