//! The folders and files of each crate use each other one way: what is below knows nothing of what is above.

mod graph;
mod modules;
mod paths;

use std::collections::BTreeMap;
use std::path::PathBuf;

use graph::Graph;
use modules::Modules;
use xtask::root;

/// The source folders of the crates of the project.
fn sources() -> Vec<PathBuf> {
    let folders = std::fs::read_dir(root().join("crates")).expect("the crates are listed");
    let mut sources: Vec<_> = folders
        .map(|entry| entry.expect("a folder is listed").path().join("src"))
        .filter(|source| source.join("lib.rs").exists())
        .collect();
    sources.sort();
    assert!(sources.len() > 5, "the crates are found: {sources:?}");
    sources
}

/// The cycles of all crates, in words.
fn cycles(graph_of: impl Fn(&Modules) -> Graph) -> String {
    let mut text = String::new();
    for source in sources() {
        let name = source.parent().and_then(|folder| folder.file_name()).expect("it has a name");
        for cycle in graph_of(&Modules::read(&source)).cycles() {
            text += &format!("crates/{}:\n{cycle}\n", name.display());
        }
    }
    text
}

#[test]
fn files_of_a_crate_use_each_other_one_way() {
    let found = cycles(|modules| Graph::new(modules.uses()));
    assert!(found.is_empty(), "cycles of files:\n{found}");
}

#[test]
fn folders_of_a_crate_use_each_other_one_way() {
    let found = cycles(|modules| {
        let folder = |file: String| match file.split_once('/') {
            Some((folder, _)) => folder.to_owned(),
            None => file.trim_end_matches(".rs").to_owned(),
        };
        let mut edges = BTreeMap::new();
        for ((from, to), names) in modules.uses() {
            let named = names.into_iter().map(|name| format!("{name} ({from} -> {to})"));
            let edge = (folder(from.clone()), folder(to.clone()));
            edges.entry(edge).or_insert_with(Vec::new).extend(named);
        }
        Graph::new(edges)
    });
    assert!(found.is_empty(), "cycles of folders:\n{found}");
}

/// What is read of a crate with this one file beside `lib.rs`.
fn uses(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is ours");
        std::fs::write(path, text).expect("it is ours");
    }
    Modules::read(folder.path()).uses().into_keys().collect()
}

#[test]
fn re_exports_are_followed() {
    let lib = ("lib.rs", "mod a; mod b; pub use a::inner::Thing as Renamed; pub use b::*;");
    let a = ("a.rs", "pub mod inner;");
    let inner = ("a/inner.rs", "pub struct Thing; fn f() { crate::free() }");
    let b = ("b.rs", "use crate::Renamed; pub fn free() -> Renamed { loop {} }");
    let edge = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let expected = [edge("a/inner.rs", "b.rs"), edge("b.rs", "a/inner.rs")];
    assert_eq!(uses(&[lib, a, inner, b]), expected);
}

#[test]
fn paths_in_macros_count_and_tests_do_not() {
    let lib = ("lib.rs", "mod a; mod b; mod c;");
    let a =
        ("a.rs", "use crate::b; fn f() { println!(\"{}\", b::X) } #[cfg(test)] use crate::c::Y;");
    let (b, c) = (("b.rs", "pub const X: u8 = 1;"), ("c.rs", "pub struct Y;"));
    assert_eq!(uses(&[lib, a, b, c]), [("a.rs".to_owned(), "b.rs".to_owned())]);
}

#[test]
fn a_cycle_is_found() {
    let edge = |from: &str, to: &str| ((from.to_owned(), to.to_owned()), vec!["X".to_owned()]);
    let graph = Graph::new([edge("a", "b"), edge("b", "c"), edge("c", "b")].into());
    assert_eq!(graph.cycles(), ["  b -> c: X\n  c -> b: X"]);
}
