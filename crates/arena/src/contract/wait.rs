//! Waits for processes.

use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::PollInterest;

/// The longest wait, so that callers notice a stop soon.
const LONGEST_WAIT: Duration = Duration::from_millis(50);

/// Waits until a descriptor is ready, a deadline has passed, or 50 ms are over. Returns for each interest whether a
/// step is worthwhile.
///
/// A signal ends the wait early; the caller then waits again.
pub fn wait<'a>(interests: impl IntoIterator<Item = PollInterest<'a>>) -> Vec<bool> {
    let mut descriptors = Vec::new();
    let mut deadlines = Vec::new();
    for PollInterest { output, log, input, deadline } in interests {
        let reading = output.into_iter().chain(log);
        descriptors.extend(reading.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        descriptors.extend(input.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::OUT)));
        deadlines.push((descriptors.len(), deadline));
    }
    let first = deadlines.iter().filter_map(|(_, deadline)| *deadline).min();
    let timeout = first.map_or(LONGEST_WAIT, |first| time_until(first).min(LONGEST_WAIT));
    let seconds = i64::try_from(timeout.as_secs()).unwrap_or(0);
    let timeout = Timespec { tv_sec: seconds, tv_nsec: i64::from(timeout.subsec_nanos()) };
    let any_ready = poll(&mut descriptors, Some(&timeout)).is_ok_and(|ready| ready > 0);
    let mut begin = 0;
    let mut is_ready = |(end, deadline): (usize, Option<Instant>)| {
        let own = &descriptors[begin..end];
        begin = end;
        let has_event = any_ready && own.iter().any(|fd| !fd.revents().is_empty());
        has_event || deadline.is_some_and(|deadline| time_until(deadline).is_zero())
    };
    deadlines.into_iter().map(&mut is_ready).collect()
}

fn time_until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}
