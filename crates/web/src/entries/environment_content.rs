//! What is in the environments of a hill, for authors.

use std::fs;
use std::path::Path;

use dicehill_arena::printable;
use dicehill_store::Environment;

/// The most programs and packages of an environment that are listed.
const MAX_LISTED: usize = 60;
/// Programs that authors look for.
const PROGRAMS: [&str; 9] =
    ["java", "javac", "node", "python3", "ruby", "perl", "lua", "julia", "R"];

/// What is in an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EnvironmentContent {
    /// Its name.
    pub(crate) name: String,
    /// Its paths.
    pub(crate) paths: Vec<String>,
    /// The programs in it, and the packages of virtual environments of Python, as far as they are found.
    pub(crate) content: Vec<String>,
}

impl EnvironmentContent {
    /// Reads the folders of an environment. What cannot be read is left out.
    pub(super) fn of(environment: &Environment) -> Self {
        let Environment { name, read } = environment;
        let mut content: Vec<_> = read.iter().flat_map(|path| content_of(path)).collect();
        content.sort();
        content.dedup();
        content.truncate(MAX_LISTED);
        let paths = read.iter().map(|path| printable(&path.display().to_string())).collect();
        Self { name: name.clone(), paths, content }
    }
}

fn content_of(path: &Path) -> Vec<String> {
    let mut found = names(&path.join("bin"));
    found.retain(|name| PROGRAMS.contains(&name.as_str()));
    let libraries = names(&path.join("lib")).into_iter().filter(|name| name.starts_with("python3"));
    for library in libraries {
        let packages = names(&path.join("lib").join(library).join("site-packages"));
        let packages = packages.iter().filter_map(|name| name.strip_suffix(".dist-info"));
        found.extend(packages.map(|package| package.replacen('-', " ", 1)));
    }
    found
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| printable(&entry.file_name().to_string_lossy())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_packages_are_listed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().to_owned();
        for file in
            ["bin/python3", "bin/pip", "lib/python3.11/site-packages/numpy-2.1.0.dist-info/x"]
        {
            let file = path.join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("it is made");
            fs::write(file, "").expect("it is written");
        }
        let read = vec![path, "/no/such/folder".into()];
        let found = EnvironmentContent::of(&Environment { name: "science".to_owned(), read });
        assert_eq!(found.content, ["numpy 2.1.0", "python3"]);
        assert_eq!(found.paths.len(), 2);
    }
}
