//! The paths of the host that a sandboxed program has to read so that it runs.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::cargo_home;
use crate::process::program_path::find_program;

/// The most links and interpreters that are followed.
const MAX_HOPS: usize = 8;

/// The most bytes of a script's first line.
const MAX_FIRST_LINE_BYTES: u64 = 512;

/// Folders of an installation that hold its programs.
const PROGRAM_FOLDERS: [&str; 4] = ["bin", "sbin", "shims", "Scripts"];

/// What installations contain, by kind: libraries, the marker of a virtual environment, versions.
const INSTALLATION_MARKERS: [&str; 4] = ["lib", "lib64", "pyvenv.cfg", "versions"];

/// Folders that hold both an installation and files of the user.
const MIXED_FOLDERS: [&str; 2] = [".local", ".cargo"];

/// The installations that a command needs to run: of its program, and of the interpreter of that. A program
/// that belongs to the bot is copied with its files, so only its interpreter counts.
pub(crate) fn of_command(command: &[OsString], folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Some(name) = command.first() else { return found };
    let is_own = name.as_encoded_bytes().contains(&b'/') && !Path::new(name).is_absolute();
    let Some(program) = find_program(name, folder) else { return found };
    if is_own {
        follow_interpreter(&program, ScriptAuthor::Stranger, MAX_HOPS, &mut found);
    } else {
        let author =
            if Path::new(name).is_absolute() { ScriptAuthor::Stranger } else { ScriptAuthor::Host };
        follow(&program, author, MAX_HOPS, &mut found);
    }
    found
}

/// Who wrote the first line of a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ScriptAuthor {
    /// The host, who has put the script into the PATH.
    Host,
    /// Perhaps a stranger, whose script may only make programs in the PATH readable.
    Stranger,
}

/// The installations that the folders of the PATH belong to.
pub(crate) fn of_path() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.map(|folder| installation(&folder)).collect()
}

/// The installations that a build may need: all in the PATH.
pub(crate) fn of_build() -> Vec<PathBuf> {
    let mut found = of_path();
    let rustup = std::env::var_os("RUSTUP_HOME").filter(|value| !value.is_empty());
    let rustup = rustup.map(PathBuf::from);
    let rustup = rustup.or_else(|| Some(std::env::home_dir()?.join(".rustup")));
    found.extend(rustup.iter().flat_map(|home| of_rustup(home)));
    found.extend(cargo_home::readable());
    found
}

/// What the programs of rustup read: the toolchains, the settings that name the default one, and the hashes of what was installed, without
/// whose folder they try to make it and fail.
fn of_rustup(home: &Path) -> [PathBuf; 3] {
    ["toolchains", "settings.toml", "update-hashes"].map(|name| home.join(name))
}

/// Adds the installation of a program, those that links lead to, and that of its interpreter.
fn follow(program: &Path, author: ScriptAuthor, hops: usize, found: &mut Vec<PathBuf>) {
    let Some(hops) = hops.checked_sub(1) else { return };
    // Another file could later be put where a relative path leads.
    if !program.is_absolute() {
        return;
    }
    if let Some(parent) = program.parent() {
        let place = installation(parent);
        found.push(if place == parent { program.to_owned() } else { place });
    }
    if let Ok(target) = fs::read_link(program) {
        let target = program.parent().unwrap_or(Path::new("/")).join(target);
        follow(&target, author, hops, found);
    } else if let Ok(real) = fs::canonicalize(program)
        && real != program
    {
        follow(&real, author, hops, found);
    }
    follow_interpreter(program, author, hops, found);
}

fn follow_interpreter(script: &Path, author: ScriptAuthor, hops: usize, found: &mut Vec<PathBuf>) {
    let Some(interpreter) = interpreter(script) else { return };
    let is_path = interpreter.contains('/');
    if is_path && author == ScriptAuthor::Stranger {
        // It belongs to the system and is visible anyway, or must not become visible.
        return;
    }
    if let Some(program) = find_program(interpreter.as_ref(), Path::new("/")) {
        follow(&program, ScriptAuthor::Host, hops, found);
    }
}

/// The installation that a folder of programs belongs to. If there is none, only the folder itself, because
/// its parent may hold files of the user. An installation has libraries next to its programs, or is marked as
/// a virtual environment.
fn installation(programs: &Path) -> PathBuf {
    let is_home = |path: &Path| {
        let is_mixed = MIXED_FOLDERS.iter().any(|name| path.ends_with(name));
        let homes = ["/", "/home", "/root"];
        is_mixed || homes.iter().any(|home| path == Path::new(home)) || is_or_contains_home(path)
    };
    let is_installed = |parent: &Path| {
        PROGRAM_FOLDERS.iter().any(|name| programs.ends_with(name))
            && INSTALLATION_MARKERS.iter().any(|marker| parent.join(marker).exists())
            && !is_home(parent)
    };
    programs.parent().filter(|parent| is_installed(parent)).unwrap_or(programs).to_owned()
}

/// Whether the path is or contains a user's home.
fn is_or_contains_home(path: &Path) -> bool {
    path.parent() == Some(Path::new("/home"))
        || std::env::home_dir().is_some_and(|home| home.starts_with(path))
}

/// The interpreter in the first line of a script.
pub(super) fn interpreter(program: &Path) -> Option<String> {
    let mut start = Vec::new();
    fs::File::open(program).ok()?.take(MAX_FIRST_LINE_BYTES).read_to_end(&mut start).ok()?;
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
    fn builds_read_only_toolchains_settings_and_hashes_of_rustup() {
        let home = Path::new("/home/ada/.rustup");
        let names = ["toolchains", "settings.toml", "update-hashes"];
        assert_eq!(of_rustup(home), names.map(|name| home.join(name)));
        assert!(!of_build().iter().any(|path| path.ends_with(".rustup")));
    }

    #[test]
    fn an_installation_does_not_contain_a_home() {
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

    /// The first line of a bot's script makes nothing readable that the host has not put into the PATH.
    #[test]
    fn a_script_of_a_stranger_makes_nothing_readable() {
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
                let unexpected: Vec<_> = found.iter().filter(|path| **path != absolute).collect();
                assert!(unexpected.is_empty(), "{line}: {unexpected:?}");
            }
        }
        fs::create_dir(folder.path().join("bin")).unwrap();
        fs::write(folder.path().join("bin/bot"), "").unwrap();
        assert_eq!(of_command(&["bin/bot".into()], folder.path()), Vec::<PathBuf>::new());
    }

    #[test]
    fn the_interpreter_of_a_script_is_found() {
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
