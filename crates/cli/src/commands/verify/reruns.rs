//! A sample of recorded games, played again by the bots themselves.

use std::collections::BTreeMap;
use std::io;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread;

use dicehill_arena::{EntrantId, Hill, Move, PlayedGame, Reason};
use dicehill_rules::Chance;

use crate::games::TerminalGame;
use crate::recorded::{Difference, RecordedGame};

/// How often a game that differs from its record is played in all.
const ATTEMPTS: usize = 5;

/// The outcome of a sample.
#[derive(Default)]
pub(super) struct Reruns {
    /// Games that were played again.
    pub(super) played: u64,
    /// Altered records, with the entrant whose move differs.
    pub(super) altered: Vec<(Option<EntrantId>, String)>,
    /// Bots that are not deterministic, with the evidence.
    pub(super) unstable: BTreeMap<EntrantId, String>,
    /// Games that are not compared, with the reason.
    pub(super) notes: Vec<String>,
}

/// Plays these games again, `jobs` at a time.
///
/// # Errors
/// If a bot could not be prepared or started.
pub(super) fn play_again<G: TerminalGame>(
    hill: &Hill<G>,
    chance: &Chance,
    lines: &[String],
    jobs: usize,
) -> io::Result<Reruns> {
    let found = Mutex::new(Reruns::default());
    let size = lines.len().div_ceil(jobs.max(1)).max(1);
    thread::scope(|scope| -> io::Result<()> {
        let mut workers = Vec::new();
        for chunk in lines.chunks(size) {
            let found = &found;
            let worker = scope.spawn(move || {
                for line in chunk {
                    let verdict = judge(hill, chance, line)?;
                    found.lock().expect("no thread panics with the lock").add(verdict);
                }
                Ok(())
            });
            workers.push(worker);
        }
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|p| resume_unwind(p)))
    })?;
    let mut found = found.into_inner().expect("no thread panics with the lock");
    // A bot that answers in two ways may have answered in a third way when it was recorded.
    let is_unstable =
        |bot: &Option<EntrantId>| bot.is_some_and(|bot| found.unstable.contains_key(&bot));
    found.altered.retain(|(bot, _)| !is_unstable(bot));
    found.altered.sort();
    found.notes.sort();
    Ok(found)
}

/// The outcome of one game.
enum RerunVerdict {
    /// It goes as it is recorded.
    Same,
    /// It is not compared, as a difference would say nothing.
    LeftOut(String),
    /// It differs from the record in the same way each time.
    Altered(Option<EntrantId>, String),
    /// It goes differently each time.
    Unstable(EntrantId, String),
}

impl Reruns {
    fn add(&mut self, verdict: RerunVerdict) {
        self.played += u64::from(!matches!(verdict, RerunVerdict::LeftOut(_)));
        match verdict {
            RerunVerdict::Same => {}
            RerunVerdict::LeftOut(note) => self.notes.push(note),
            RerunVerdict::Altered(bot, problem) => self.altered.push((bot, problem)),
            RerunVerdict::Unstable(bot, seen) => {
                self.unstable.entry(bot).or_insert(seen);
            }
        }
    }
}

fn judge<G: TerminalGame>(hill: &Hill<G>, chance: &Chance, line: &str) -> io::Result<RerunVerdict> {
    let recorded = match RecordedGame::read(hill, chance, line) {
        Ok(recorded) => recorded,
        Err(problem) => return Ok(RerunVerdict::LeftOut(problem)),
    };
    let game = recorded.fixture.game;
    if let Some(reason) = recorded.moves.iter().flatten().find_map(failed_process) {
        let why = format!("game {game} is not replayed, because a process failed in it ({reason})");
        return Ok(RerunVerdict::LeftOut(why));
    }
    let played = recorded.play(hill)?;
    let Some(difference) = recorded.difference(hill, &played) else {
        return Ok(RerunVerdict::Same);
    };
    if let Some(reason) = played.record.moves.iter().find_map(failed_process) {
        return Ok(RerunVerdict::LeftOut(format!(
            "game {game}: a process failed in its replay ({reason})"
        )));
    }
    verdict_on_difference(hill, &recorded, &played, &difference)
}

/// Plays the game more often: either a bot answers differently each time, or the record was altered.
fn verdict_on_difference<G: TerminalGame>(
    hill: &Hill<G>,
    recorded: &RecordedGame<G>,
    first: &PlayedGame<G>,
    difference: &Difference,
) -> io::Result<RerunVerdict> {
    let game = recorded.fixture.game;
    for _ in 1..ATTEMPTS {
        let played = recorded.play(hill)?;
        let moves = [first.record.moves.as_slice(), played.record.moves.as_slice()];
        if let Some(Difference { at: Some((bot, number)), recorded, played }) =
            recorded.first_difference(hill, moves)
        {
            let name = hill.name_of(bot);
            let seen = format!(
                "{name} is not deterministic: in game {game} it answered {recorded} at move {number}, and then {played}"
            );
            return Ok(RerunVerdict::Unstable(bot, seen));
        }
    }
    let bot = difference.at.map(|(bot, _)| bot);
    Ok(RerunVerdict::Altered(bot, describe(hill, game, difference)))
}

/// The difference between a record and what is played each time.
fn describe<G: TerminalGame>(hill: &Hill<G>, game: u64, difference: &Difference) -> String {
    let Difference { at, recorded, played } = difference;
    match at {
        None => {
            format!("game {game}: recorded is {recorded}, but the bots play {played} each time")
        }
        Some((bot, number)) => {
            let bot = hill.name_of(*bot);
            format!(
                "game {game}, move {number}: recorded is {recorded}, but {bot} plays {played} each time"
            )
        }
    }
}

/// The reason of a failure that may be due to the machine.
fn failed_process<G: TerminalGame>(one: &Move<G>) -> Option<Reason> {
    match one {
        Move::Acted(_) => None,
        Move::Failed(failure) => Some(failure.reason).filter(|reason| reason.is_process_failure()),
    }
}
