//! What a bot reads of the host, besides its own files and what every bot reads.

use std::path::{Component, Path, PathBuf};

use super::command_bot::argument_file;
use super::source::BotSource;
use super::{readable_paths, virtual_environment};
use crate::isolation::system_files::system;

/// The paths of the host that a bot of this source gets to read, besides its own files in `folder` and the files of the
/// system that every bot reads: those that `read` names, a program that its command names by an absolute path outside the
/// installations of the PATH, and whose own installation it reads, and files outside `folder` that its command or the path of its player
/// names, which are copied for it. Absolute, each once, in the order of the source. The program is named whether it exists or
/// not, so that nothing tells a stranger which it is.
#[must_use]
pub fn outside_paths(source: &BotSource, folder: &Path) -> Vec<PathBuf> {
    let program = match source {
        BotSource::Command { command, .. } => command.first().map(PathBuf::from),
        BotSource::Java { .. } | BotSource::Remote { .. } => None,
    };
    let program = program.filter(|program| program.is_absolute() && !is_in_path(program));
    let (copied, read) = match source {
        BotSource::Command { command, base, dir: None, read, .. } => {
            let words = command.iter().enumerate();
            (words.filter_map(|(index, word)| argument_file(index, word, base)).collect(), &**read)
        }
        BotSource::Command { dir: Some(dir), read, .. } => (vec![dir.clone()], &**read),
        BotSource::Java { path, read, .. } => (vec![path.clone()], &**read),
        BotSource::Remote { .. } => (Vec::new(), &[][..]),
    };
    let environment = match source {
        BotSource::Command { command, base, dir: None, .. } => {
            virtual_environment::named(command, base)
        }
        BotSource::Command { dir: Some(_), .. }
        | BotSource::Java { .. }
        | BotSource::Remote { .. } => None,
    };
    let folder = real(folder);
    let is_own = |path: &PathBuf| real(path).starts_with(&folder);
    let program = program.or(environment).filter(|program| !is_own(program));
    let copied = copied.into_iter().filter(|path| path.exists() && !is_own(path));
    let mut outside = Vec::new();
    for path in program.into_iter().chain(copied).chain(read.iter().cloned()) {
        let path = std::path::absolute(&path).unwrap_or(path);
        if !outside.contains(&path) && !is_visible_to_all(&path) {
            outside.push(path);
        }
    }
    outside
}

/// The path without links; as it stands if there is no such file.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Whether the program belongs to an installation that programs named without a folder make readable.
fn is_in_path(program: &Path) -> bool {
    !leads_out(program) && readable_paths::of_path().iter().any(|place| program.starts_with(place))
}

/// Whether the path may lead out of the folder that it begins with.
fn leads_out(path: &Path) -> bool {
    path.components().any(|part| part == Component::ParentDir)
}

fn is_visible_to_all(path: &Path) -> bool {
    let path = real(path);
    // What does not exist keeps its parts.
    !leads_out(&path) && system().any(|visible| path.starts_with(real(&visible)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    /// A bot's folder next to a file that is not the bot's.
    fn temporary() -> TempDir {
        let temporary = TempDir::new().unwrap();
        fs::create_dir(temporary.path().join("bot")).unwrap();
        fs::write(temporary.path().join("bot/bot.py"), "print()").unwrap();
        fs::write(temporary.path().join("key"), "secret").unwrap();
        temporary
    }

    #[track_caller]
    fn check(temporary: &TempDir, source: &BotSource, expected: &[PathBuf]) {
        assert_eq!(outside_paths(source, &temporary.path().join("bot")), expected);
    }

    #[test]
    fn arguments_that_name_files_outside_the_folder_are_found() {
        let temporary = temporary();
        let (bot, key) = (temporary.path().join("bot"), temporary.path().join("key"));
        let of = |command: &[&str], dir: Option<PathBuf>| BotSource::Command {
            command: command.iter().map(ToString::to_string).collect(),
            base: bot.clone(),
            dir,
            build: None,
            read: Vec::new(),
        };
        let absolute = key.to_str().unwrap();
        check(&temporary, &of(&["python3", "bot.py", "--level", "3", "/nowhere"], None), &[]);
        check(&temporary, &of(&["/usr/bin/env", "python3", "/usr/bin/env"], None), &[]);
        check(&temporary, &of(&["python3", "bot.py", absolute], None), std::slice::from_ref(&key));
        check(&temporary, &of(&["python3", "../key"], None), &[bot.join("../key")]);
        check(&temporary, &of(&["../key"], None), &[bot.join("../key")]);
        // The program of an installation, or what a stranger hopes to be one, with and without a folder.
        let tool = "/srv/app/bin/tool";
        for dir in [None, Some(bot.join(""))] {
            check(&temporary, &of(&[tool, "bot.py"], dir.clone()), &[tool.into()]);
            check(&temporary, &of(&["/usr/bin/python3", "bot.py"], dir.clone()), &[]);
            check(
                &temporary,
                &of(&["/usr/bin/../../srv/tool"], dir.clone()),
                &["/usr/bin/../../srv/tool".into()],
            );
            check(&temporary, &of(&[bot.join("bot.py").to_str().unwrap()], dir), &[]);
        }
        // With a folder, no argument is copied.
        check(&temporary, &of(&["python3", absolute], Some(bot.join(""))), &[]);
    }

    #[test]
    fn a_player_outside_the_folder_is_found() {
        let temporary = temporary();
        let of = |path: PathBuf| BotSource::Java { path, class: None, read: Vec::new() };
        check(&temporary, &of(temporary.path().join("bot")), &[]);
        check(&temporary, &of(temporary.path().join("bot/bot.py")), &[]);
        let outside = temporary.path().to_owned();
        check(&temporary, &of(outside.clone()), &[outside]);
    }

    #[test]
    fn paths_to_read_are_found_unless_every_bot_sees_them() {
        let temporary = temporary();
        let home = PathBuf::from("/home");
        let read = vec![home.clone(), "/usr/share".into(), home.clone(), "/usr/../home".into()];
        let source = BotSource::Java { path: temporary.path().join("bot"), class: None, read };
        check(&temporary, &source, &[home, "/usr/../home".into()]);
    }
}
