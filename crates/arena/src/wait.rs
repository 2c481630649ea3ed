//! Waiting for processes.

use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::Wishes;

/// The longest that anybody waits before looking around.
const LOOK_AROUND: Duration = Duration::from_millis(50);

/// Waits until something that was wished for has happened, a deadline is over, or it is time to look
/// around. Says for each wish whether a step is worth while.
///
/// A wait that a signal cuts short is over: whoever waits looks again.
pub fn wait<'a>(wishes: impl IntoIterator<Item = Wishes<'a>>) -> Vec<bool> {
    let mut descriptors = Vec::new();
    let mut deadlines = Vec::new();
    for Wishes { output, log, input, deadline } in wishes {
        let reading = output.into_iter().chain(log);
        descriptors.extend(reading.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        descriptors.extend(input.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::OUT)));
        deadlines.push((descriptors.len(), deadline));
    }
    let first = deadlines.iter().filter_map(|(_, deadline)| *deadline).min();
    let timeout = first.map_or(LOOK_AROUND, |first| left_until(first).min(LOOK_AROUND));
    let seconds = i64::try_from(timeout.as_secs()).unwrap_or(0);
    let timeout = Timespec { tv_sec: seconds, tv_nsec: i64::from(timeout.subsec_nanos()) };
    let ready = poll(&mut descriptors, Some(&timeout)).is_ok_and(|ready| ready > 0);
    let mut begin = 0;
    let mut is_ready = |(end, deadline): (usize, Option<Instant>)| {
        let own = &descriptors[begin..end];
        begin = end;
        let has_come = ready && own.iter().any(|fd| !fd.revents().is_empty());
        has_come || deadline.is_some_and(|deadline| left_until(deadline).is_zero())
    };
    deadlines.into_iter().map(&mut is_ready).collect()
}

fn left_until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}
