//! The keys of a recorded result document and of a game's line that a check compares itself.

use std::io::Read;

use dicehill_arena::{Commitment, RecordsHash, StatisticsVersion};
use dicehill_rules::Secret;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::{FileError, RecordedRun};

impl RecordedRun {
    /// The hash over the records of all games that count, as the result document has it or, if there is none to be read,
    /// computed again.
    ///
    /// # Errors
    /// If the games cannot be read.
    pub fn records_hash(&self) -> Result<String, FileError> {
        if let Some(recorded) = self.result_reader().map(records_of).filter(|text| !text.is_empty())
        {
            return Ok(recorded);
        }
        let mut records = RecordsHash::default();
        self.each_game(|game| {
            records.add(&game.line);
            Ok::<(), FileError>(())
        })?;
        Ok(records.finish())
    }
}

/// The hash over all records in a result document; empty if it has none.
pub(super) fn records_of(result: impl Read) -> String {
    RecordedResult::read(result).records.text().unwrap_or_default().to_owned()
}

/// The version of the statistics in a result document; the current one if it names none that is known.
pub(super) fn statistics_of(result: impl Read) -> StatisticsVersion {
    #[derive(Deserialize)]
    struct RecordedVersion {
        #[serde(default)]
        statistics: Value,
    }
    match serde_json::from_reader(result) {
        Ok(RecordedVersion { statistics: Value::Null }) => StatisticsVersion::First,
        Ok(RecordedVersion { statistics }) => {
            StatisticsVersion::deserialize(statistics).unwrap_or_default()
        }
        Err(_) => StatisticsVersion::default(),
    }
}

/// The commitment that a result document reveals.
pub(super) fn revealed_by(result: impl Read) -> Option<Commitment> {
    let RecordedResult { secret, nonce, public_text, .. } = RecordedResult::read(result);
    let secret = Secret::from_hex(secret.text()?, nonce.text()?)?;
    Some(Commitment { secret, public_text: public_text.text().map(str::to_owned) })
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RecordedResult {
    records: AlterableText,
    secret: AlterableText,
    nonce: AlterableText,
    public_text: AlterableText,
}

impl RecordedResult {
    /// Reads a document; an unreadable one has no values.
    fn read(result: impl Read) -> Self {
        serde_json::from_reader(result).unwrap_or_default()
    }
}

/// A text. An altered record may have a value of another type in its place, which must not hide the other values.
#[derive(Deserialize)]
#[serde(untagged)]
enum AlterableText {
    Text(String),
    Other(IgnoredAny),
}

impl AlterableText {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Other(_) => None,
        }
    }
}

impl Default for AlterableText {
    fn default() -> Self {
        Self::Other(IgnoredAny)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_another_type_reads_as_missing() {
        assert_eq!(
            records_of(&br#"{"secret":[{}],"nonce":null,"records":"blake3:0"}"#[..]),
            "blake3:0"
        );
        for result in ["", "[]", "{}", r#"{"records":7}"#, r#"{"records":null}"#] {
            assert_eq!(records_of(result.as_bytes()), "", "{result}");
        }
    }

    #[test]
    fn a_commitment_needs_a_secret_and_a_nonce() {
        let result = |nonce: &str, text: &str| {
            let secret = "00".repeat(32);
            format!(r#"{{"secret":"{secret}","nonce":{nonce},"public_text":{text}}}"#)
        };
        let nonce = format!("{:?}", "11".repeat(16));
        let text_of =
            |text| revealed_by(result(&nonce, text).as_bytes()).map(|known| known.public_text);
        assert_eq!(text_of("\"news\""), Some(Some("news".to_owned())));
        assert_eq!((text_of("null"), text_of("7")), (Some(None), Some(None)));
        assert!(revealed_by(result("1", "\"news\"").as_bytes()).is_none());
    }
}
