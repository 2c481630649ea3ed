//! When the hill plays its next whole run.

use dicehill_store::{EntryTerms, WholeRuns};

/// The next whole run of a hill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextRun {
    /// None, as far as is known now.
    None,
    /// At this time, in seconds since 1970.
    At(i64),
    /// Now.
    Now(RunKind),
}

/// How a whole run is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunKind {
    /// With a seed of its own.
    Plain,
    /// With the seed that follows from the commitment that was published while entries were open.
    Committed,
}

/// The next whole run of a hill on which bots are `ready` that have not played, at the time `now` in seconds since 1970.
///
/// Without further terms it follows the qualification of entries. With a schedule it is played at the times of the schedule; one
/// that was missed is made up for once. After entries have closed, one committed run is played; after it only runs for bots
/// that were held when entries closed and that the host has approved since.
pub(crate) fn next_run(terms: &EntryTerms, runs: WholeRuns, ready: bool, now: i64) -> NextRun {
    let last = runs.last_begun.unwrap_or(i64::MIN);
    let due = |at: i64, kind| if at <= now { NextRun::Now(kind) } else { NextRun::At(at) };
    let closes = terms.closes.as_ref().map(dicehill_store::ZonedTime::at);
    if let Some(closes) = closes.filter(|closes| *closes <= now) {
        return match ready {
            _ if last < closes => NextRun::Now(RunKind::Committed),
            true => NextRun::Now(RunKind::Plain),
            false => NextRun::None,
        };
    }
    let scheduled = terms.schedule.as_ref().and_then(|schedule| {
        let at = schedule.next_after(last.max(terms.scheduled))?;
        closes.is_none_or(|closes| at < closes).then_some(at)
    });
    match (scheduled, closes) {
        (Some(at), _) => due(at, RunKind::Plain),
        (None, Some(closes)) => NextRun::At(closes),
        (None, None) if terms.schedule.is_none() && ready => NextRun::Now(RunKind::Plain),
        (None, None) => NextRun::None,
    }
}

#[cfg(test)]
mod tests {
    use dicehill_store::EntryKey;

    use super::*;

    const HOUR: i64 = 3_600;

    fn terms(schedule: Option<&str>, closes: Option<&str>) -> EntryTerms {
        let terms = EntryTerms::default().with(EntryKey::Schedule, schedule, HOUR).unwrap();
        terms.with(EntryKey::Closes, closes, 0).unwrap()
    }

    fn next(terms: &EntryTerms, last: Option<i64>, ready: bool, now: i64) -> NextRun {
        next_run(terms, WholeRuns { last_begun: last, last_seconds: None }, ready, now)
    }

    #[test]
    fn without_a_schedule_a_run_follows_the_entries() {
        let terms = terms(None, None);
        assert_eq!(next(&terms, None, true, 0), NextRun::Now(RunKind::Plain));
        assert_eq!(next(&terms, Some(5), false, 9), NextRun::None);
    }

    #[test]
    fn a_scheduled_run_that_was_missed_is_made_up_for_once() {
        let terms = terms(Some("daily 02:00"), None);
        let due = |last, now| next(&terms, last, true, now);
        assert_eq!(due(None, 2 * HOUR - 1), NextRun::At(2 * HOUR));
        assert_eq!(due(None, 2 * HOUR), NextRun::Now(RunKind::Plain));
        assert_eq!(due(Some(2 * HOUR), 2 * HOUR + 1), NextRun::At(26 * HOUR));
        // The server was down for days.
        assert_eq!(due(Some(2 * HOUR), 100 * HOUR), NextRun::Now(RunKind::Plain));
        assert_eq!(due(Some(100 * HOUR), 100 * HOUR), NextRun::At(122 * HOUR));
        // A run of the host before that time replaces none.
        assert_eq!(due(Some(25 * HOUR), 26 * HOUR), NextRun::Now(RunKind::Plain));
        // The times before the schedule was set do not count.
        assert_eq!(due(None, HOUR), NextRun::At(2 * HOUR));
    }

    #[test]
    fn one_committed_run_follows_the_end_of_entries() {
        let closes = Some("1970-01-02 00:00");
        let end = 24 * HOUR;
        let contest = terms(None, closes);
        assert_eq!(next(&contest, None, true, HOUR), NextRun::At(end));
        assert_eq!(next(&contest, Some(HOUR), true, end), NextRun::Now(RunKind::Committed));
        assert_eq!(next(&contest, Some(end), false, end + 1), NextRun::None);
        // It was held when entries closed.
        assert_eq!(next(&contest, Some(end), true, end + 1), NextRun::Now(RunKind::Plain));
        let both = terms(Some("daily 02:00"), closes);
        assert_eq!(next(&both, None, true, HOUR), NextRun::At(2 * HOUR));
        assert_eq!(next(&both, Some(2 * HOUR), true, 3 * HOUR), NextRun::At(end));
        assert_eq!(next(&both, Some(2 * HOUR), true, end), NextRun::Now(RunKind::Committed));
        assert_eq!(next(&both, Some(end), false, 80 * HOUR), NextRun::None);
    }
}
