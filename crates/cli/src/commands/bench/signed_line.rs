//! The line of a benchmark's result with its hash and, if it is signed, its signature.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::signature::{SigningKey, signer};
use crate::failure::Failure;

/// How every result begins.
const BEGINNING: &str = r#"{"schema":"dicehill.bench/"#;
/// The key of the hash over the line without it and the signature.
const HASH: &str = ",\"hash\":\"";
/// The last key: the signature of the line without it.
const SIGNATURE: &str = ",\"signature\":\"";
/// The most bytes of a result that is checked.
const MAX_BYTES: u64 = 1 << 20;

/// The document with its hash, and with a signature if there is a key.
pub(super) fn signed(document: &str, key: Option<&SigningKey>) -> Result<String, Failure> {
    let hashed = with_key(document, HASH, &hash_of(document));
    let Some(key) = key else { return Ok(hashed) };
    // PEM has line breaks, and no other character that JSON escapes.
    let pem = key.sign(&hashed)?.replace('\n', "\\n");
    Ok(with_key(&hashed, SIGNATURE, &pem))
}

fn hash_of(document: &str) -> String {
    format!("blake3:{}", blake3::hash(document.as_bytes()))
}

/// The JSON object with one more key, whose text is given as JSON writes it.
fn with_key(object: &str, key: &str, text: &str) -> String {
    let open = object.strip_suffix('}').unwrap_or(object);
    format!("{open}{key}{text}\"}}")
}

/// The object without its last key, and the text of that.
fn without_key(object: &str, key: &str) -> Option<(String, String)> {
    let (open, rest) = object.rsplit_once(key)?;
    let text = rest.strip_suffix("\"}")?;
    Some((format!("{open}}}"), text.to_owned()))
}

/// What was found in a file with a benchmark's result. Each error says what is wrong.
pub(crate) struct CheckedResult {
    /// The hash that is right for the rest of the line.
    pub(crate) hash: Result<String, String>,
    /// The key of the signature; `None` without one.
    pub(crate) signer: Option<Result<String, String>>,
    /// The benchmark and the seed by which it is repeated.
    pub(crate) command: String,
}

impl CheckedResult {
    /// Checks the result in this file; `None` for another kind of file, or none.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, Failure> {
        let Ok(file) = File::open(path) else { return Ok(None) };
        let mut text = String::new();
        let mut beginning = vec![0; BEGINNING.len()];
        let mut file = file.take(MAX_BYTES);
        if file.read_exact(&mut beginning).is_err() || beginning != BEGINNING.as_bytes() {
            return Ok(None);
        }
        file.read_to_string(&mut text).map_err(|error| refused(path, &error))?;
        let line = format!("{BEGINNING}{}", text.trim_end());
        let document: Repeatable =
            serde_json::from_str(&line).map_err(|error| refused(path, &error))?;
        let (hashed, signature) = match without_key(&line, SIGNATURE) {
            Some((hashed, pem)) => (hashed, Some(pem.replace("\\n", "\n"))),
            None => (line, None),
        };
        let signer = signature.map(|pem| signer(&hashed, &pem)).transpose()?;
        let (plain, recorded) = without_key(&hashed, HASH)
            .ok_or_else(|| refused(path, &"the last key must be hash, or signature after hash"))?;
        let computed = hash_of(&plain);
        let hash = if computed == recorded {
            Ok(computed)
        } else {
            Err(format!("recorded {recorded}, computed {computed}"))
        };
        let Repeatable { benchmark, seed } = document;
        let seed = shell_words::quote(&seed);
        let command =
            format!("dicehill bench {} BOT --seed {seed}", shell_words::quote(&benchmark));
        Ok(Some(Self { hash, signer, command }))
    }
}

fn refused(path: &Path, why: &dyn std::fmt::Display) -> Failure {
    Failure::Usage(format!("{}: not the result of a benchmark: {why}", path.display()))
}

/// The keys of a result by which it is repeated.
#[derive(serde::Deserialize)]
struct Repeatable {
    benchmark: String,
    seed: String,
}
