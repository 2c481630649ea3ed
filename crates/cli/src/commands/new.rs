//! `dicehill new`: writes a folder with a bot that plays, its test, and the SDK.

mod starter;

use std::fs;
use std::io::Write;
use std::path::Path;

use dicehill_temporary::TemporaryFolder;

use self::starter::{NewFile, StarterGame, starter_files};
use crate::args::{Language, NewArgs};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::text::{FAINT, STRONG, styled};
use dicehill_rules::with_game;

pub(crate) fn new(args: &NewArgs, console: &Console) -> Result<Outcome, Failure> {
    with_game!(args.game, G => write_starter::<G>(args, console))
}

fn write_starter<G: StarterGame>(
    NewArgs { language, name, .. }: &NewArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    if language.has_taken(name) {
        let title = &language.title;
        let message = format!("{name}: has a special meaning in {title}; choose another name");
        return Err(Failure::Usage(message));
    }
    let folder = Path::new(name);
    check_free(folder)?;
    write_all(folder, starter_files::<G>(language, name))
        .map_err(|error| Failure::Failed(with_path(folder, &error)))?;
    write!(console.out(), "{}", next_steps::<G>(language, name))?;
    Ok(Outcome::Done)
}

/// Refuses a folder that is not empty: its files might be lost or mixed with the new ones.
fn check_free(folder: &Path) -> Result<(), Failure> {
    let taken = |why: &str| Err(Failure::Usage(format!("{}: {why}", folder.display())));
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => taken("already exists and is not empty"),
        },
        Err(_) if fs::symlink_metadata(folder).is_err() => Ok(()),
        Err(_) => taken("already exists and is not a readable folder"),
    }
}

/// Creates the folder with all files in it, or not at all.
fn write_all(folder: &Path, files: Vec<NewFile>) -> std::io::Result<()> {
    let around = folder.parent().filter(|around| !around.as_os_str().is_empty());
    let draft = TemporaryFolder::new_in(around.unwrap_or(Path::new(".")))?;
    for NewFile { place, content } in files {
        write(&draft.path().join(place), &content)?;
    }
    // This replaces an empty folder and fails for anything else.
    fs::rename(draft.path(), folder)
}

fn write(path: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::File::create_new(path)?.write_all(content)
}

fn with_path(path: &Path, error: &std::io::Error) -> std::io::Error {
    std::io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// What to type next, as the command prints it.
fn next_steps<G: StarterGame>(language: &Language, name: &str) -> String {
    let game = G::TITLE;
    let opponent = G::OPPONENT;
    let steps = [
        (format!("dicehill check ./{name}"), "does it play legally?"),
        (format!("dicehill run ./{name} {opponent}"), "how well does it play?"),
        (format!("cd {name} && {}", language.test(name)), "its own test"),
    ];
    let widest = steps.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    let line = |(command, what): &(String, &str)| {
        let blanks = " ".repeat(widest - command.len());
        format!("  {command}{blanks}  {}\n", styled(FAINT, what))
    };
    let source = styled(STRONG, format!("{name}/{}", language.source(name)));
    let steps: String = steps.iter().map(line).collect();
    format!("{source} is a bot that already plays {game}. Change it, then try:\n{steps}")
}
