//! Plays some games of a run, for another machine that puts the run together.

use std::io;

use dicehill_rules::{Chance, Game};

use crate::engine::run::entrants_without;
use crate::engine::segment::{Observer, RunSegment, SegmentSetup, StopReason};
use crate::{Bar, GameRange, Hill, IdleProcesses, NoGames, RunOptions, Schedule};

/// Which games of a run are played.
#[derive(Clone, Copy)]
pub struct PlannedGames<'a> {
    /// The bars before them, in order.
    pub bars: &'a [Bar],
    /// Their numbers.
    pub games: GameRange,
}

/// How the play of a range ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RangeEnd {
    /// All games are played.
    Done,
    /// This entrant is barred at its game at the latest, whatever happens in games of lower numbers. No run needs the games
    /// after it, so that they are not played.
    Barred(Box<Bar>),
    /// It was stopped, or its time was over.
    Stopped,
}

/// Plays these games of `hill` and passes their events to `observer`, in the order of game numbers. A game with which an
/// entrant is barred is reported as played too: whether the bar stands depends on earlier games.
///
/// Processes that play are taken from `idle`, as far as it has some, and left there for the next range of the same hill.
///
/// # Errors
/// The first error of `observer`, and the arena's own failures.
///
/// # Panics
/// If the games of the hill cannot be played apart from each other ([`Hill::check_divisible`]), or its schedule does not have
/// one of the games.
pub fn play_range<G: Game>(
    hill: &Hill<G>,
    planned: PlannedGames<'_>,
    idle: &IdleProcesses<G>,
    options: RunOptions<'_>,
    observer: &mut Observer<'_, G>,
) -> io::Result<RangeEnd> {
    assert_eq!(hill.check_divisible(), Ok(()), "the caller has checked it");
    let PlannedGames { bars, games } = planned;
    let chance = &Chance::new(hill.seed());
    let schedule = &Schedule::new(hill, chance, entrants_without(hill, bars));
    idle.retain(schedule.active());
    let recorded = &NoGames;
    let range = Some(games);
    let setup =
        SegmentSetup { hill, chance, schedule, recorded, options, records: None, range, idle };
    match RunSegment::new(setup, observer).play_range() {
        Ok(()) | Err(StopReason::Decided) => Ok(RangeEnd::Done),
        Err(StopReason::Barred(_, bar)) => Ok(RangeEnd::Barred(bar)),
        Err(StopReason::Requested) => Ok(RangeEnd::Stopped),
        Err(StopReason::Failed(error)) => Err(error),
    }
}
