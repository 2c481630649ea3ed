//! Games that workers play, as a source of recorded games.

use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use dicehill_arena::{Bar, GameSource, Offence};

use super::hosted_run::HostedRun;
use super::shared::{Shared, State};
use crate::ranges::Wanted;

/// How much later than the run this source stops waiting, so that the run notices the end of its time first.
const AFTER_DEADLINE: Duration = Duration::from_millis(200);

/// Games that workers play, as a source of recorded games. [`GameSource::line`] waits for them.
pub struct WorkerGames<'a> {
    run: &'a HostedRun<'a>,
    shared: &'a Shared,
}

impl<'a> WorkerGames<'a> {
    pub(super) const fn new(run: &'a HostedRun<'a>, shared: &'a Shared) -> Self {
        Self { run, shared }
    }

    fn is_stopping(&self) -> bool {
        let is_over = |deadline: Instant| Instant::now() >= deadline + AFTER_DEADLINE;
        self.run.stop.load(Ordering::Relaxed) || self.run.deadline.is_some_and(is_over)
    }

    /// Plays a game to check workers that no other worker has checked, at the end of a run.
    fn check_game(&self, bars: &[Bar], game: u64) -> io::Result<()> {
        let line = self.run.judge.play(bars, game)?;
        let mut state = self.shared.lock();
        for (worker, why) in state.book.settle_check(&line) {
            state.refuse(worker, game, &why.to_string());
        }
        drop(state);
        self.shared.changed();
        Ok(())
    }

    /// Whether the game is the last one that workers play, and their games are not checked yet.
    fn must_wait(state: &State, game: u64) -> bool {
        state.book.has_checks() && state.book.is_last(game)
    }
}

impl GameSource for WorkerGames<'_> {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        let mut state = self.shared.lock();
        loop {
            if let Some(why) = &state.failed {
                return Err(io::Error::other(why.clone()));
            }
            if self.is_stopping() {
                return Err(io::Error::new(io::ErrorKind::Interrupted, "the run is stopped"));
            }
            if Self::must_wait(&state, game) {
                if let Some(game) = state.book.check_of_host(self.shared.now()) {
                    let bars = state.bars.clone();
                    drop(state);
                    self.check_game(&bars, game)?;
                    state = self.shared.lock();
                    continue;
                }
            } else {
                match state.book.take(game) {
                    Wanted::Line(line) => return Ok(Some(line)),
                    // What is recorded of a game that workers play is of another table or other entrants.
                    Wanted::Host => {
                        drop(state);
                        return self.run.recorded.line(game);
                    }
                    Wanted::NotYet => {}
                }
            }
            state = self.shared.wait(state);
        }
    }

    fn is_ready(&self, game: u64) -> bool {
        let state = self.shared.lock();
        state.failed.is_some() || (state.book.has(game) && !Self::must_wait(&state, game))
    }

    fn begin_again(&self, bars: &[Bar]) {
        match self.run.judge.needed(bars, self.run.recorded) {
            Ok(games) => self.shared.begin(&games, bars),
            Err(error) => self.shared.lock().failed = Some(error.to_string()),
        }
    }

    fn machine(&self, game: u64) -> Option<String> {
        let mut state = self.shared.lock();
        let worker = state.book.player(game)?;
        Some(state.machine(worker))
    }

    fn unjudged_offences(&self, game: u64) -> io::Result<Option<Vec<Offence>>> {
        if let Some(offences) = self.shared.lock().book.offences(game) {
            return Ok(Some(offences));
        }
        self.run.recorded.unjudged_offences(game)
    }
}
