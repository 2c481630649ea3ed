//! Runs of house bots, written down.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{BotName, Entrant, Event, Hill, HillDraft, RunOptions, run};
use dicehill_bots::House;
use dicehill_rules::Game;

/// A game that was played and its line in the log; every other event as text.
pub(crate) struct Told {
    pub(crate) lines: Vec<String>,
    pub(crate) others: Vec<String>,
}

pub(crate) fn play<G: Game>(draft: HillDraft<G>, jobs: usize) -> Told {
    let hill = Hill::new(draft).expect("a hill of house bots");
    let options = RunOptions { jobs, most_play_offs: 100, stop: &AtomicBool::new(false) };
    let mut told = Told { lines: Vec::new(), others: Vec::new() };
    run(&hill, options, &mut |event| {
        match event {
            Event::Started(header) => told.others.push(format!("{header:?}")),
            Event::Played(played, _) => told.lines.push(played.line.clone()),
            Event::Barred(bar) => panic!("a house bot is barred: {bar:?}"),
            Event::Retried(retrial) => panic!("nothing to try again: {retrial:?}"),
            Event::MemoryLost { bot, .. } => panic!("{bot} has no process"),
            Event::Recalled(..) | Event::Diverged { .. } => panic!("the run has no past"),
            Event::Ended(document) => told.others.push(format!("{document:?}")),
        }
        Ok(())
    })
    .expect("nothing is stored");
    told
}

/// One of these house bots under another name.
pub(crate) fn named<G: Game>(
    bots: impl IntoIterator<Item = House<G>>,
    house: &str,
    name: &str,
) -> Entrant<G> {
    let house = bots.into_iter().find(|bot| bot.name() == house).expect("a house bot");
    Entrant::new(BotName::new(name).expect("a name"), Arc::new(house))
}
