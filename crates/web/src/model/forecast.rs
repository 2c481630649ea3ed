//! When entries are expected to be qualified and to play.

use std::time::Duration;

use serde::Serialize;
use utoipa::ToSchema;

use super::time::duration;

/// What the runner of a hill processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Active {
    /// The qualification of an entry.
    Entry(i64),
    /// A run.
    Run(i64),
}

/// How far the qualification or the run of an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct EntryProgress {
    /// Whether it is about the run with the bot; otherwise about its qualification.
    pub(crate) is_run: bool,
    /// Steps of the qualification, or games of the run, that are done.
    pub(crate) done: u64,
    /// All of them.
    pub(crate) of: u64,
    /// Seconds since the first of them began.
    pub(crate) seconds: f64,
}

impl EntryProgress {
    /// `43 %, about 20 s left`. The time left follows from the time so far.
    pub(crate) fn note(&self) -> String {
        let Self { done, of, .. } = *self;
        let percent = 100 * done.min(of) / of.max(1);
        match self.left() {
            None => format!("{percent} %"),
            Some(left) => {
                format!("{percent} %, about {} left", duration(Duration::from_secs_f64(left)))
            }
        }
    }

    /// The seconds that are left, by the time so far; `None` at the beginning, when processes start and connections are made.
    fn left(&self) -> Option<f64> {
        /// The share after which the time so far says something.
        const TELLING: f64 = 0.02;
        /// The seconds after which it does in any case.
        const LONG: f64 = 10.0;
        let Self { done, of, seconds, .. } = *self;
        let is_telling = done as f64 >= TELLING * of as f64 || seconds >= LONG;
        let is_known = done > 0 && seconds >= 1.0 && is_telling;
        is_known.then(|| seconds * of.saturating_sub(done) as f64 / done as f64)
    }
}

/// The most seconds that a qualification is expected to take yet: its games and its positions begin within 30 seconds each, and
/// the games are played again.
const LONGEST_CHECK: f64 = 120.0;

/// The entries of a hill whose qualification has not ended, in the order of the queue, and what is being processed.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenEntries {
    pub(crate) waiting: Vec<i64>,
    pub(crate) active: Option<(Active, EntryProgress)>,
    pub(crate) forecast: Forecast,
}

/// What expected times follow from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forecast {
    /// Now, in seconds since 1970.
    pub(crate) now: i64,
    /// The seconds of a usual qualification.
    pub(crate) check: Option<f64>,
    /// The seconds of a usual placement, 0 if bots are not placed one by one.
    pub(crate) placement: f64,
    /// Whether a run is being prepared or played.
    pub(crate) is_playing: bool,
    /// When the next whole run is planned, in seconds since 1970; `None`: once the entries have qualified.
    pub(crate) next_run: Option<i64>,
    /// Whether it is due.
    pub(crate) is_due: bool,
    /// Whether each bot is placed as soon as it has qualified.
    pub(crate) places: bool,
    /// Whether nothing begins until the host has made room on a disk.
    pub(crate) lacks_space: bool,
}

impl OpenEntries {
    /// The entries before this one.
    pub(crate) fn ahead(&self, id: i64) -> usize {
        self.waiting.iter().take_while(|waiting| **waiting != id).count()
    }

    /// The progress of an entry, which has come to the hill with this run.
    pub(crate) fn progress(&self, id: i64, run: Option<i64>) -> Option<EntryProgress> {
        let is_of = |active: Active| match active {
            Active::Entry(active) => active == id,
            Active::Run(active) => run == Some(active),
        };
        self.active.filter(|(active, _)| is_of(*active)).map(|(_, progress)| progress)
    }

    /// The seconds until the qualification of an entry that waits begins; `None` if that cannot be estimated.
    pub(crate) fn until_check(&self, id: i64) -> Option<f64> {
        self.until_place(self.ahead(id))
    }

    /// When the run of an entry that waits begins, in seconds since 1970; `None` if that cannot be estimated.
    pub(crate) fn run_of(&self, id: i64) -> Option<i64> {
        if !self.forecast.places || !self.waiting.contains(&id) {
            return self.next_run();
        }
        let placed = self.until_place(self.ahead(id) + 1)?;
        Some(self.forecast.now + (placed - self.forecast.placement).max(0.0).ceil() as i64)
    }

    /// Whether the next run has only to be prepared.
    pub(crate) fn is_prepared(&self) -> bool {
        self.forecast.is_due && self.waiting.is_empty()
    }

    /// When the next run begins, in seconds since 1970; `None` if that cannot be estimated.
    pub(crate) fn next_run(&self) -> Option<i64> {
        if self.forecast.next_run.is_some() {
            return self.forecast.next_run;
        }
        if self.is_prepared() {
            return None;
        }
        Some(self.forecast.now + self.until_place(self.waiting.len())?.ceil() as i64)
    }

    /// The seconds until so many entries have been qualified and, if each is placed at once, placed.
    fn until_place(&self, place: usize) -> Option<f64> {
        let placement = self.forecast.placement;
        let check = self.forecast.check.map(|check| check + placement);
        match self.active {
            Some((Active::Run(_), progress)) => {
                Some(progress.left()? + if place == 0 { 0.0 } else { check? * place as f64 })
            }
            // Of the one that is being qualified, a part is done.
            Some((Active::Entry(_), progress)) if place > 0 => {
                let usual = || self.forecast.check.map(|check| (check - progress.seconds).max(0.0));
                let others = if place == 1 { 0.0 } else { check? * (place - 1) as f64 };
                let left = progress.left().map(|left| left.min(LONGEST_CHECK));
                Some(left.or_else(usual)? + placement + others)
            }
            None if self.forecast.is_playing => None,
            Some(_) | None if place == 0 => Some(0.0),
            Some(_) | None => Some(check? * place as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(done: u64, seconds: f64) -> EntryProgress {
        EntryProgress { is_run: true, done, of: 100, seconds }
    }

    #[test]
    fn expected_times_follow_from_what_is_being_processed_and_from_usual_times() {
        let forecast = Forecast { now: 1_000, check: Some(20.0), ..Forecast::default() };
        let mut open = OpenEntries { waiting: vec![5, 4, 7], active: None, forecast };
        let expected = |open: &OpenEntries| [5, 4, 7].map(|id| open.until_check(id));
        assert_eq!(expected(&open), [Some(0.0), Some(20.0), Some(40.0)]);
        assert_eq!(open.next_run(), Some(1_060));
        open.active = Some((Active::Entry(5), progress(50, 15.0)));
        assert_eq!(expected(&open), [Some(0.0), Some(15.0), Some(35.0)]);
        assert_eq!(open.next_run(), Some(1_055));
        // At its beginning, what is usual.
        open.active = Some((Active::Entry(5), progress(1, 5.0)));
        assert_eq!(expected(&open), [Some(0.0), Some(15.0), Some(35.0)]);
        // It takes longer than usual, but a slow bot has fewer games.
        open.active = Some((Active::Entry(5), progress(20, 50.0)));
        assert_eq!(expected(&open), [Some(0.0), Some(120.0), Some(140.0)]);
        open.active = Some((Active::Run(2), progress(25, 10.0)));
        assert_eq!(expected(&open), [Some(30.0), Some(50.0), Some(70.0)]);
        for beginning in [progress(0, 0.0), progress(1, 5.0)] {
            open.active = Some((Active::Run(2), beginning));
            assert_eq!((expected(&open), open.next_run()), ([None; 3], None));
        }
        open.active = None;
        open.forecast.places = true;
        assert_eq!([5, 4, 7, 3].map(|id| open.run_of(id)), [1_020, 1_040, 1_060, 1_060].map(Some));
        // The placements of those before it.
        open.forecast.placement = 5.0;
        assert_eq!(expected(&open), [Some(0.0), Some(25.0), Some(50.0)]);
        assert_eq!([5, 4, 7].map(|id| open.run_of(id)), [1_020, 1_045, 1_070].map(Some));
        open.active = Some((Active::Entry(5), progress(50, 15.0)));
        assert_eq!(expected(&open), [Some(0.0), Some(20.0), Some(45.0)]);
        (open.active, open.forecast.placement) = (None, 0.0);
        open.forecast.next_run = Some(9_000);
        assert_eq!([5, 3].map(|id| open.run_of(id)), [1_020, 9_000].map(Some));
        assert_eq!(open.next_run(), Some(9_000), "by the schedule");
    }

    #[test]
    fn nothing_is_said_of_a_time_that_is_unknown() {
        let mut open = OpenEntries { waiting: vec![5, 4], ..OpenEntries::default() };
        assert_eq!([5, 4].map(|id| open.until_check(id)), [Some(0.0), None]);
        open.forecast = Forecast { check: Some(20.0), is_playing: true, ..Forecast::default() };
        let expected = [5, 4].map(|id| open.until_check(id));
        assert_eq!(expected, [None; 2], "a run that is prepared, or of another process");
    }
}
