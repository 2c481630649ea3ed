//! A run whose time is over is interrupted, and is resumed to the same result.

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use dicehill_arena::{
    Event, GameSource, HillDraft, Jobs, Memory, ResumeState, RunEnd, RunOptions, run_from,
};
use dicehill_rules::yahtzee::Yahtzee;

use crate::support::{best_box, draft, fill_first, hill, play, scripted};

/// The game in which the time is over.
const LAST: u64 = 3;

struct RecordedLines(Vec<String>);

impl GameSource for RecordedLines {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        Ok(self.0.get(game as usize - 1).cloned())
    }
}

/// Plays a run whose time is over in game [`LAST`], then resumes it without a limit.
fn check(memory: Memory) {
    let deadline = Instant::now() + Duration::from_millis(100);
    // Waits in that game until the time is over, so that the test depends on no speed.
    let waiting = scripted::<Yahtzee>(move |turn, view| {
        while turn.start.game >= LAST && Instant::now() < deadline {
            std::thread::yield_now();
        }
        fill_first(view)
    });
    let bots = vec![("Waiting", waiting), ("Best", best_box())];
    let hill = hill(HillDraft { memory, games: 10, ..draft(&bots) });
    let stop = AtomicBool::new(false);
    let options =
        |deadline| RunOptions { jobs: Jobs::Exactly(1), max_play_offs: 100, stop: &stop, deadline };
    let mut lines = Vec::new();
    let mut on = |event: Event<'_, Yahtzee>| {
        if let Event::Played(played, _) = event {
            lines.push(played.line.clone());
        }
        Ok(())
    };
    let end = run_from(&hill, ResumeState::fresh(Vec::new()), options(Some(deadline)), &mut on);
    assert!(matches!(end, Ok(RunEnd::Stopped(_))), "the run went on");
    assert!(lines.len() as u64 <= LAST, "{}", lines.len());
    let games = RecordedLines(lines);
    let state = ResumeState {
        bars: Vec::new(),
        games: &games,
        is_resumed: true,
        recorded: 0,
        records: None,
    };
    let end = run_from(&hill, state, options(None), &mut |_| Ok(()));
    let RunEnd::Done(document) = end.expect("all lines can be read") else {
        panic!("the run was stopped")
    };
    assert_eq!(document, play(&hill, 1).document);
}

#[test]
fn a_run_is_interrupted_when_its_time_is_over() {
    check(Memory::Game);
    check(Memory::Set);
}
