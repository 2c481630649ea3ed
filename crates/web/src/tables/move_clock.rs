//! How long the person whose turn it is has had for the move, and has been away.

use std::time::{Duration, Instant};

/// The time of a move, as of the last tick. A move of which no tick has been counted has no time yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MoveClock {
    /// The number of moves before the move.
    moves: usize,
    times: Option<Times>,
}

#[derive(Clone, Copy, Debug)]
struct Times {
    begin: Instant,
    /// When the person's page was last open.
    seen: Instant,
    now: Instant,
}

impl MoveClock {
    /// Counts time for the move after `moves` moves.
    pub(super) fn tick(&mut self, moves: usize, now: Instant, is_present: bool) {
        let times = self.times.filter(|_| self.moves == moves);
        let Times { begin, seen, .. } = times.unwrap_or(Times { begin: now, seen: now, now });
        self.moves = moves;
        self.times = Some(Times { begin, seen: if is_present { now } else { seen }, now });
    }

    /// The time since the move began.
    pub(super) fn move_time(&self) -> Duration {
        self.times.map_or(Duration::ZERO, |times| times.now.saturating_duration_since(times.begin))
    }

    /// The time since the person's page was open.
    pub(super) fn away_time(&self) -> Duration {
        self.times.map_or(Duration::ZERO, |times| times.now.saturating_duration_since(times.seen))
    }

    /// The seconds left of `limit` for the move after `moves` moves, rounded up.
    pub(super) fn seconds_left(&self, moves: usize, limit: Duration) -> u32 {
        let used = if self.moves == moves { self.move_time() } else { Duration::ZERO };
        let left = limit.saturating_sub(used);
        u32::try_from(left.as_millis().div_ceil(1000)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_has_time_from_its_first_tick_on() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let limit = Duration::from_secs(60);
        let mut clock = MoveClock::default();
        assert_eq!(clock.seconds_left(3, limit), 60);
        clock.tick(3, at(100), true);
        clock.tick(3, at(120), false);
        assert_eq!((clock.seconds_left(3, limit), clock.seconds_left(4, limit)), (40, 60));
        assert_eq!((clock.move_time().as_secs(), clock.away_time().as_secs()), (20, 20));
        clock.tick(3, at(121), true);
        assert_eq!((clock.move_time().as_secs(), clock.away_time().as_secs()), (21, 0));
        clock.tick(4, at(130), false);
        assert_eq!((clock.move_time().as_secs(), clock.away_time().as_secs()), (0, 0));
        assert_eq!(clock.seconds_left(4, limit), 60);
    }
}
