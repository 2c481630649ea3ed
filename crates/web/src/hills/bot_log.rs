//! The games of a bot as a run log, streamed from the store.

use std::io;

use dicehill_arena::printable;
use dicehill_store::{FileError, GameLine, HillStore, RunSummary, StoredRun, did_you_mean};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

use super::ServedHill;
use crate::Problem;
use crate::requests::run_blocking;

/// The bytes after which lines are sent.
const CHUNK: usize = 64 << 10;
/// The chunks that wait for a slow reader.
const MAX_CHUNKS: usize = 2;

/// Which run a log is of.
#[derive(Deserialize, IntoParams)]
pub(crate) struct LogQuery {
    /// The number of the run; by default the last ended one in which the bot has games.
    pub(crate) run: Option<i64>,
}

type Chunks = ReceiverStream<Result<Vec<u8>, io::Error>>;

/// The header of a run, a line that says whose games follow, and the games in which a bot plays. By default it is the last ended run in which the bot has games.
///
/// # Errors
/// If there is no such run or bot, the run has not ended, or it cannot be read.
pub(crate) async fn bot_log(
    hill: &ServedHill,
    bot: String,
    run: Option<i64>,
) -> Result<Chunks, Problem> {
    let path = hill.path().to_owned();
    let found = run_blocking(move || {
        let store = HillStore::open(&path)?;
        let run = find_run(&store, &bot, run)?;
        store.check_seal(run.run)?;
        Ok::<_, Problem>((store, run, bot))
    });
    let (store, run, bot) = found.await?;
    let (sender, receiver) = mpsc::channel(MAX_CHUNKS);
    spawn_blocking(move || {
        if let Err(Ended::File(error)) = send_log(&store, &run, &bot, &sender) {
            tracing::error!("{error}");
            let _gone = sender.blocking_send(Err(io::Error::other("the run cannot be read")));
        }
    });
    Ok(ReceiverStream::new(receiver))
}

fn find_run(store: &HillStore, bot: &str, run: Option<i64>) -> Result<StoredRun, Problem> {
    let missing = |text: String| Problem::NotFound(text);
    let runs = store.runs()?;
    let found = match run {
        Some(number) => runs.iter().find(|one| one.run == number),
        None => runs.iter().rev().find(|one| has_games(one, bot)),
    };
    let shown = printable(bot);
    let among = |run: &RunSummary| -> Vec<String> {
        run.header.bots.iter().map(|one| one.name.as_str().to_owned()).collect()
    };
    let Some(found) = found else {
        return Err(missing(match run {
            Some(number) => format!("this hill {}", store.no_such_run(number).message()),
            None => {
                let ended = || runs.iter().filter(|run| run.result.is_some());
                let took_part = |run: &&RunSummary| among(run).iter().any(|name| name == bot);
                if let Some(run) = ended().rfind(took_part) {
                    let run = run.run;
                    format!("{shown:?} has no games: it was barred or skipped in run {run}")
                } else {
                    let meant = did_you_mean(bot, ended().flat_map(among));
                    format!("{shown:?} has played in no run that has ended{meant}")
                }
            }
        }));
    };
    if found.result.is_none() {
        // Its seed is not public yet.
        return Err(missing(format!("run {} has not ended", found.run)));
    }
    if !found.header.bots.iter().any(|one| one.name.as_str() == bot) {
        let meant = did_you_mean(bot, among(found));
        return Err(missing(format!("{shown:?} does not play in run {}{meant}", found.run)));
    }
    Ok(store.run(found.run)?)
}

/// The part of a result document that says who has played.
#[derive(Deserialize)]
struct ResultGames {
    standings: Vec<BotGames>,
}

#[derive(Deserialize)]
struct BotGames {
    bot: String,
    #[serde(default)]
    games: u64,
}

/// Whether a run has ended and counts games of this bot: a remote bot that was absent has none.
fn has_games(run: &RunSummary, bot: &str) -> bool {
    let result = run.result.as_deref();
    let result = result.and_then(|text| serde_json::from_str::<ResultGames>(text).ok());
    result.is_some_and(|result| result.standings.iter().any(|one| one.bot == bot && one.games > 0))
}

/// Why no more lines are sent.
enum Ended {
    /// The reader is gone.
    Gone,
    File(FileError),
}

impl From<FileError> for Ended {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

/// Sends the lines.
fn send_log(
    store: &HillStore,
    run: &StoredRun,
    bot: &str,
    sender: &mpsc::Sender<Result<Vec<u8>, io::Error>>,
) -> Result<(), Ended> {
    let send = |chunk: Vec<u8>| sender.blocking_send(Ok(chunk)).map_err(|_| Ended::Gone);
    let excerpt = serde_json::json!({ "type": "excerpt", "bot": bot });
    let mut chunk = format!("{}\n{excerpt}\n", run.header.line).into_bytes();
    store.each_page(run.run, run.bars.len() as i64, |page| {
        for line in page.lines().filter(|line| plays(line, bot)) {
            chunk.extend_from_slice(line.as_bytes());
            chunk.push(b'\n');
        }
        if chunk.len() < CHUNK { Ok(()) } else { send(std::mem::take(&mut chunk)) }
    })?;
    send(chunk)
}

fn plays(line: &str, bot: &str) -> bool {
    GameLine::read(line).is_ok_and(|game| game.seats.iter().any(|name| name == bot))
}
