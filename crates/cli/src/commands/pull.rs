//! `dicehill pull`: the games of a bot on a server as a log.

use std::io::Write;
use std::path::PathBuf;

use dicehill_arena::BotName;
use dicehill_store::{FileError, RunSource, TruncatedTail};
use dicehill_temporary::DraftFile;

use crate::args::PullArgs;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::remote::HillClient;
use crate::text::counted;

pub(crate) fn pull(args: &PullArgs, console: &Console) -> Result<Outcome, Failure> {
    let bot = BotName::new(&args.bot).map_err(|error| Failure::Usage(error.to_string()))?;
    let path = args.out.clone().unwrap_or_else(|| file_name(args.url.hill(), bot.as_str()));
    let failed = |error| Failure::from(FileError::new(&path, error));
    if path.symlink_metadata().is_ok() {
        return Err(FileError::new(&path, "already exists").into());
    }
    let mut draft = DraftFile::new_private(&path).map_err(failed)?;
    HillClient::new(args.url.clone(), None, args.certificate.ca.as_deref())?.log(
        &bot,
        args.run,
        &mut draft.file(),
    )?;
    draft.file().flush().map_err(failed)?;
    // What a server sends is a log, or nothing is left of it.
    let games = RunSource::open(draft.path(), TruncatedTail::Ignore)?.count();
    draft.persist_new().map_err(failed)?;
    let shown = path.display();
    console
        .report(format!("{shown}: {} of {bot}; dicehill analyze {shown}", counted(games, "game")));
    Ok(Outcome::Done)
}

/// A file in the current folder.
fn file_name(hill: &str, bot: &str) -> PathBuf {
    let plain = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '-' };
    let name: String = format!("{hill}-{bot}").chars().map(plain).collect();
    format!("{name}.jsonl").into()
}
