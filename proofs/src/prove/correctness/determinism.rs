//! The same bytes for any number of threads.

use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    FormatName, Hill, HillDraft, Jobs, MAX_PLAY_OFFS, RunOptions, TournamentGame, run,
};
use dicehill_bots::{HouseBot, liars_dice_bots, yahtzee_bots};
use dicehill_rules::Game;

use crate::figures::Figure;

/// Games of each run, or of each of its pairings.
const GAMES: i64 = 20_000;
/// The compared numbers of threads; one of them twice.
const JOBS: [usize; 5] = [1, 2, 8, 8, 32];

pub(crate) fn figures() -> Vec<Figure> {
    let yahtzee = || yahtzee_bots().map(HouseBot::entrant).into();
    let liars_dice = || liars_dice_bots().map(HouseBot::entrant).into();
    let mut figures = Vec::new();
    for format in FormatName::ALL {
        let games = if format == FormatName::Challenge { GAMES } else { GAMES / 10 };
        let yahtzee = HillDraft { format, games, ..HillDraft::challenge(yahtzee(), "prove") };
        figures.push(figure(format, yahtzee));
        let liars_dice = HillDraft { format, games, ..HillDraft::challenge(liars_dice(), "prove") };
        figures.push(figure(format, liars_dice));
    }
    figures
}

fn figure<G: TournamentGame>(format: FormatName, draft: HillDraft<G>) -> Figure {
    let hill = Hill::new(draft).expect("a hill that can be played");
    let digests = JOBS.map(|jobs| digest(&hill, jobs));
    let are_equal = digests.iter().all(|digest| *digest == digests[0]);
    Figure {
        name: format!(
            "{}, {}: runs with the same events on {JOBS:?} threads",
            G::NAME,
            format.name()
        ),
        value: digests.iter().filter(|digest| **digest == digests[0]).count().to_string(),
        interval: "exact".to_owned(),
        aim: JOBS.len().to_string(),
        met: are_equal,
    }
}

/// A hash of all events of the run.
fn digest<G: Game>(hill: &Hill<G>, jobs: usize) -> u64 {
    use dicehill_arena::Event;
    use std::hash::{DefaultHasher, Hash, Hasher};
    let options = RunOptions {
        jobs: Jobs::Exactly(jobs),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    let mut hasher = DefaultHasher::new();
    run(hill, options, &mut |event| {
        match event {
            Event::Started(header) => format!("{header:?}").hash(&mut hasher),
            Event::Played(played, _) => played.line.hash(&mut hasher),
            Event::Barred(bar) => format!("{bar:?}").hash(&mut hasher),
            Event::Retried(_) | Event::MemoryLost { .. } => {
                unreachable!("house bots have no processes")
            }
            Event::Recalled(..) | Event::Diverged { .. } => unreachable!("the run has no past"),
            Event::Ended(document) => format!("{document:?}").hash(&mut hasher),
        }
        Ok(())
    })
    .expect("nothing is stored");
    hasher.finish()
}
