//! The identity of a bot: a hash of its command and its files.

/// A hasher with the kind of the bot and the words of its command. Each part is preceded by its length.
pub(crate) fn hasher(kind: &str, words: &[String]) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new();
    for part in std::iter::once(kind).chain(words.iter().map(String::as_str)) {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    hasher
}

pub(crate) fn identity(hasher: &blake3::Hasher) -> String {
    format!("blake3:{}", hasher.finalize())
}
