//! Each crate's package has the files that the crate embeds, so that it builds without the rest of the project.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use flate2::read::GzDecoder;
use serde_json::Value;
use xtask::root;

use crate::architecture::metadata;

/// The macros that embed files. Each is followed by the path, or by the beginning of a path.
const MACROS: [&str; 3] = ["include_str!(", "include_bytes!(", "include_dir!("];

/// All files in a folder with their contents, by their paths in it; for a file, the file. Links are followed.
fn files(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut left = vec![path.to_owned()];
    while let Some(next) = left.pop() {
        if next.is_dir() {
            let entries = fs::read_dir(&next).expect("a folder can be listed");
            left.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if next.exists() {
            let name = next.strip_prefix(path).expect("it lies in the folder").to_owned();
            found.insert(name, fs::read(&next).expect("a file can be read"));
        }
    }
    found
}

/// The path without `..`, which need not exist.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            normal.pop();
        } else {
            normal.push(part);
        }
    }
    normal
}

/// The files and folders that a source file embeds.
fn embedded_by(source: &Path, text: &str, package: &Path) -> BTreeSet<PathBuf> {
    let calls = MACROS.iter().flat_map(|name| text.split(name).skip(1));
    let paths = calls.filter_map(|rest| rest.split('"').nth(1));
    let folder = source.parent().expect("a source lies in a folder");
    let absolute = |path: &str| match path.strip_prefix("$CARGO_MANIFEST_DIR/") {
        Some(path) => normal(&package.join(path)),
        None => normal(&folder.join(path)),
    };
    paths.map(absolute).collect()
}

/// The files and folders that the sources of a package embed.
fn embedded(package: &Path) -> BTreeSet<PathBuf> {
    let sources = package.join("src");
    let rust = |(name, content): (PathBuf, Vec<u8>)| {
        let is_rust = name.extension().is_some_and(|extension| extension == "rs");
        is_rust.then(|| (sources.join(name), String::from_utf8(content).expect("Rust is text")))
    };
    let sources = files(&sources).into_iter().filter_map(rust);
    sources.flat_map(|(source, text)| embedded_by(&source, &text, package)).collect()
}

/// Packages a crate without the network, and unpacks it. Without its lock file, for which cargo would look for the
/// other crates in the registry.
fn unpacked(name: &str, version: &str, folder: &Path) -> PathBuf {
    let mut command = Command::new(env!("CARGO"));
    command.args(["package", "--package", name, "--no-verify", "--exclude-lockfile"]);
    command.args(["--allow-dirty", "--offline", "--target-dir"]).arg(folder).current_dir(root());
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let package = File::open(folder.join(format!("package/{name}-{version}.crate")));
    let package = GzDecoder::new(package.expect("cargo writes the package"));
    tar::Archive::new(package).unpack(folder).expect("it can be unpacked");
    folder.join(format!("{name}-{version}"))
}

/// Compares what a package embeds in the checkout and in its package. Returns the number of embedded files.
fn check(package: &Value) -> usize {
    let of = |key: &str| package[key].as_str().expect("a text");
    let folder = Path::new(of("manifest_path")).parent().expect("a manifest is in a folder");
    let embedded = embedded(folder);
    if embedded.is_empty() {
        return 0;
    }
    let target = tempfile::tempdir().expect("a temporary folder");
    let unpacked = unpacked(of("name"), of("version"), target.path());
    let mut count = 0;
    for path in embedded {
        let Ok(within) = path.strip_prefix(folder) else {
            panic!("{} embeds {}, which is outside of it", of("name"), path.display());
        };
        let (here, packaged) = (files(&path), files(&unpacked.join(within)));
        assert!(!here.is_empty(), "{} embeds {}: no such file", of("name"), path.display());
        assert!(here == packaged, "{}: {:?}", path.display(), (here.keys(), packaged.keys()));
        count += here.len();
    }
    count
}

#[test]
fn packages_have_the_files_that_they_embed() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let is_packaged = |package: &&Value| package["publish"].is_null();
    let packages = packages.iter().filter(is_packaged);
    let counts = packages.map(|package| (package["name"].to_string(), check(package)));
    let counts: BTreeMap<_, _> = counts.collect();
    // The SDKs, the bridge, and the pages' assets.
    let embeds = |name: &str| counts[&format!("{name:?}")] > 3;
    assert!(["dicehill", "dicehill-link", "dicehill-web"].into_iter().all(embeds), "{counts:?}");
}

#[test]
fn paths_are_found_in_every_form() {
    let text = r#"
        include_str!("a.txt"); include_bytes!(concat!("../assets/", $name));
        include_dir!("$CARGO_MANIFEST_DIR/java"); include_str!(
            "../../outside.txt",
        );"#;
    let found = embedded_by(Path::new("/p/src/lib.rs"), text, Path::new("/p"));
    let expected = ["/outside.txt", "/p/assets", "/p/java", "/p/src/a.txt"].map(PathBuf::from);
    assert_eq!(found, BTreeSet::from(expected));
}
