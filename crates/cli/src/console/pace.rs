//! How fast games are played, and how much time is left.

use std::time::{Duration, Instant};

use indicatif::HumanDuration;

use crate::text::thousands;

/// The pace since the first game that was played. Games that are recalled from a record come before it and take no time.
pub(super) struct Pace {
    begun: Instant,
    /// The games that were done then.
    before: u64,
    has_begun: bool,
}

impl Pace {
    /// The pace of games from now on.
    pub(super) fn start() -> Self {
        Self { begun: Instant::now(), before: 0, has_begun: false }
    }

    /// A game has been played.
    pub(super) const fn play(&mut self) {
        self.has_begun = true;
    }

    /// A game was recalled, so that `done` games are done.
    pub(super) fn recall(&mut self, done: u64) {
        if !self.has_begun {
            (self.begun, self.before) = (Instant::now(), done);
        }
    }

    /// Games a second; `None` before the first was played.
    pub(super) fn per_second(&self, done: u64) -> Option<f64> {
        of_games(done.saturating_sub(self.before), self.begun.elapsed())
    }

    /// The time until `games` games are done.
    pub(super) fn time_left(&self, done: u64, games: u64) -> Option<Duration> {
        let seconds = games.saturating_sub(done) as f64 / self.per_second(done)?;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

/// The games a second; `None` if there was no game, or no time.
fn of_games(games: u64, took: Duration) -> Option<f64> {
    let seconds = took.as_secs_f64();
    (games > 0 && seconds > 0.0).then(|| games as f64 / seconds)
}

/// A rate as text: few games a second have a decimal.
pub(super) fn rate(per_second: f64) -> String {
    if per_second < 10.0 {
        format!("{per_second:.1}/s")
    } else {
        format!("{}/s", thousands(per_second as u64))
    }
}

/// The time left as text.
pub(super) fn left(time: Duration) -> String {
    format!("{:#} left", HumanDuration(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recalled_games_before_the_first_one_do_not_count() {
        let mut pace = Pace::start();
        assert_eq!(pace.per_second(0), None);
        pace.recall(1_000_000);
        assert_eq!(
            (pace.per_second(1_000_000), pace.time_left(1_000_000, 2_000_000)),
            (None, None)
        );
        pace.play();
        let begun = pace.begun;
        // A recalled game among played ones is a game like any other.
        pace.recall(1_000_002);
        assert_eq!((pace.begun, pace.before), (begun, 1_000_000));
        std::thread::sleep(Duration::from_millis(2));
        let rate = pace.per_second(1_000_002).expect("two games were played");
        assert!(rate <= 1000.0, "{rate}");
    }

    #[test]
    fn a_rate_is_games_by_time() {
        assert_eq!(of_games(3, Duration::from_secs(2)), Some(1.5));
        assert_eq!(of_games(0, Duration::from_secs(2)), None);
        assert_eq!(of_games(3, Duration::ZERO), None);
        assert_eq!(
            (rate(0.25), rate(9.94), rate(12_345.6)),
            ("0.2/s".into(), "9.9/s".into(), "12,345/s".into())
        );
        assert_eq!(left(Duration::from_secs(27)), "27s left");
    }
}
