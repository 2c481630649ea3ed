//! The paths of the host that a sandboxed program has to read so that it runs.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::cargo_home;
use crate::process::program_path::find_program;

/// How many links and interpreters are followed.
const DEEPEST: usize = 8;

/// Bytes in which a script names its interpreter.
const LONGEST_FIRST_LINE: u64 = 512;

/// Folders of an installation that hold its programs.
const PROGRAMS: [&str; 4] = ["bin", "sbin", "shims", "Scripts"];

/// What there is in an installation, each in one kind of them: libraries, a note of a virtual environment, versions.
const SIGNS: [&str; 4] = ["lib", "lib64", "pyvenv.cfg", "versions"];

/// Folders that hold an installation, and somebody's own things beside it.
const MIXED: [&str; 2] = [".local", ".cargo"];

/// Where the program of a command is installed: it may need all of that, with what interprets it. A program of the
/// bot's own is copied with its files and says nothing about where it lay.
pub(crate) fn of_command(command: &[OsString], folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Some(name) = command.first() else { return found };
    let is_own = name.as_encoded_bytes().contains(&b'/') && !Path::new(name).is_absolute();
    let Some(program) = find_program(name, folder) else { return found };
    if is_own {
        follow_interpreter(&program, Word::Strangers, DEEPEST, &mut found);
    } else {
        let word = if Path::new(name).is_absolute() { Word::Strangers } else { Word::Hosts };
        follow(&program, word, DEEPEST, &mut found);
    }
    found
}

/// Whose word the first line of a script is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    /// Of the host, in whose PATH it is.
    Hosts,
    /// Perhaps of a stranger, who may not open anything by it but what is in the PATH.
    Strangers,
}

/// Where the programs of a build may be installed: in all that the PATH names.
pub(crate) fn of_build() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let mut found: Vec<_> = folders.map(|folder| installation(&folder)).collect();
    let rustup = std::env::var_os("RUSTUP_HOME").filter(|value| !value.is_empty());
    let rustup = rustup.map(PathBuf::from);
    found.extend(rustup.or_else(|| Some(std::env::home_dir()?.join(".rustup"))));
    found.extend(cargo_home::readable());
    found
}

/// Notes where a program lies, where the links to it lead, and what interprets it.
fn follow(program: &Path, word: Word, deepest: usize, found: &mut Vec<PathBuf>) {
    let Some(deepest) = deepest.checked_sub(1) else { return };
    // Somebody could put something else where a relative path leads later.
    if !program.is_absolute() {
        return;
    }
    if let Some(parent) = program.parent() {
        let place = installation(parent);
        found.push(if place == parent { program.to_owned() } else { place });
    }
    if let Ok(target) = fs::read_link(program) {
        let target = program.parent().unwrap_or(Path::new("/")).join(target);
        follow(&target, word, deepest, found);
    } else if let Ok(real) = fs::canonicalize(program)
        && real != program
    {
        follow(&real, word, deepest, found);
    }
    follow_interpreter(program, word, deepest, found);
}

fn follow_interpreter(script: &Path, word: Word, deepest: usize, found: &mut Vec<PathBuf>) {
    let Some(interpreter) = interpreter(script) else { return };
    let is_path = interpreter.contains('/');
    if is_path && word == Word::Strangers {
        return; // It is the system's, or not to be seen.
    }
    if let Some(program) = find_program(interpreter.as_ref(), Path::new("/")) {
        follow(&program, Word::Hosts, deepest, found);
    }
}

/// The installation to which a folder of programs belongs, or else only the folder: what lies beside it may be
/// somebody's own. Installations have libraries beside their programs, or say that they are virtual environments.
fn installation(programs: &Path) -> PathBuf {
    let is_home = |path: &Path| {
        let is_mixed = MIXED.iter().any(|name| path.ends_with(name));
        let homes = ["/", "/home", "/root"];
        is_mixed || homes.iter().any(|home| path == Path::new(home)) || is_somebodys(path)
    };
    let is_installed = |parent: &Path| {
        PROGRAMS.iter().any(|name| programs.ends_with(name))
            && SIGNS.iter().any(|sign| parent.join(sign).exists())
            && !is_home(parent)
    };
    programs.parent().filter(|parent| is_installed(parent)).unwrap_or(programs).to_owned()
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
        let folder = tempfile::tempdir().unwrap();
        let of = |path: &str| {
            let path = folder.path().join(path);
            installation(&path).strip_prefix(folder.path()).unwrap().display().to_string()
        };
        for path in ["python/bin", "python/lib", "pyenv/shims", "pyenv/versions", "project/bin"] {
            fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        fs::create_dir_all(folder.path().join(".local/lib")).unwrap();
        fs::create_dir_all(folder.path().join("venv/bin")).unwrap();
        fs::write(folder.path().join("venv/pyvenv.cfg"), "").unwrap();
        assert_eq!(of("python/bin"), "python");
        assert_eq!(of("pyenv/shims"), "pyenv");
        assert_eq!(of("venv/bin"), "venv");
        assert_eq!(of("project/bin"), "project/bin");
        assert_eq!(of(".local/bin"), ".local/bin");
        assert_eq!(of("python/tools"), "python/tools");
        assert_eq!(installation(Path::new("/bin")), Path::new("/bin"));
        assert_eq!(installation(Path::new("/home/bin")), Path::new("/home/bin"));
    }

    /// A bot's first line opens nothing that the host has not put into the PATH.
    #[test]
    fn a_stranger_s_script_opens_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret/bin/key");
        fs::create_dir_all(secret.parent().unwrap()).unwrap();
        fs::create_dir_all(folder.path().join("secret/lib")).unwrap();
        fs::write(&secret, "").unwrap();
        let secret = secret.display();
        for line in [
            format!("#!{secret}\n"),
            format!("#!/usr/bin/env {secret}\n"),
            format!("#!/usr/bin/env -S -u {secret} sh\n"),
        ] {
            fs::write(folder.path().join("bot"), &line).unwrap();
            let absolute = folder.path().join("bot");
            for name in [OsString::from("./bot"), absolute.clone().into()] {
                let found = of_command(&[name], folder.path());
                let others: Vec<_> = found.iter().filter(|path| **path != absolute).collect();
                assert!(others.is_empty(), "{line}: {others:?}");
            }
        }
        fs::create_dir(folder.path().join("bin")).unwrap();
        fs::write(folder.path().join("bin/bot"), "").unwrap();
        assert_eq!(of_command(&["bin/bot".into()], folder.path()), Vec::<PathBuf>::new());
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
        fs::create_dir(folder.path().join("real/lib")).unwrap();
        fs::write(folder.path().join("venv/pyvenv.cfg"), "").unwrap();
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
