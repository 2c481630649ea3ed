//! Keeps the values of secrets out of what a bot writes.
//!
//! A value is replaced as it is written, and with the escapes of JSON, so that it is also absent from what is decoded of a
//! clean line. This is against accidents, such as a traceback with a header in it. A bot that wants to tell a secret can
//! write it in another form.

use std::borrow::Cow;

use super::value_match::ValueMatch;
use crate::secret::Secret;

/// Replaces the values of secrets in a stream of bytes by their names.
pub(super) struct Redactor {
    /// What is replaced, the longest first, and by what.
    replaced: Vec<(Vec<u8>, Vec<u8>)>,
    /// The end of the stream so far, if it may be the beginning of a value.
    held: Vec<u8>,
    /// Whether the last byte that was passed on is a backslash that escapes the next one.
    is_escaping: bool,
}

/// What a text begins with.
enum Beginning<'a> {
    /// A value of this length, and what replaces it.
    Value(usize, &'a [u8]),
    /// What may become a value.
    Incomplete,
    Other,
}

impl Redactor {
    pub(super) fn new(secrets: &[Secret]) -> Self {
        let shown = |secret: &Secret| format!("[secret {}]", secret.name()).into_bytes();
        let mut replaced: Vec<_> = secrets
            .iter()
            .map(|secret| (secret.value().as_bytes().to_vec(), shown(secret)))
            .collect();
        replaced.sort_by_key(|(value, _)| std::cmp::Reverse(value.len()));
        Self { replaced, held: Vec::new(), is_escaping: false }
    }

    /// The bytes without values. What may be the beginning of a value is held back until more arrives; at the end of the
    /// stream it is lost.
    pub(super) fn clean<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        if self.replaced.is_empty() {
            return Cow::Borrowed(bytes);
        }
        let mut rest = std::mem::take(&mut self.held);
        rest.extend(bytes);
        let mut clean = Vec::with_capacity(rest.len());
        let mut at = 0;
        while at < rest.len() {
            match self.beginning(&rest[at..]) {
                Beginning::Value(length, shown) => {
                    if self.is_escaping {
                        // An escaped bracket is no JSON.
                        clean.push(b'\\');
                    }
                    clean.extend(shown);
                    self.is_escaping = false;
                    at += length;
                }
                Beginning::Incomplete => break,
                Beginning::Other => {
                    clean.push(rest[at]);
                    self.is_escaping = rest[at] == b'\\' && !self.is_escaping;
                    at += 1;
                }
            }
        }
        self.held = rest.split_off(at);
        Cow::Owned(clean)
    }

    fn beginning(&self, text: &[u8]) -> Beginning<'_> {
        for (value, shown) in &self.replaced {
            match ValueMatch::at_start(text, value) {
                ValueMatch { is_open: true, .. } => return Beginning::Incomplete,
                ValueMatch { length: Some(length), .. } => return Beginning::Value(length, shown),
                ValueMatch { length: None, .. } => {}
            }
        }
        Beginning::Other
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn redactor(secrets: &[(&str, &str)]) -> Redactor {
        let secret = |(name, value): &(&str, &str)| Secret::new(name, value).unwrap();
        Redactor::new(&secrets.iter().map(secret).collect::<Vec<_>>())
    }

    /// What is passed on of a stream that arrives in parts.
    fn cleaned(secrets: &[(&str, &str)], parts: &[&str]) -> String {
        let mut redactor = redactor(secrets);
        let clean = parts.iter().flat_map(|part| redactor.clean(part.as_bytes()).into_owned());
        String::from_utf8(clean.collect()).unwrap()
    }

    #[track_caller]
    fn check(secrets: &[(&str, &str)], parts: &[&str], expected: &str) {
        assert_eq!(cleaned(secrets, parts), expected);
    }

    #[test]
    fn values_are_replaced_wherever_the_stream_is_cut() {
        let secrets =
            [("KEY", "sk-12345678"), ("LONG", "sk-12345678-9"), ("QUOTED", "a\"b\\c/defg")];
        check(&secrets, &["no secret\n"], "no secret\n");
        check(&secrets, &["is sk-12345678.\n"], "is [secret KEY].\n");
        check(&secrets, &["is sk-12345678-9.\n"], "is [secret LONG].\n");
        check(&secrets, &["x s", "k-", "12345678", "-8\n"], "x [secret KEY]-8\n");
        check(&secrets, &["sk-sk-1234567", "8\n"], "sk-[secret KEY]\n");
        check(&secrets, &[r#"{"a":"a\"b\\c/defg"}"#, "\n"], "{\"a\":\"[secret QUOTED]\"}\n");
        check(&secrets, &["s", "k", "\n"], "sk\n");
        check(&[], &["sk-12345678"], "sk-12345678");
    }

    #[test]
    fn values_are_replaced_with_the_escapes_of_every_writer() {
        let secrets = [("KEY", r"sk-a/b\c=="), ("SHORT", "sk-a/b\\c"), ("START", "/=abcdef")];
        check(&secrets, &["'sk-a/b\\\\c=='\n"], "'[secret KEY]'\n");
        check(&secrets, &[r"sk-a\/b\\c=\u003d", "\n"], "[secret KEY]\n");
        check(&secrets, &[r"sk-a/b\\c=\u003e", "\n"], "[secret SHORT]=\\u003e\n");
        check(&secrets, &[r"{\u0073\u006B-a/b\c\u003D=}"], "{[secret KEY]}");
        check(
            &secrets,
            &[r#"{"a":"{\"b\":\"sk-a\\/b\\\\c\\u003d=\"}"}"#],
            r#"{"a":"{\"b\":\"[secret KEY]\"}"}"#,
        );
        // A pair of backslashes stays one.
        check(&secrets, &[r#""x\/=abcdef""#], r#""x[secret START]""#);
        check(&secrets, &[r#""\\\\\\\\\\/=abcdef""#], r#""\\[secret START]""#);
        check(&secrets, &[r"\sk-a/b\c=="], r"\\[secret KEY]");
    }

    #[test]
    fn every_cut_of_the_stream_gives_the_same() {
        let secrets = [("KEY", r#"sk-/"\=9"#), ("END", "sk-/abc\\")];
        for text in [
            r#"a sk-/"\=9 b"#,
            r#"{"a":"sk-\/\"\\\u003d9","b":"\\u0073k-/\"\\\\=\\u0039"}"#,
            r#""sk-/abc\\","sk-\/abc\u005C\"","\\sk-/ab""#,
        ] {
            let whole = cleaned(&secrets, &[text, "\n"]);
            assert!(whole.contains("[secret "), "{whole}");
            for first in 0..=text.len() {
                for second in first..=text.len() {
                    let parts = [&text[..first], &text[first..second], &text[second..], "\n"];
                    assert_eq!(cleaned(&secrets, &parts), whole, "{first}, {second}");
                }
            }
            let bytes: Vec<_> = text.split_inclusive(|_| true).chain(["\n"]).collect();
            assert_eq!(cleaned(&secrets, &bytes), whole);
        }
    }

    #[test]
    fn what_is_held_back_of_a_flood_has_a_limit() {
        let secrets = [("KEY", r"\\a=\\bc"), ("OTHER", "sk-12345678")];
        // Up to eight backslashes and `u003d` for each character.
        let limit = 13 * "sk-12345678".len();
        for flood in ["\\", "\\u005", "\\u005c", "sk-1234567", "\\u0073"] {
            let mut redactor = redactor(&secrets);
            for _ in 0..16 {
                redactor.clean(flood.repeat(4096).as_bytes());
                assert!(redactor.held.len() <= limit, "{}", redactor.held.len());
            }
        }
    }

    const VALUES: [&str; 4] = ["/k=\"\\0a9", "/k=\"0a9\\", "/k=\\\"0a9", "/k=\\\\\\0a"];

    /// Writes a text as a JSON text, each character in one of its forms.
    fn written(text: &str, choices: &[u8]) -> String {
        let mut json = "\"".to_owned();
        for (character, choice) in text.chars().zip(choices.iter().cycle()) {
            let is_special = matches!(character, '"' | '\\');
            match choice {
                0 => json.push_str(&format!("\\u{:04x}", u32::from(character))),
                1 => json.push_str(&format!("\\u{:04X}", u32::from(character))),
                2 if is_special || character == '/' => json.extend(['\\', character]),
                _ if is_special => json.extend(['\\', character]),
                _ => json.push(character),
            }
        }
        json + "\""
    }

    /// A text of pieces that are the value, its beginnings and other characters, cleaned as a JSON text within JSON texts.
    fn decoded(value: &str, text: &str, choices: &[u8], levels: usize) -> String {
        let mut json = written(text, choices);
        for _ in 1..levels {
            json = serde_json::to_string(&json).unwrap();
        }
        let mut decoded = cleaned(&[("KEY", value)], &[&json, "\n"]);
        for level in 0..levels {
            assert!(!decoded.contains(value), "{value} in {decoded}");
            match serde_json::from_str(&decoded) {
                Ok(inner) => decoded = inner,
                // An inner text may have lost a backslash before a value.
                Err(error) => assert!(level > 0, "{error}: {decoded}"),
            }
        }
        decoded
    }

    proptest! {
        #[test]
        fn what_is_decoded_has_no_values(
            value in 0..VALUES.len(),
            pieces in prop::collection::vec(0..8_usize, 0..8),
            choices in prop::collection::vec(0..4_u8, 1..80),
            levels in 1..=3_usize,
        ) {
            let value = VALUES[value];
            let piece = |piece: usize| [value, &value[..5], "\\", "x", "/", "\"", "é", value][piece];
            let text: String = pieces.iter().map(|index| piece(*index)).collect();
            let clean = decoded(value, &text, &choices, levels);
            prop_assert!(!clean.contains(value), "{} in {}", value, clean);
            let without_backslash = text.replace(value, "").replace(&value[..5], "");
            if !without_backslash.contains('\\') && !value[..5].ends_with('\\') {
                prop_assert_eq!(clean, text.replace(value, "[secret KEY]"));
            }
        }
    }
}
