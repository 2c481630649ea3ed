//! Bots that remember the whole run: their recorded games are replayed to them, and their answers compared.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_arena::{
    Bar, Event, GameSource, Hill, Jobs, MAX_PLAY_OFFS, ResumeState, RunOptions, run_from,
};

use crate::games::TerminalGame;

/// An answer that differs from the recorded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Divergence {
    pub(crate) bot: String,
    pub(crate) game: u64,
    pub(crate) recorded: String,
    pub(crate) answered: String,
}

/// Replays the games up to `last` to bots that remember the whole run, and returns the first answer of each
/// that differs from the recorded one.
///
/// # Errors
/// If a recorded game cannot be read.
pub(crate) fn divergences<G: TerminalGame>(
    hill: &Hill<G>,
    bars: &[Bar],
    games: &dyn GameSource,
    last: u64,
) -> io::Result<Vec<Divergence>> {
    let stop = AtomicBool::new(last == 0);
    let past =
        ResumeState { bars: bars.to_vec(), games, is_resumed: true, recorded: 0, records: None };
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    let mut found = Vec::new();
    run_from(hill, past, options, &mut |event| {
        match event {
            Event::Diverged { bot, game, recorded, answered } => {
                let [bot, recorded, answered] = [bot, recorded, answered].map(str::to_owned);
                found.push(Divergence { bot, game, recorded, answered });
            }
            Event::Recalled(recalled, _) => {
                stop.store(recalled.fixture.game >= last, Ordering::Relaxed);
            }
            Event::Started(_)
            | Event::Played(..)
            | Event::Barred(_)
            | Event::Retried(_)
            | Event::MemoryLost { .. }
            | Event::Ended(_) => {}
        }
        Ok(())
    })?;
    Ok(found)
}
