//! The licences of all parts of a program by other authors, as one text.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;

use super::components::{Component, Components};
use crate::root;

const INTRODUCTION: &str = "\
dicehill is licensed under MIT or Apache-2.0, at your choice. It contains the parts below by other authors. The list is
followed by the text of each licence, under the names of the parts whose sources have it.

Static programs contain the GNU C Library, which is licensed under the LGPL. To link a program with another version of
it, build dicehill from its source, which has all that is needed: `cargo xtask package archive`.

The standard library of Rust contains parts by further authors, under MIT, Apache-2.0 or BSD licences, which
https://doc.rust-lang.org/stable/copyright.html lists. SQLite, in libsqlite3-sys, is in the public domain.
";

const RULE: &str = "================================================================================================\n";

/// The list of all parts, sorted by name and version, and each licence text once.
///
/// The same for the same `Cargo.lock`, platform and toolchain.
///
/// # Errors
/// If a part has no licence text, and its licence is not one with a standard text, or if a text cannot be read.
pub fn third_party_licences(components: &Components) -> Result<String, Box<dyn Error>> {
    let mut text = INTRODUCTION.to_owned() + "\n";
    // By the text without its line breaks and indents, in which copies differ.
    let mut texts: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for part in &components.foreign {
        let Component { name, version, licence, source, .. } = part;
        let source = source.as_deref().unwrap_or("crates.io");
        writeln!(text, "{name} {version}  {licence}  {source}")?;
        for content in licence_texts(part)? {
            let key = content.split_whitespace().collect::<Vec<_>>().join(" ");
            let (_, names) = texts.entry(key).or_insert((content, Vec::new()));
            names.push(format!("{name} {version}"));
        }
    }
    let mut texts: Vec<_> = texts.into_values().map(|(text, names)| (names, text)).collect();
    texts.sort();
    for (names, content) in texts {
        write!(text, "\n{RULE}{}\n\n{}\n", names.join(", "), content.trim_matches('\n'))?;
    }
    Ok(text)
}

/// The licence texts of a part: those in its source, or the standard one.
fn licence_texts(part: &Component) -> Result<Vec<String>, Box<dyn Error>> {
    if part.licence_files.is_empty() {
        return Ok(vec![standard_text(part)?]);
    }
    let mut texts = Vec::new();
    for path in &part.licence_files {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        texts.push(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"));
    }
    Ok(texts)
}

/// The text of the licence that a part names, for parts whose source has none.
fn standard_text(part: &Component) -> Result<String, Box<dyn Error>> {
    let offers = |name: &str| part.licence.split(" OR ").any(|one| one == name);
    if offers("Apache-2.0") {
        return Ok(fs::read_to_string(root().join("LICENSE-APACHE"))?);
    }
    if offers("MIT") && !part.authors.is_empty() {
        let text = fs::read_to_string(root().join("LICENSE-MIT"))?;
        let holders = format!("Copyright (c) {}", part.authors.join(", "));
        let line = |line| if str::starts_with(line, "Copyright (c)") { &holders } else { line };
        return Ok(text.lines().map(line).collect::<Vec<_>>().join("\n"));
    }
    let Component { name, version, licence, .. } = part;
    Err(format!("{name} {version}: its source has no text of its licence, {licence}").into())
}
