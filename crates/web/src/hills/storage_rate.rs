//! How fast the games of a run are being stored.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::model::{Progress, RunState};

/// Measures how fast games are being stored.
#[derive(Default)]
pub(super) struct StorageRate {
    /// Times, and the number of games stored by then, latest last.
    samples: VecDeque<(Instant, u64)>,
}

/// The period over which the rate is measured.
const RATE_PERIOD: Duration = Duration::from_secs(20);

impl StorageRate {
    /// The progress of a run that has stored `games` of `of` games now.
    pub(super) fn progress(&mut self, state: RunState, games: u64, of: u64) -> Progress {
        let now = Instant::now();
        self.samples.push_back((now, games));
        while self.samples.front().is_some_and(|(then, _)| now - *then > RATE_PERIOD) {
            self.samples.pop_front();
        }
        let rate = self.samples.front().and_then(|(then, before)| {
            let seconds = (now - *then).as_secs_f64();
            let played = games.saturating_sub(*before) as f64;
            (state == RunState::Playing && seconds > 0.5 && played > 0.0).then(|| played / seconds)
        });
        let left = of.saturating_sub(games) as f64;
        Progress {
            state,
            games,
            of: of.max(games),
            rate: rate.map(dicehill_arena::six_digits),
            seconds_left: rate.map(|rate| (left / rate).ceil() as u64),
        }
    }
}
