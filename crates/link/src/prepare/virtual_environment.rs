//! A Python virtual environment in a bot's folder: it is not copied, and the bot reads it where it is.

use std::path::{Path, PathBuf};

use super::error::PrepareError;
use super::readable_paths;
use crate::isolation::system_files::system;

/// The file that makes a folder a virtual environment.
const MARKER: &str = "pyvenv.cfg";

/// The environment whose interpreter a command gets that names none.
const USUAL: &str = ".venv";

/// Programs in whose place the interpreter of the usual environment is started.
const INTERPRETERS: [&str; 2] = ["python3", "python"];

/// The absolute path of a command's program, if that is in a virtual environment in the bot's folder: named by its path in the
/// folder, or as `python3` where the folder has a `.venv`.
///
/// # Errors
/// If its interpreter is a link to a program that bots may not read by themselves: the folder may be a stranger's.
pub(crate) fn program(command: &[String], dir: &Path) -> Result<Option<PathBuf>, PrepareError> {
    let Some(name) = command.first() else { return Ok(None) };
    let is_usual = INTERPRETERS.contains(&name.as_str());
    let usual = Path::new(USUAL).join("bin").join(name);
    let place = if is_usual { usual.as_path() } else { Path::new(name) };
    let Some(environment) = environment_of(place, dir) else { return Ok(None) };
    // The current folder may be given as an empty path.
    let folder = if dir.as_os_str().is_empty() { Path::new(".") } else { dir }.canonicalize()?;
    let program = folder.join(place);
    let real = match program.canonicalize() {
        Ok(real) => real,
        // The environment of another machine has a link to nothing.
        Err(_) if is_usual => return Ok(None),
        Err(_) => {
            return Err(PrepareError::NoProgram { program: name.clone(), place: "there" });
        }
    };
    let is_in = |place: PathBuf| place.canonicalize().is_ok_and(|place| real.starts_with(place));
    let mut allowed = system().chain(readable_paths::of_path()).chain(of_uv());
    if real.starts_with(folder.join(environment)) || allowed.any(is_in) {
        Ok(Some(program))
    } else {
        Err(PrepareError::Environment { program, real })
    }
}

/// The virtual environment to which the program of a command belongs that it names by a path relative to `dir`.
pub(crate) fn named(command: &[String], dir: &Path) -> Option<PathBuf> {
    environment_of(Path::new(command.first()?), dir).map(|environment| dir.join(environment))
}

/// The virtual environment to which a program with a path relative to `dir` belongs, relative to `dir`.
fn environment_of(program: &Path, dir: &Path) -> Option<PathBuf> {
    let environment = program.parent()?.parent()?;
    let is_within = !program.is_absolute() && !environment.as_os_str().is_empty();
    (is_within && dir.join(environment).join(MARKER).is_file()).then(|| environment.to_owned())
}

/// Where `uv` keeps the interpreters that it has installed, which need not be in the PATH.
fn of_uv() -> Option<PathBuf> {
    let named = std::env::var_os("UV_PYTHON_INSTALL_DIR").filter(|folder| !folder.is_empty());
    named.map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".local/share/uv/python")))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    /// A bot's folder with an environment `name`, whose interpreter is a link to `target`.
    fn folder(name: &str, target: &str) -> TempDir {
        let folder = TempDir::new().unwrap();
        let environment = folder.path().join("bot").join(name);
        fs::create_dir_all(environment.join("bin")).unwrap();
        fs::write(environment.join(MARKER), "").unwrap();
        symlink(target, environment.join("bin/python3")).unwrap();
        folder
    }

    fn of(folder: &TempDir, command: &str) -> Result<Option<PathBuf>, String> {
        let bot = folder.path().join("bot");
        let found = program(&[command.to_owned(), "bot.py".to_owned()], &bot);
        let found = found.map_err(|error| error.to_string())?;
        let root = bot.canonicalize().unwrap();
        Ok(found.map(|path| path.strip_prefix(root).unwrap().to_owned()))
    }

    #[test]
    fn the_interpreter_of_an_environment_in_the_folder_is_started() {
        let usual = folder(".venv", "/bin/sh");
        let expected = Ok(Some(".venv/bin/python3".into()));
        assert_eq!(of(&usual, "python3"), expected);
        assert_eq!(of(&usual, ".venv/bin/python3"), expected);
        assert_eq!(of(&usual, "node"), Ok(None));
        assert_eq!(of(&usual, "/bin/sh"), Ok(None));
        let named = folder("environment", "/bin/sh");
        assert_eq!(of(&named, "python3"), Ok(None));
        let expected = Ok(Some("environment/bin/python3".into()));
        assert_eq!(of(&named, "environment/bin/python3"), expected);
    }

    #[test]
    fn an_environment_of_another_machine_is_named_or_not_used() {
        let folder = folder(".venv", "/nowhere/bin/python3");
        assert_eq!(of(&folder, "python3"), Ok(None));
        let error = of(&folder, ".venv/bin/python3").unwrap_err();
        assert_eq!(error, "\".venv/bin/python3\": no such program there");
    }

    /// A stranger's link makes nothing readable that the host has not put into the PATH.
    #[test]
    fn a_link_to_a_program_outside_the_installations_is_refused() {
        let folder = folder(".venv", "../../../secret/bin/key");
        fs::create_dir_all(folder.path().join("secret/bin")).unwrap();
        fs::create_dir_all(folder.path().join("secret/lib")).unwrap();
        fs::write(folder.path().join("secret/bin/key"), "").unwrap();
        for command in ["python3", ".venv/bin/python3"] {
            let error = of(&folder, command).unwrap_err();
            assert!(error.contains("secret/bin/key, which is in no installation"), "{error}");
        }
    }
}
