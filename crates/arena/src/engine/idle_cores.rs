//! How many cores of the machine have nothing to do.

use std::time::{Duration, Instant};

/// The time between two looks.
const INTERVAL: Duration = Duration::from_millis(200);

/// Looks how many cores of the machine have nothing to do.
pub(crate) struct IdleCores {
    looked: Instant,
    times: Option<CoreTimes>,
}

/// What all cores have done since the machine was started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CoreTimes {
    cores: u64,
    /// In units of the system.
    idle: u64,
    total: u64,
}

impl IdleCores {
    pub(crate) fn new() -> Self {
        Self { looked: Instant::now(), times: CoreTimes::read() }
    }

    /// The whole cores that were idle since the last look; zero as long as that is less than 200 ms ago. All cores count as idle
    /// where the system does not say what they do.
    pub(crate) fn look(&mut self) -> usize {
        if self.looked.elapsed() < INTERVAL {
            return 0;
        }
        self.looked = Instant::now();
        let before = std::mem::replace(&mut self.times, CoreTimes::read());
        match (before, self.times) {
            (Some(before), Some(now)) => now.idle_cores_since(before),
            (None, _) | (_, None) => usize::MAX,
        }
    }
}

impl CoreTimes {
    fn read() -> Option<Self> {
        Self::parse(&std::fs::read_to_string("/proc/stat").ok()?)
    }

    /// Reads `/proc/stat` (`proc_stat(5)`): `cpu` with the times of all cores, and such a line for each core. Its times are user, nice,
    /// system, idle, waiting for disks, and others; the last two, of guests, are contained in the first two.
    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let times = lines.next()?.strip_prefix("cpu ")?.split_ascii_whitespace();
        let times: Vec<u64> = times.take(8).map_while(|time| time.parse().ok()).collect();
        let cores = lines.take_while(|line| line.starts_with("cpu")).count() as u64;
        let idle = times.get(3..5)?.iter().sum();
        (cores > 0).then_some(Self { cores, idle, total: times.iter().sum() })
    }

    fn idle_cores_since(self, before: Self) -> usize {
        let total = self.total.saturating_sub(before.total);
        let idle = self.idle.saturating_sub(before.idle).saturating_mul(self.cores);
        idle.checked_div(total).and_then(|cores| usize::try_from(cores).ok()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "cpu  100 20 30 800 40 0 10 0 50 0\n\
                        cpu0 50 10 15 400 20 0 5 0 25 0\n\
                        cpu1 50 10 15 400 20 0 5 0 25 0\n\
                        intr 12 0 0\n";

    #[test]
    fn the_times_of_all_cores_are_read() {
        let times = CoreTimes { cores: 2, idle: 840, total: 1000 };
        assert_eq!(CoreTimes::parse(STAT), Some(times));
        for damaged in ["", "cpu  1 2 3", "cpu  1 2 3 4 5 6 7 8 9 10\nintr 12", "cpu  a b c d e"] {
            assert_eq!(CoreTimes::parse(damaged), None, "{damaged}");
        }
    }

    #[test]
    fn whole_cores_are_counted() {
        let before = CoreTimes { cores: 4, idle: 1000, total: 4000 };
        for (idle, cores) in [(0, 0), (24, 0), (26, 1), (50, 2), (100, 4)] {
            let now = CoreTimes { cores: 4, idle: before.idle + idle, total: before.total + 100 };
            assert_eq!(now.idle_cores_since(before), cores, "{idle}");
        }
        assert_eq!(before.idle_cores_since(before), 0, "no time has passed");
    }
}
