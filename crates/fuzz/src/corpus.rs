//! The committed inputs of a target.

use std::fs;
use std::path::Path;

/// The inputs in a folder, in the order of their names. A missing folder has none.
///
/// # Panics
/// If a file in it cannot be read.
pub(crate) fn read(folder: &Path) -> Vec<Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> =
        entries.map(|entry| entry.expect("a corpus can be listed").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("an input of a corpus can be read")).collect()
}

/// The name of an input's file: the beginning of its hash.
pub(crate) fn file_name(input: &[u8]) -> String {
    blake3::hash(input).to_hex()[..12].to_owned()
}
