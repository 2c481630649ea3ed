//! What mdBook and the server get of the book.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use xtask::docs::{copies, rewritten};
use xtask::root;

#[track_caller]
fn check(page: &str, text: &str, expected: &str) {
    assert_eq!(rewritten(Path::new(page), text), expected);
}

#[test]
fn links_lead_to_places_in_the_copy() {
    check("docs/hill.md", "[a](methods.md#luck) [b](#x)", "[a](methods.md#luck) [b](#x)");
    check("docs/hill.md", "[s](../SECURITY.md)", "[s](SECURITY.md)");
    check("docs/hill.md", "[a](../examples/) and [b](#x)", "a and [b](#x)");
    check("docs/bots/c.md", "[c](../../sdk/c/README.md)", "[c](../sdk/c.md)");
    check("protocol/bots.md", "[s](schemas/a.json)", "[s](../protocol/schemas/a.json)");
    check("protocol/bots.md", "[m](../docs/methods.md#a)", "[m](../methods.md#a)");
    check("README.md", "![p](docs/run.svg)", "![p](run.svg)");
    check("docs/board.md", "<img src=\"pictures/a.png\">", "<img src=\"pictures/a.png\">");
    check("docs/hill.md", "[w](https://example.org/a.md)", "[w](https://example.org/a.md)");
}

#[test]
fn formulas_have_mathjaxs_delimiters() {
    check("docs/a.md", "so $x_i$ and `$`", "so \\\\(x\\_i\\\\) and `$`");
    check("docs/a.md", "$$a$$", "\\\\[a\\\\]");
}

#[test]
fn each_file_has_a_place_of_its_own() {
    let copies = copies().expect("files");
    let places: BTreeSet<_> = copies.iter().map(|copy| copy.to.as_path()).collect();
    assert_eq!(places.len(), copies.len());
    assert!(places.contains(Path::new("SUMMARY.md")) && places.contains(Path::new("sdk/c.md")));
}

/// The files in a folder, by their paths in it.
fn files(folder: &Path, within: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder.join(within)).expect("a folder") {
        let entry = entry.expect("an entry");
        let path = within.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            files(folder, &path, found);
        } else {
            found.insert(path);
        }
    }
}

/// The server embeds what lies in its crate.
#[test]
fn the_server_has_links_to_all_chapters_and_pictures() {
    let folder = root().join("crates/web/book");
    let mut links = BTreeSet::new();
    files(&folder, Path::new(""), &mut links);
    let is_shown = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("md" | "png" | "svg"))
    };
    let expected: BTreeSet<_> =
        copies().expect("files").into_iter().map(|copy| copy.from).filter(is_shown).collect();
    assert_eq!(links, expected, "make a link for each in crates/web/book");
    for link in links {
        let target = fs::canonicalize(folder.join(&link)).expect("a file");
        assert_eq!(target, fs::canonicalize(root().join(&link)).expect("a file"));
    }
}
