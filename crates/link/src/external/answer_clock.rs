//! How long a process may take for an answer.

use std::time::{Duration, Instant};

/// How many times the limit an answer may take in wall time while the process is short of processor time.
const WALL_FACTOR: u32 = 10;
/// The least that an answer may take in wall time then.
const MIN_WALL_TIME: Duration = Duration::from_secs(10);
/// A process is idle while it uses at most one in so many parts of the time.
const IDLE_DIVISOR: u32 = 100;
/// Processor time is not measured more often than this while answers are in time, because that costs system calls.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(10);
/// The least pause between two looks at the processor time of a late process.
const MIN_PAUSE: Duration = Duration::from_millis(1);

/// The clock of the answer that a process has owed for the longest time.
///
/// It charges wall time or, where the processor time of the process is known, the lesser of both: on a busy machine a
/// process waits for its processor, which is not its fault. Wall time has a limit there too, because a process that
/// sleeps uses no processor time: several times the limit, or less if it is idle for as long as the limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerClock {
    /// When the oldest open request became the oldest.
    since: Instant,
    /// When the processor time was measured, and what had been used by then.
    sample: (Instant, Duration),
    /// When to look again, once wall time has passed the limit.
    extended: Option<Instant>,
    /// Since when the process has been idle, once wall time has passed the limit, and the processor time it had used then.
    idle: Option<(Instant, Duration)>,
    /// Since when it stands still.
    paused: Option<Instant>,
}

impl AnswerClock {
    /// The clock of a process that starts now.
    pub(super) const fn new(now: Instant) -> Self {
        Self { since: now, sample: (now, Duration::ZERO), extended: None, idle: None, paused: None }
    }

    /// Starts it for a request that is now the oldest. `used` measures the processor time so far, if that is possible.
    pub(super) fn start(&mut self, now: Instant, used: impl FnOnce() -> Option<Duration>) {
        (self.since, self.extended, self.idle) = (now, None, None);
        if now.saturating_duration_since(self.sample.0) >= SAMPLE_INTERVAL
            && let Some(used) = used()
        {
            self.sample = (now, used);
        }
    }

    /// Stops it: a remote bot cannot answer while it has no connection.
    pub(super) fn pause(&mut self, now: Instant) {
        self.paused.get_or_insert(now);
    }

    /// Lets it go on, without the time for which it stood still.
    pub(super) fn resume(&mut self, now: Instant) {
        if let Some(paused) = self.paused.take() {
            self.since += now.saturating_duration_since(paused.max(self.since));
        }
    }

    /// Whether it stands still.
    pub(super) const fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// When it was started.
    pub(super) const fn since(&self) -> Instant {
        self.since
    }

    /// Whether the answer has exceeded its limit in wall time, but not in processor time.
    pub(super) const fn is_extended(&self) -> bool {
        self.extended.is_some()
    }

    /// When to call [`Self::exceeded`], for an answer with the limit `allowed`.
    pub(super) fn deadline(&self, allowed: Duration) -> Instant {
        self.extended.unwrap_or(self.since + allowed)
    }

    /// The limit that an answer has exceeded, `allowed` or that of wall time. If there is none yet, the deadline is moved.
    /// `used` is the processor time so far; without it only wall time counts.
    pub(super) fn exceeded(
        &mut self,
        now: Instant,
        allowed: Duration,
        used: Option<Duration>,
    ) -> Option<Duration> {
        let wall_time = now.saturating_duration_since(self.since);
        if wall_time < allowed {
            return None;
        }
        let Some(total) = used else { return Some(allowed) };
        let (measured, used_before) = self.sample;
        // What one processor may have been used for between the sample and the request is not charged.
        let unknown = self.since.saturating_duration_since(measured);
        let used = total.saturating_sub(used_before).saturating_sub(unknown);
        let max_wall_time = (WALL_FACTOR * allowed).max(MIN_WALL_TIME);
        if used >= allowed {
            return Some(allowed);
        }
        if wall_time >= max_wall_time {
            return Some(max_wall_time);
        }
        let idle_since = self.idle_since(now, total);
        let idle_end = (idle_since + allowed).max(self.since + MIN_WALL_TIME);
        if now >= idle_end {
            return Some(Duration::from_secs(wall_time.as_secs()));
        }
        let next = now + (allowed - used).max(MIN_PAUSE);
        self.extended = Some(next.min(idle_end).min(self.since + max_wall_time));
        None
    }

    /// Since when the process has been idle, as far as is known: it has used almost no processor time since. A process that
    /// waits for a processor gets more of it, however busy the machine is.
    fn idle_since(&mut self, now: Instant, used: Duration) -> Instant {
        let (since, used_then) = *self.idle.get_or_insert((now, used));
        let is_idle = IDLE_DIVISOR * used.saturating_sub(used_then) <= now - since;
        if !is_idle {
            self.idle = Some((now, used));
        }
        if is_idle { since } else { now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: Duration = ms(150);

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// Passes the time after a request, of which a process gets `percent` percent of a processor. Returns when it was
    /// late, and the limit that it has exceeded.
    fn check(allowed: Duration, percent: u32) -> (Duration, Duration) {
        let begin = Instant::now();
        let mut clock = AnswerClock::new(begin);
        let used_before = ms(77);
        let used_at = |now: Instant| used_before + (now - begin) * percent / 100;
        clock.start(begin + ms(20), || Some(used_at(begin + ms(20))));
        loop {
            let now = clock.deadline(allowed);
            if let Some(limit) = clock.exceeded(now, allowed, Some(used_at(now))) {
                return (now - clock.since(), limit);
            }
            assert!(clock.deadline(allowed) > now, "the deadline moves");
        }
    }

    #[test]
    fn without_processor_time_wall_time_counts() {
        let begin = Instant::now();
        let mut clock = AnswerClock::new(begin);
        assert_eq!(clock.deadline(ALLOWED), begin + ALLOWED);
        assert_eq!(clock.exceeded(begin + ms(149), ALLOWED, None), None);
        assert_eq!(clock.exceeded(begin + ms(150), ALLOWED, None), Some(ALLOWED));
    }

    #[test]
    fn a_pause_is_not_charged() {
        let begin = Instant::now();
        let mut clock = AnswerClock::new(begin);
        clock.pause(begin + ms(100));
        clock.pause(begin + ms(200));
        assert!(clock.is_paused());
        clock.resume(begin + ms(5100));
        assert_eq!(clock.deadline(ALLOWED), begin + ms(5150));
        clock.resume(begin + ms(9000));
        assert!(!clock.is_paused());
        assert_eq!(clock.deadline(ALLOWED), begin + ms(5150));
        // A request that begins during a pause.
        clock.pause(begin + ms(6000));
        clock.start(begin + ms(7000), || None);
        clock.resume(begin + ms(8000));
        assert_eq!(clock.deadline(ALLOWED), begin + ms(8150));
    }

    #[test]
    fn a_process_that_computes_has_its_limit_in_processor_time() {
        assert_eq!(check(ALLOWED, 100), (ms(150), ALLOWED));
        let (late, limit) = check(ALLOWED, 25);
        assert!(limit == ALLOWED && late >= ms(600) && late < ms(605), "{late:?} {limit:?}");
    }

    #[test]
    fn a_process_that_sleeps_is_late_by_wall_time() {
        assert_eq!(check(ALLOWED, 0), (ms(10_000), ms(10_000)));
        assert_eq!(check(ms(2000), 2), (ms(20_000), ms(20_000)));
    }

    #[test]
    fn a_process_that_does_nothing_for_as_long_as_the_limit_is_late_sooner() {
        assert_eq!(check(ms(2000), 0), (ms(10_000), ms(10_000)));
        assert_eq!(check(ms(10_000), 0), (ms(20_000), ms(20_000)));
        let (late, limit) = check(ms(10_000), 3);
        assert_eq!((late, limit), (ms(100_000), ms(100_000)), "a processor that many share");
    }

    #[test]
    fn several_processors_do_not_shorten_the_limit() {
        assert_eq!(check(ALLOWED, 400), (ms(150), ALLOWED));
    }

    #[test]
    fn what_was_used_before_the_request_is_not_charged() {
        let begin = Instant::now();
        let mut clock = AnswerClock::new(begin);
        // Too soon for another sample: one processor was busy until the request.
        clock.start(begin + ms(9), || unreachable!("a sample every 10 ms"));
        let now = begin + ms(9) + ALLOWED;
        assert_eq!(clock.exceeded(now, ALLOWED, Some(ms(9) + ALLOWED - ms(1))), None);
        assert_eq!(clock.deadline(ALLOWED), now + ms(1));
        let now = clock.deadline(ALLOWED);
        assert_eq!(clock.exceeded(now, ALLOWED, Some(ms(9) + ALLOWED)), Some(ALLOWED));
    }
}
