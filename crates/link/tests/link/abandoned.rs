//! Requests of games that are broken off because another bot has failed.

use std::time::{Duration, Instant};

use dicehill_arena::{GameSlot, Memory, Play, Program, Server, Start};
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, PublicInfo};

use dicehill_link::{Isolation, probe};

use crate::support::{LIMITS, isolated_offender, use_helper};

/// The bot computes for two seconds when it is asked, and then says how much processor time it has had.
#[test]
fn a_bot_has_no_processor_time_for_an_answer_that_it_no_longer_owes() {
    use_helper();
    let missing = probe().expect("it can be tried");
    if missing.iter().any(|missing| missing.mechanism.is_needed()) {
        // Without a sandbox there is no limit.
        return;
    }
    let bot = isolated_offender("spins", Memory::Game, LIMITS, Isolation::On);
    let mut server: Box<dyn Server<Yahtzee>> = bot.server().expect("it is a process");
    let public = PublicInfo { names: vec!["A", "B"], points: vec![0, 0] };
    let chance = Chance::new("s");
    let play = Play::<Yahtzee, _>::new(Default::default(), chance.table(1), 2, public);
    let (slot, begun) = (GameSlot(0), Instant::now());
    server.start(slot, &Start { game: 1, id: 1000, players: 2, seed: 7 });
    server.ask(slot, &play.turn().expect("the game begins").1);
    server.flush();
    server.abandon(slot);
    let failure = loop {
        server.flush();
        if let Err(failure) = server.step(&mut Vec::new()) {
            break failure;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "it has not ended");
        std::thread::sleep(Duration::from_millis(5));
    };
    let used = failure.log.last().and_then(|line| line.parse::<f64>().ok());
    let used = used.unwrap_or_else(|| panic!("{failure:?}"));
    // It begins with 0.75 s that it may save up.
    assert!(used < 1.5, "{used} s");
}
