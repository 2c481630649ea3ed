//! What a bot reads of the host, besides its own files and what every bot reads.

use std::path::{Path, PathBuf};

use super::command_bot::argument_file;
use super::source::BotSource;
use crate::isolation::system_files::system;

/// The paths of the host that a bot of this source gets to read, besides its own files in `folder` and the files of the
/// system that every bot reads: those that `read` names, and files outside `folder` that its command or the path of its
/// player names, which are copied for it. Absolute, each once, in the order of the source.
#[must_use]
pub fn outside_paths(source: &BotSource, folder: &Path) -> Vec<PathBuf> {
    let (copied, read) = match source {
        BotSource::Command { command, base, dir: None, read, .. } => {
            let words = command.iter().enumerate();
            (words.filter_map(|(index, word)| argument_file(index, word, base)).collect(), read)
        }
        BotSource::Command { dir: Some(dir), read, .. } => (vec![dir.clone()], read),
        BotSource::Java { path, read, .. } => (vec![path.clone()], read),
    };
    let folder = real(folder);
    let is_outside = |path: &PathBuf| path.exists() && !real(path).starts_with(&folder);
    let copied = copied.into_iter().filter(is_outside);
    let mut outside = Vec::new();
    for path in copied.chain(read.iter().cloned()) {
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

fn is_visible_to_all(path: &Path) -> bool {
    let path = real(path);
    system().any(|visible| path.starts_with(real(&visible)))
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
