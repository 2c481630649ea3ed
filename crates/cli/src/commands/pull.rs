//! `dicehill pull`: the games of a bot on a server as a log.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dicehill_arena::{BotName, printable};
use dicehill_store::{FileError, LogReader, TruncatedTail, command_word};
use dicehill_temporary::DraftFile;

use crate::args::PullArgs;
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::remote::{HillClient, LogDownload};
use crate::text::counted;

/// The interval at which an interruption is noticed.
const NAP: Duration = Duration::from_millis(100);

pub(crate) fn pull(args: &PullArgs, console: &Console) -> Result<Outcome, Failure> {
    let bot = BotName::new(&args.bot).map_err(|error| Failure::Usage(error.to_string()))?;
    let run = args.run.or(args.url.run());
    let path = args.out.clone().unwrap_or_else(|| file_name(args.url.hill(), bot.as_str()));
    let failed = |error| Failure::from(FileError::new(&path, error));
    if path.symlink_metadata().is_ok() {
        return Err(FileError::new(
            &path,
            "already exists: remove it, or name another file by --out",
        )
        .into());
    }
    let stop = interrupt::stop_flag(console)?;
    // It is removed unless it becomes the file.
    let mut draft = DraftFile::new_private(&path).map_err(failed)?;
    let client = HillClient::new(args.url.clone(), None, args.certificate.ca.as_deref())?;
    let download = client.log(&bot, run);
    if !copy(&download, draft.file(), &stop).map_err(|error| error.of_file(&path))? {
        return Ok(Outcome::Interrupted);
    }
    let (games, has_moves) = count_games(draft.path())?;
    if games == 0 {
        return Err(refused(&no_games(&bot, run)));
    }
    draft.persist_new().map_err(failed)?;
    let shown = path.display();
    let next = match has_moves {
        false => {
            "the hill has removed their moves, so that they can be neither replayed nor analyzed"
                .to_owned()
        }
        true => format!("dicehill analyze {}", command_word(&path)),
    };
    console.report(format!("{shown}: {} of {bot}; {next}", counted(games, "game")));
    Ok(Outcome::Done)
}

/// Why a log was not copied.
enum CopyError {
    /// It did not arrive.
    Download(Failure),
    /// It cannot be written.
    Write(io::Error),
}

impl CopyError {
    fn of_file(self, path: &Path) -> Failure {
        match self {
            Self::Download(failure) => failure,
            Self::Write(error) => FileError::new(path, error).into(),
        }
    }
}

/// Copies a log as it arrives. Returns whether it is complete, rather than interrupted by `stop`.
fn copy(
    download: &LogDownload,
    sink: &mut impl Write,
    stop: &AtomicBool,
) -> Result<bool, CopyError> {
    while !stop.load(Ordering::Relaxed) {
        let chunk = download.next_within(NAP).map_err(CopyError::Download)?;
        match chunk {
            None => {}
            Some(chunk) if chunk.is_empty() => {
                sink.flush().map_err(CopyError::Write)?;
                return Ok(true);
            }
            Some(chunk) => sink.write_all(&chunk).map_err(CopyError::Write)?,
        }
    }
    Ok(false)
}

/// The number of games in what a server sent, and whether they have moves.
///
/// # Errors
/// If it is no run log.
fn count_games(draft: &Path) -> Result<(u64, bool), Failure> {
    let log = LogReader::open(draft, TruncatedTail::Ignore);
    log.and_then(|log| Ok((log.count(), log.has_moves()?))).map_err(|error| {
        let line = error.line().map(|line| format!("line {line}: ")).unwrap_or_default();
        // What follows is a remedy for a file of the user's own.
        let why = error.message().split("; ").next().unwrap_or_default();
        refused(&format!("what the server sent is no run log: {line}{}", printable(why)))
    })
}

fn no_games(bot: &BotName, run: Option<i64>) -> String {
    let run = run.map_or_else(|| "its last run".to_owned(), |run| format!("run {run}"));
    format!("{bot} has no games in {run}; name another run with --run")
}

fn refused(message: &str) -> Failure {
    Failure::Failed(io::Error::other(message.to_owned()))
}

/// A file in the current folder.
fn file_name(hill: &str, bot: &str) -> PathBuf {
    let plain = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '-' };
    let name: String = format!("{hill}-{bot}").chars().map(plain).collect();
    format!("{name}.jsonl").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_log_is_refused_without_the_name_of_the_draft() {
        let folder = tempfile::tempdir().unwrap();
        let draft = folder.path().join(".draft");
        for (sent, why) in [
            (&b""[..], "is empty"),
            (b"{\"schema\"", "line 1: the log is truncated: this line breaks off, so that"),
            (b"\0\0\n", "line 1: the header has NUL bytes"),
            (b"<html>\n", "line 1: not a run log of dicehill"),
            (b"SQLite format 3\0", "line 1: not a run log of dicehill"),
        ] {
            std::fs::write(&draft, sent).unwrap();
            let error = count_games(&draft).unwrap_err().to_string();
            let start = format!("what the server sent is no run log: {why}");
            assert!(error.starts_with(&start), "{error}");
            assert!(!error.contains(".draft") && !error.contains("another file"), "{error}");
        }
    }
}
