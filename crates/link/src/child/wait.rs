//! Waits for the pipes of children.

use std::time::{Duration, Instant};

use dicehill_arena::PollInterest;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The longest wait, so that callers notice a stop soon.
const MAX_WAIT: Duration = Duration::from_millis(50);

/// Waits for one child until one of its pipes is ready, its deadline has passed, or 50 ms are over. Returns whether a step is
/// worthwhile.
pub(crate) fn wait_for_one(interest: PollInterest<'_>) -> bool {
    let mut ready = Vec::with_capacity(1);
    wait_for_any(&[interest], &mut ready);
    ready == [true]
}

/// Waits for several children at once, as [`dicehill_arena::Server::wait`] documents.
pub(crate) fn wait_for_any(interests: &[PollInterest<'_>], ready: &mut Vec<bool>) {
    let mut descriptors = Vec::with_capacity(3 * interests.len());
    descriptors.extend(interests.iter().flat_map(descriptors_of));
    let first = interests.iter().filter_map(|interest| interest.deadline).min();
    let timeout = first.map_or(MAX_WAIT, |first| time_until(first).min(MAX_WAIT));
    let seconds = i64::try_from(timeout.as_secs()).unwrap_or(0);
    let timeout = Timespec { tv_sec: seconds, tv_nsec: i64::from(timeout.subsec_nanos()) };
    let any_ready = poll(&mut descriptors, Some(&timeout)).is_ok_and(|ready| ready > 0);
    let mut rest = descriptors.as_slice();
    let is_ready = |interest: &PollInterest<'_>| {
        let (own, others) = rest.split_at(descriptors_of(interest).count());
        rest = others;
        let has_event = any_ready && own.iter().any(|fd| !fd.revents().is_empty());
        has_event || interest.deadline.is_some_and(|deadline| time_until(deadline).is_zero())
    };
    ready.clear();
    ready.extend(interests.iter().map(is_ready));
}

/// What to poll for an interest.
fn descriptors_of<'a>(interest: &PollInterest<'a>) -> impl Iterator<Item = PollFd<'a>> {
    let PollInterest { stdout, stderr, stdin, deadline: _ } = *interest;
    let stdout = stdout.map(|pipe| PollFd::new(pipe, PollFlags::IN));
    let stderr = stderr.map(|pipe| PollFd::new(pipe, PollFlags::IN));
    let stdin = stdin.map(|pipe| PollFd::new(pipe, PollFlags::OUT));
    stdout.into_iter().chain(stderr).chain(stdin)
}

fn time_until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Child, Command, Stdio};

    use super::*;

    fn cat() -> Child {
        let mut command = Command::new("cat");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    fn pipes(child: &Child) -> PollInterest<'_> {
        let Child { stdout, stderr, .. } = child;
        PollInterest { stdout: stdout.as_ref(), stderr: stderr.as_ref(), ..PollInterest::default() }
    }

    #[test]
    fn only_interests_with_an_event_or_a_passed_deadline_are_ready() {
        let (idle, mut echoing) = (cat(), cat());
        echoing.stdin.as_mut().unwrap().write_all(b"echo").unwrap();
        let none = PollInterest::default();
        while !wait_for_one(pipes(&echoing)) {}
        let writable = PollInterest { stdin: idle.stdin.as_ref(), ..pipes(&idle) };
        let late = PollInterest { deadline: Some(Instant::now()), ..pipes(&idle) };
        let interests = [pipes(&idle), pipes(&echoing), none, writable, pipes(&idle), late];
        let mut ready = vec![true; 9];
        wait_for_any(&interests, &mut ready);
        assert_eq!(ready, [false, true, false, true, false, true]);
        for mut child in [idle, echoing] {
            drop(child.stdin.take());
            child.wait().unwrap();
        }
    }
}
