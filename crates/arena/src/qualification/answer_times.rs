//! The answer times of a bot.

use std::time::Duration;

/// The times of a bot's answers, from request to answer as the arena measured them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerTimes {
    ascending: Vec<Duration>,
}

impl AnswerTimes {
    /// Takes the times in any order.
    #[must_use]
    pub fn new(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self { ascending: times }
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
        let times = AnswerTimes::new((1..=200).rev().map(millis).collect());
        assert_eq!([50, 95, 99].map(|p| times.percentile(p)), [100, 190, 198].map(millis));
        assert_eq!((times.longest(), times.total()), (millis(200), millis(20_100)));
        let single = AnswerTimes::new(vec![millis(7)]);
        assert_eq!((single.percentile(1), single.percentile(99)), (millis(7), millis(7)));
        assert_eq!(AnswerTimes::default().percentile(50), Duration::ZERO);
    }
}
