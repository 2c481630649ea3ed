//! The tools of the JDK.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files::FilesError;
use crate::isolation::mode::Isolation;
use crate::prepare::build::{self, BuildAccess};
use crate::prepare::error::PrepareError;
use crate::process::program_path::find_program;

/// Flags of the compiler. Texts are joined by plain code: a JVM takes 40 ms of processor time to link the first call of a method
/// handle.
const FLAGS: [&str; 6] =
    ["-encoding", "UTF-8", "-nowarn", "-proc:none", "-Xlint:none", "-XDstringConcat=inline"];

pub(super) fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "java")
}

/// Joins folders and jars to a class path.
pub(super) fn class_path(entries: Vec<PathBuf>) -> Result<OsString, PrepareError> {
    std::env::join_paths(&entries).map_err(|_| {
        let has_colon = |path: &PathBuf| path.as_os_str().as_encoded_bytes().contains(&b':');
        PrepareError::JarName(entries.into_iter().find(has_colon).unwrap_or_default())
    })
}

/// The path of a program of the JDK.
pub(super) fn tool(what: &'static str) -> Result<PathBuf, PrepareError> {
    let home = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty());
    let at_home = home.map(|home| Path::new(&home).join("bin").join(what));
    at_home
        .filter(|path| path.is_file())
        .or_else(|| find_program(what.as_ref(), Path::new("/")))
        .ok_or(PrepareError::NoJava { what })
}

/// The compilation of all Java sources in a folder.
pub(super) struct Compilation<'a> {
    pub(super) javac: &'a Path,
    /// Its class path: the folder of the bridge, folders in it, and jars within `sources`.
    pub(super) libraries: &'a [PathBuf],
    pub(super) sources: &'a Path,
    /// The folder for the classes.
    pub(super) to: &'a Path,
    pub(super) isolation: Isolation,
}

impl Compilation<'_> {
    /// Compiles the sources; without any, does nothing.
    ///
    /// # Errors
    /// If the sources cannot be read or the compiler fails.
    pub(super) fn run(&self) -> Result<(), PrepareError> {
        let mut found = Vec::new();
        java_files(self.sources, &mut found)?;
        if found.is_empty() {
            return Ok(());
        }
        let mut command: Vec<OsString> = vec![self.javac.into()];
        command.extend(FLAGS.map(OsString::from));
        command.push("-J-XX:TieredStopAtLevel=1".into());
        command.extend(["-d".into(), self.to.into()]);
        if !self.libraries.is_empty() {
            command.extend(["-cp".into(), class_path(self.libraries.to_vec())?]);
        }
        // The dot keeps a name like `@x.java` or `-x.java` from being read as an option.
        let relative = |path: PathBuf| match path.strip_prefix(self.sources) {
            Ok(within) => Path::new(".").join(within),
            Err(_) => path,
        };
        command.extend(found.into_iter().map(|path| relative(path).into_os_string()));
        let readable = self.libraries.first().cloned().into_iter().collect();
        let writable = vec![self.to.to_owned()];
        let access = BuildAccess { readable, writable, isolation: self.isolation };
        let mut compiled = build::run_command(&command, self.sources, access);
        if let Err(PrepareError::Build { what, .. }) = &mut compiled {
            // Its command is the arena's, and of no use to the author.
            "javac".clone_into(what);
        }
        compiled.map(drop)
    }
}

fn java_files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), PrepareError> {
    let unreadable = |error| FilesError::Unreadable { path: folder.to_owned(), error };
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            java_files(&path, found)?;
        } else if is_source(&path) {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_path_entries_must_not_contain_a_colon() {
        let path = |names: &[&str]| class_path(names.iter().map(PathBuf::from).collect());
        assert_eq!(path(&["a", "b.jar"]).expect("a class path"), "a:b.jar");
        let error = path(&["a", "b:c.jar"]).expect_err("a colon").to_string();
        assert_eq!(error, "b:c.jar: the name of a jar may not contain a colon");
    }
}
