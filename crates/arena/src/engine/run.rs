//! Plays a whole hill and reports it in the order of game numbers.

use std::io;

use dicehill_rules::{Chance, Game};

use crate::engine::segment::{Observer, RunSegment, SegmentSetup, StopReason};
use crate::{
    Bar, EntrantId, Event, Header, Hill, IdleProcesses, ResultDocument, ResumeState, RunOptions,
    Schedule,
};

/// How a run ended.
pub enum RunEnd {
    /// All games are played, or the question of the run is answered.
    Done(ResultDocument),
    /// It was stopped, or its time was over; the document has the standings at that point.
    Stopped(ResultDocument),
}

/// Plays `hill` and passes every event to `observer`, in the order of game numbers.
///
/// The events and the result are a function of the hill, its seed included: the number of threads changes nothing.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::AtomicBool;
///
/// use dicehill_arena::{
///     Bot, BotName, Entrant, Event, Failure, Hill, HillDraft, MAX_PLAY_OFFS, Program, RunEnd,
///     Jobs, RunOptions, run,
/// };
/// use dicehill_rules::yahtzee::{Action, View, Yahtzee};
///
/// /// Fills the first or the last free box with the first roll.
/// #[derive(Clone, Copy)]
/// enum Filler {
///     First,
///     Last,
/// }
///
/// impl Bot<Yahtzee> for Filler {
///     fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
///         let mut free = view.legal().iter();
///         let category = match self {
///             Self::First => free.next(),
///             Self::Last => free.last(),
///         };
///         Ok(Action::Fill(category.expect("a box is free")))
///     }
/// }
///
/// impl Program<Yahtzee> for Filler {
///     fn identity(&self) -> String {
///         "house:filler@1".to_owned()
///     }
///
///     fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
///         Box::new(*self)
///     }
/// }
///
/// let entrant = |name, filler| Entrant::new(BotName::new(name).unwrap(), Arc::new(filler));
/// let entrants = vec![entrant("first", Filler::First), entrant("last", Filler::Last)];
/// let hill = Hill::new(HillDraft { games: 20, ..HillDraft::challenge(entrants, "a seed") }).unwrap();
///
/// let options = RunOptions { jobs: Jobs::Exactly(2), max_play_offs: MAX_PLAY_OFFS, stop: &AtomicBool::new(false), deadline: None };
/// let mut lines = Vec::new();
/// let end = run(&hill, options, &mut |event| {
///     if let Event::Played(played, _) = event {
///         lines.push(played.line.clone());
///     }
///     Ok(())
/// });
/// let RunEnd::Done(document) = end? else { panic!("the run was not stopped") };
/// assert_eq!(lines.len() as u64, 20 + document.extra_games);
/// assert_eq!(document.standings.len(), 2);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The first error of `observer`, which ends the run at once, and the arena's own failures, such as a bot that cannot
/// be started.
pub fn run<G: Game>(
    hill: &Hill<G>,
    options: RunOptions<'_>,
    observer: &mut Observer<'_, G>,
) -> io::Result<RunEnd> {
    run_qualified(hill, Vec::new(), options, observer)
}

/// Plays `hill` without the entrants that did not qualify: their bars are reported first, in this order.
///
/// # Errors
/// As [`run()`].
pub fn run_qualified<G: Game>(
    hill: &Hill<G>,
    bars: Vec<Bar>,
    options: RunOptions<'_>,
    observer: &mut Observer<'_, G>,
) -> io::Result<RunEnd> {
    run_from(hill, ResumeState::fresh(bars), options, observer)
}

/// Resumes `hill` from `state`: recorded games are reported in the order of game numbers and not played again. The
/// result is the same as that of an uninterrupted run.
///
/// # Errors
/// As [`run()`], and if a recorded game cannot be read.
pub fn run_from<G: Game>(
    hill: &Hill<G>,
    state: ResumeState<'_>,
    options: RunOptions<'_>,
    observer: &mut Observer<'_, G>,
) -> io::Result<RunEnd> {
    let ResumeState { mut bars, games, is_resumed, recorded, mut records } = state;
    let chance = Chance::new(hill.seed());
    if !is_resumed {
        observer(Event::Started(&Header::new(hill)))?;
        bars.iter().try_for_each(|bar| observer(Event::Barred(bar)))?;
    }
    let mut active = entrants_without(hill, &bars);
    loop {
        let schedule = &Schedule::new(hill, &chance, active.clone()).resumed_after(recorded);
        let (chance, records) = (&chance, records.take());
        let idle = &IdleProcesses::default();
        let setup = SegmentSetup {
            hill,
            chance,
            schedule,
            recorded: games,
            options,
            records,
            range: None,
            idle,
        };
        let mut segment = RunSegment::new(setup, observer);
        let end = if active.len() < 2 { Ok(()) } else { segment.play() };
        let document = segment.document(&bars);
        match end {
            Ok(()) | Err(StopReason::Decided) => {
                observer(Event::Ended(&document))?;
                return Ok(RunEnd::Done(document));
            }
            Err(StopReason::Requested) => return Ok(RunEnd::Stopped(document)),
            Err(StopReason::Failed(error)) => return Err(error),
            Err(StopReason::Barred(id, bar)) => {
                observer(Event::Barred(&bar))?;
                active.retain(|other| *other != id);
                bars.push(*bar);
                games.begin_again(&bars);
            }
        }
    }
}

/// The entrants of `hill` that play after these bars, ascending.
#[must_use]
pub fn entrants_without<G: Game>(hill: &Hill<G>, bars: &[Bar]) -> Vec<EntrantId> {
    let is_barred = |id: &EntrantId| bars.iter().any(|bar| bar.bot == hill.name_of(*id));
    hill.ids().filter(|id| !is_barred(id)).collect()
}
