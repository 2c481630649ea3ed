//! Recorded runs of house bots.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    BotName, Entrant, Event, Hill, HillDraft, Jobs, RunOptions, TournamentGame, run,
};
use dicehill_bots::HouseBot;
use dicehill_rules::Game;

/// The log lines of the games, and all other events as text.
pub(crate) struct Recording {
    pub(crate) lines: Vec<String>,
    pub(crate) others: Vec<String>,
}

pub(crate) fn play<G: TournamentGame>(draft: HillDraft<G>, jobs: usize) -> Recording {
    let hill = Hill::new(draft).expect("a hill of house bots");
    let options = RunOptions {
        jobs: Jobs::Exactly(jobs),
        max_play_offs: 100,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    let mut recording = Recording { lines: Vec::new(), others: Vec::new() };
    run(&hill, options, &mut |event| {
        match event {
            Event::Started(header) => recording.others.push(format!("{header:?}")),
            Event::Played(played, _) => recording.lines.push(played.line.clone()),
            Event::Barred(bar) => panic!("a house bot is barred: {bar:?}"),
            Event::Retried(retrial) => panic!("nothing to try again: {retrial:?}"),
            Event::MemoryLost { bot, .. } => panic!("{bot} has no process"),
            Event::Recalled(..) | Event::Diverged { .. } => panic!("the run has no past"),
            Event::Ended(document) => recording.others.push(format!("{document:?}")),
        }
        Ok(())
    })
    .expect("nothing is stored");
    recording
}

/// The house bot `house` as an entrant with another name.
pub(crate) fn named<G: Game>(
    bots: impl IntoIterator<Item = HouseBot<G>>,
    house: &str,
    name: &str,
) -> Entrant<G> {
    let house = bots.into_iter().find(|bot| bot.name() == house).expect("a house bot");
    Entrant::new(BotName::new(name).expect("a name"), Arc::new(house))
}
