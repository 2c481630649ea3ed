//! What of the machine a program has to be able to read, so that it runs where nothing else can be read.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::child::find_program;

/// How many links and interpreters are followed.
const DEEPEST: usize = 8;
/// Bytes in which a script names its interpreter.
const LONGEST_FIRST_LINE: u64 = 512;
/// Folders of an installation that hold its programs.
const PROGRAMS: [&str; 4] = ["bin", "sbin", "shims", "Scripts"];
/// Folders that hold an installation, and somebody's own things beside it.
const MIXED: [&str; 2] = [".local", ".cargo"];
/// What cargo needs of its home; the rest is its user's.
const OF_CARGO: [&str; 5] = ["bin", "registry", "git", "config.toml", "env"];

/// Where the program of a command is installed: it may need all of that. A script's interpreter belongs to it.
pub(crate) fn of_command(command: &[OsString], folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Some(program) = command.first().and_then(|name| find_program(name, folder)) {
        follow(&program, folder, DEEPEST, &mut found);
    }
    found
}

/// Where the programs of a build may be installed: in all that the PATH names.
pub(crate) fn of_build() -> Vec<PathBuf> {
    let home = std::env::home_dir();
    let at_home = |name: &str, usual: &str| {
        let set = std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        set.or_else(|| Some(home.as_ref()?.join(usual)))
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let mut found: Vec<_> = folders.map(|folder| installation(&folder)).collect();
    found.extend(at_home("RUSTUP_HOME", ".rustup"));
    let cargo = at_home("CARGO_HOME", ".cargo");
    found.extend(cargo.iter().flat_map(|home| OF_CARGO.map(|name| home.join(name))));
    found
}

/// Notes where a program lies, where the links to it lead, and what interprets it.
fn follow(program: &Path, folder: &Path, deepest: usize, found: &mut Vec<PathBuf>) {
    let Some(deepest) = deepest.checked_sub(1) else { return };
    if let Some(parent) = program.parent() {
        let place = installation(parent);
        found.push(if place == parent { program.to_owned() } else { place });
    }
    if let Ok(target) = fs::read_link(program) {
        let target = program.parent().unwrap_or(Path::new("/")).join(target);
        follow(&target, folder, deepest, found);
    } else if let Ok(real) = fs::canonicalize(program)
        && real != program
    {
        follow(&real, folder, deepest, found);
    }
    if let Some(interpreter) = interpreter(program)
        && let Some(interpreter) = find_program(interpreter.as_ref(), folder)
    {
        follow(&interpreter, folder, deepest, found);
    }
}

/// The installation to which a folder of programs belongs, or else only the folder: what lies beside it may be
/// somebody's own.
fn installation(programs: &Path) -> PathBuf {
    let is_home = |path: &Path| {
        let is_mixed = MIXED.iter().any(|name| path.ends_with(name));
        let homes = ["/", "/home", "/root"];
        is_mixed || homes.iter().any(|home| path == Path::new(home)) || is_somebodys(path)
    };
    match programs.parent() {
        Some(parent)
            if PROGRAMS.iter().any(|name| programs.ends_with(name)) && !is_home(parent) =>
        {
            parent.to_owned()
        }
        Some(_) | None => programs.to_owned(),
    }
}

/// Whether it is somebody's home, with whatever lies in it.
fn is_somebodys(path: &Path) -> bool {
    path.parent() == Some(Path::new("/home"))
        || std::env::home_dir().is_some_and(|home| home.starts_with(path))
}

/// What a script says in its first line that runs it.
fn interpreter(program: &Path) -> Option<String> {
    let mut start = Vec::new();
    fs::File::open(program).ok()?.take(LONGEST_FIRST_LINE).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_ascii_whitespace();
    let first = words.next()?;
    let is_env = Path::new(first).ends_with("env");
    let named = words.find(|word| !word.starts_with('-') && !word.contains('='));
    Some(named.filter(|_| is_env).unwrap_or(first).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_is_not_a_home() {
        let of = |path: &str| installation(Path::new(path)).to_string_lossy().into_owned();
        assert_eq!(of("/opt/python/3.11/bin"), "/opt/python/3.11");
        assert_eq!(of("/home/ann/.pyenv/shims"), "/home/ann/.pyenv");
        assert_eq!(of("/home/ann/bin"), "/home/ann/bin");
        assert_eq!(of("/home/ann/.local/bin"), "/home/ann/.local/bin");
        assert_eq!(of("/home/ann/.cargo/bin"), "/home/ann/.cargo/bin");
        assert_eq!(of("/root/bin"), "/root/bin");
        assert_eq!(of("/bin"), "/bin");
        assert_eq!(of("/home/ann/tools"), "/home/ann/tools");
    }

    #[test]
    fn a_script_brings_its_interpreter() {
        let folder = tempfile::tempdir().unwrap();
        let script = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let of = |path: PathBuf| interpreter(&path);
        assert_eq!(of(script("a", "#!/bin/sh -e\n")), Some("/bin/sh".to_owned()));
        assert_eq!(of(script("b", "#!/usr/bin/env -S node -x\n")), Some("node".to_owned()));
        assert_eq!(of(script("c", "#!/usr/bin/env A=1 python3\n")), Some("python3".to_owned()));
        assert_eq!(of(script("d", "\u{7f}ELF")), None);
        assert_eq!(of(script("e", "#!")), None);
    }

    #[test]
    fn links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (real, venv) = (folder.path().join("real/bin"), folder.path().join("venv/bin"));
        fs::create_dir_all(&real).unwrap();
        fs::create_dir_all(&venv).unwrap();
        fs::write(real.join("tool"), "").unwrap();
        std::os::unix::fs::symlink("../../real/bin/tool", venv.join("tool")).unwrap();
        let found = of_command(&[venv.join("tool").into()], folder.path());
        let canonical = |name: &str| fs::canonicalize(folder.path().join(name)).unwrap();
        let found: Vec<_> = found.iter().map(|path| fs::canonicalize(path).unwrap()).collect();
        assert!(
            found.contains(&canonical("venv")) && found.contains(&canonical("real")),
            "{found:?}"
        );
    }
}
