//! The keys of a recorded result document and of a game's line that a check compares itself.

use dicehill_arena::Commitment;
use dicehill_rules::Secret;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The hash over all records in a result document; empty if it has none.
pub(super) fn records_of(result: &str) -> String {
    RecordedResult::read(result).records.text().unwrap_or_default().to_owned()
}

/// The commitment that a result document reveals.
pub(super) fn revealed_by(result: &str) -> Option<Commitment> {
    let RecordedResult { secret, nonce, public_text, .. } = RecordedResult::read(result);
    let secret = Secret::from_hex(secret.text()?, nonce.text()?)?;
    Some(Commitment { secret, public_text: public_text.text().map(str::to_owned) })
}

/// Whether a game's line has a failure with this reason and detail.
pub(super) fn has_failure(line: &str, reason: &str, detail: &str) -> bool {
    let line: RecordedFailures = serde_json::from_str(line).unwrap_or_default();
    line.failures.iter().any(|failure| {
        failure.reason.text() == Some(reason) && failure.detail.text() == Some(detail)
    })
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
    fn read(result: &str) -> Self {
        serde_json::from_str(result).unwrap_or_default()
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RecordedFailures {
    failures: Vec<RecordedFailure>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RecordedFailure {
    reason: AlterableText,
    detail: AlterableText,
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
        assert_eq!(records_of(r#"{"secret":[{}],"nonce":null,"records":"blake3:0"}"#), "blake3:0");
        for result in ["", "[]", "{}", r#"{"records":7}"#, r#"{"records":null}"#] {
            assert_eq!(records_of(result), "", "{result}");
        }
        let failures = r#"{"failures":[{"reason":1,"detail":"d"},{"reason":"r","detail":"d"}]}"#;
        assert!(has_failure(failures, "r", "d") && !has_failure(failures, "r", "e"));
        assert!(!has_failure(r#"{"failures":"r"}"#, "r", "d"));
    }

    #[test]
    fn a_commitment_needs_a_secret_and_a_nonce() {
        let result = |nonce: &str, text: &str| {
            let secret = "00".repeat(32);
            format!(r#"{{"secret":"{secret}","nonce":{nonce},"public_text":{text}}}"#)
        };
        let nonce = format!("{:?}", "11".repeat(16));
        let text_of = |text| revealed_by(&result(&nonce, text)).map(|known| known.public_text);
        assert_eq!(text_of("\"news\""), Some(Some("news".to_owned())));
        assert_eq!((text_of("null"), text_of("7")), (Some(None), Some(None)));
        assert!(revealed_by(&result("1", "\"news\"")).is_none());
    }
}
