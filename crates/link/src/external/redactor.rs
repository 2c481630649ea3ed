//! Keeps the values of secrets out of what a bot writes.
//!
//! This is against accidents, such as a traceback with a header in it. A bot that wants to tell a secret can write it in
//! another form.

use std::borrow::Cow;

use crate::process::secret::Secret;

/// Replaces the values of secrets in a stream of bytes by their names.
pub(super) struct Redactor {
    /// What is replaced, the longest first, and by what.
    replaced: Vec<(Vec<u8>, Vec<u8>)>,
    /// The end of the stream so far, if it may be the beginning of a value.
    held: Vec<u8>,
}

impl Redactor {
    pub(super) fn new(secrets: &[Secret]) -> Self {
        let mut replaced = Vec::new();
        for secret in secrets {
            let shown = format!("[secret {}]", secret.name()).into_bytes();
            // In an answer and in a transcript it is part of a JSON text.
            let quoted = serde_json::Value::from(secret.value()).to_string();
            for form in [secret.value(), &quoted[1..quoted.len() - 1]] {
                replaced.push((form.as_bytes().to_vec(), shown.clone()));
            }
        }
        replaced.sort_by_key(|(value, _)| std::cmp::Reverse(value.len()));
        replaced.dedup();
        Self { replaced, held: Vec::new() }
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
            let ahead = &rest[at..];
            let found = self
                .replaced
                .iter()
                .find(|(value, _)| ahead.starts_with(value) || value.starts_with(ahead));
            match found {
                Some((value, shown)) if ahead.len() >= value.len() => {
                    clean.extend(shown);
                    at += value.len();
                }
                Some(_) => break,
                None => {
                    clean.push(rest[at]);
                    at += 1;
                }
            }
        }
        self.held = rest.split_off(at);
        Cow::Owned(clean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor(secrets: &[(&str, &str)]) -> Redactor {
        let secret = |(name, value): &(&str, &str)| Secret::new(name, value).unwrap();
        Redactor::new(&secrets.iter().map(secret).collect::<Vec<_>>())
    }

    #[track_caller]
    fn check(secrets: &[(&str, &str)], parts: &[&str], expected: &str) {
        let mut redactor = redactor(secrets);
        let clean = parts.iter().flat_map(|part| redactor.clean(part.as_bytes()).into_owned());
        assert_eq!(String::from_utf8(clean.collect()).unwrap(), expected);
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
}
