//! The words of a command.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use toml::Spanned;

/// Reads the words of a command. The error for a text shows the list to write in its place.
pub(super) fn words<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Spanned<Vec<String>>>, D::Error> {
    let words = Spanned::<Words>::deserialize(deserializer)?;
    let span = words.span();
    Ok(Some(Spanned::new(span, words.into_inner().0)))
}

struct Words(Vec<String>);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(WordsVisitor)
    }
}

struct WordsVisitor;

impl<'de> Visitor<'de> for WordsVisitor {
    type Value = Words;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Words, A::Error> {
        let mut words = Vec::new();
        while let Some(word) = sequence.next_element()? {
            words.push(word);
        }
        Ok(Words(words))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Words, E> {
        let words: Vec<_> = text.split_whitespace().collect();
        Err(E::custom(format!("a command is a list of words: {words:?}")))
    }
}
