//! The answer times of a bot.

use std::time::Duration;

/// The times of a bot's answers, from request to answer as the arena measured them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerTimes {
    ascending: Vec<Duration>,
    games: u32,
    /// The sum over the game that was played first.
    first_game: Duration,
}

impl AnswerTimes {
    /// Takes the times by game, in the order in which the games were played.
    #[must_use]
    pub fn new(games: &[Vec<Duration>]) -> Self {
        let mut ascending: Vec<_> = games.iter().flatten().copied().collect();
        ascending.sort_unstable();
        let first_game = games.first().into_iter().flatten().sum();
        Self { ascending, games: games.len().try_into().unwrap_or(u32::MAX), first_game }
    }

    /// An estimate of the time for so many games. The first game is longer if a process serves them all: it starts in it.
    #[must_use]
    pub fn forecast(&self, games: u32) -> Duration {
        if self.games < 2 {
            return self.first_game * games;
        }
        let of_game = self.total().saturating_sub(self.first_game) / (self.games - 1);
        of_game * games + self.first_game.saturating_sub(of_game)
    }

    /// The least measured time that at least `percent` percent of the answers did not exceed; 0 without answers.
    #[must_use]
    pub fn percentile(&self, percent: usize) -> Duration {
        let rank = (percent * self.ascending.len()).div_ceil(100).max(1);
        self.ascending.get(rank - 1).copied().unwrap_or_default()
    }

    /// The longest time; 0 without answers.
    #[must_use]
    pub fn longest(&self) -> Duration {
        self.ascending.last().copied().unwrap_or_default()
    }

    /// The sum of all times.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.ascending.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_measured_times() {
        let millis = Duration::from_millis;
        let times = AnswerTimes::new(&[(1..=200).rev().map(millis).collect()]);
        assert_eq!([50, 95, 99].map(|p| times.percentile(p)), [100, 190, 198].map(millis));
        assert_eq!((times.longest(), times.total()), (millis(200), millis(20_100)));
        let single = AnswerTimes::new(&[vec![millis(7)]]);
        assert_eq!((single.percentile(1), single.percentile(99)), (millis(7), millis(7)));
        assert_eq!(AnswerTimes::default().percentile(50), Duration::ZERO);
    }

    #[test]
    fn a_forecast_counts_the_start_of_a_process_as_often_as_it_starts() {
        let millis = |times: &[u64]| times.iter().copied().map(Duration::from_millis).collect();
        let one_start = AnswerTimes::new(&[millis(&[300, 2]), millis(&[1, 1]), millis(&[1, 1])]);
        assert_eq!(one_start.forecast(1000), Duration::from_millis(2000 + 300));
        let all_start = AnswerTimes::new(&[millis(&[300, 2]), millis(&[300, 2])]);
        assert_eq!(all_start.forecast(1000), Duration::from_millis(302 * 1000));
        let one_game = AnswerTimes::new(&[millis(&[3, 2])]);
        assert_eq!(one_game.forecast(1000), Duration::from_millis(5000));
        assert_eq!(AnswerTimes::default().forecast(1000), Duration::ZERO);
    }
}
