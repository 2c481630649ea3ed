//! Plays a whole hill and reports it in the order of game numbers.

use std::io;
use std::sync::atomic::AtomicBool;

use dicehill_rules::{Chance, Game};

use crate::attempt::{Attempt, Cut};
use crate::recall::Past;
use crate::{Bar, EntrantId, Event, Header, Hill, ResultDocument, Schedule};

/// How a run is carried out. None of it changes the result but the cap, which is a rule.
#[derive(Clone, Copy)]
pub struct RunOptions<'a> {
    /// Threads that play; at least one is used.
    pub jobs: usize,
    /// Games that play off a tie, at most.
    pub most_play_offs: u64,
    /// Set by somebody else to end the run early.
    pub stop: &'a AtomicBool,
}

/// How a run came to its end.
pub enum RunEnd {
    /// All games are played.
    Done(ResultDocument),
    /// It was stopped; the document says how things stood.
    Stopped(ResultDocument),
}

/// Games that play off a tie, at most, unless somebody wishes otherwise.
pub const MOST_PLAY_OFFS: u64 = 10_000;

/// Plays `hill` and tells `on` what happens, in the order of game numbers.
///
/// # Errors
/// What `on` returns ends the run at once: somebody could not store what has happened.
pub fn run<G: Game>(
    hill: &Hill<G>,
    options: RunOptions<'_>,
    on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
) -> io::Result<RunEnd> {
    run_qualified(hill, Vec::new(), options, on)
}

/// Plays `hill` without those who did not qualify: their bars are told first, in this order.
///
/// # Errors
/// What `on` returns ends the run at once: somebody could not store what has happened.
pub fn run_qualified<G: Game>(
    hill: &Hill<G>,
    bars: Vec<Bar>,
    options: RunOptions<'_>,
    on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
) -> io::Result<RunEnd> {
    run_from(hill, Past::qualified(bars), options, on)
}

/// Plays `hill` from where it was left: games that `past` has are told as they come up, in the order of
/// game numbers, and not played again. The result is that of a run without a past.
///
/// # Errors
/// If a recorded game cannot be read, and what `on` returns.
pub fn run_from<G: Game>(
    hill: &Hill<G>,
    past: Past<'_>,
    options: RunOptions<'_>,
    on: &mut dyn FnMut(Event<'_, G>) -> io::Result<()>,
) -> io::Result<RunEnd> {
    let Past { mut bars, games, goes_on, mut records } = past;
    let chance = Chance::new(hill.seed());
    if !goes_on {
        on(Event::Started(&Header::new(hill)))?;
        bars.iter().try_for_each(|bar| on(Event::Barred(bar)))?;
    }
    let is_barred = |id: &EntrantId| bars.iter().any(|bar| bar.bot == hill.name_of(*id));
    let mut active: Vec<EntrantId> = hill.ids().filter(|id| !is_barred(id)).collect();
    loop {
        let schedule = Schedule::new(hill, &chance, active.clone());
        let mut attempt = Attempt::new(hill, &chance, &schedule, games, options);
        attempt.begin_hash(records.take());
        let end = if active.len() < 2 { None } else { attempt.play(on)? };
        let document = |attempt: Attempt<'_, G>| attempt.document(&active, &bars);
        match end {
            None | Some(Cut::Decided) => {
                let document = document(attempt);
                on(Event::Ended(&document))?;
                return Ok(RunEnd::Done(document));
            }
            Some(Cut::Stopped) => return Ok(RunEnd::Stopped(document(attempt))),
            Some(Cut::Barred(id, bar)) => {
                on(Event::Barred(&bar))?;
                active.retain(|other| *other != id);
                bars.push(bar);
            }
        }
    }
}
