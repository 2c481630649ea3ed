//! Games lost to a clock are played again alone before they count.

use std::sync::Arc;
use std::time::Instant;

use dicehill_arena::{
    Answered, Bot, Failure, Finished, GameSlot, PollInterest, Program, Reason, Server, Start,
};
use dicehill_rules::yahtzee::{Action, View, Yahtzee};

use crate::support::{Bots, challenge, failure, fill_first, first_box, play, without};

/// An external program whose processes fail in their third game.
struct Late {
    reason: Reason,
    /// Whether it fails in that game too when it plays it alone.
    is_late_alone: bool,
}

struct LateBot {
    failure: Option<Reason>,
}

/// Answers at once, so that its driver never waits.
struct LateServer {
    reason: Reason,
    games: u64,
    answers: Vec<Answered<Yahtzee>>,
}

impl Program<Yahtzee> for Late {
    fn identity(&self) -> String {
        "test:late".to_owned()
    }

    fn is_outside(&self) -> bool {
        true
    }

    fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
        Box::new(LateBot { failure: self.is_late_alone.then_some(self.reason) })
    }

    fn server(&self) -> Option<Box<dyn Server<Yahtzee>>> {
        Some(Box::new(LateServer { reason: self.reason, games: 0, answers: Vec::new() }))
    }
}

impl Bot<Yahtzee> for LateBot {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        self.failure.map_or_else(|| fill_first(view), failure)
    }
}

impl Server<Yahtzee> for LateServer {
    fn capacity(&self) -> usize {
        usize::from(self.games < 3)
    }

    fn start(&mut self, _slot: GameSlot, _start: &Start) {
        self.games += 1;
    }

    fn ask(&mut self, slot: GameSlot, view: &View<'_>) {
        self.answers.push((slot, fill_first(view)));
    }

    fn reveal(&mut self, _slot: GameSlot, _game: &Yahtzee, _action: &Action) {}

    fn refused(&mut self, _slot: GameSlot, _why: &str) {}

    fn end(&mut self, _slot: GameSlot, _finished: &Finished<'_, Yahtzee>) {}

    fn abandon(&mut self, _slot: GameSlot) {}

    fn flush(&mut self) {}

    fn step(&mut self, answers: &mut Vec<Answered<Yahtzee>>) -> Result<(), Failure> {
        if self.games < 3 {
            answers.append(&mut self.answers);
            return Ok(());
        }
        Err(Failure::new(self.reason, "as scripted"))
    }

    fn poll_interest(&self) -> PollInterest<'_> {
        PollInterest { deadline: Some(Instant::now()), ..PollInterest::default() }
    }

    fn wait(&self, interests: &[PollInterest<'_>], ready: &mut Vec<bool>) {
        ready.clear();
        ready.resize(interests.len(), true);
    }
}

fn bots(reason: Reason, is_late_alone: bool) -> Bots<Yahtzee> {
    let late: Arc<dyn Program<Yahtzee>> = Arc::new(Late { reason, is_late_alone });
    vec![("A", first_box()), ("Late", late), ("B", first_box())]
}

const CLOCKS: [Reason; 3] = [Reason::StartTimeout, Reason::MoveTimeout, Reason::GameTimeout];

#[test]
fn a_late_game_that_is_in_time_alone_costs_nothing() {
    let honest = vec![("A", first_box()), ("Late", first_box()), ("B", first_box())];
    let undisturbed = play(&challenge(&honest, 10), 1);
    for reason in CLOCKS {
        let outcome = play(&challenge(&bots(reason, false), 10), 1);
        assert_eq!(outcome.lines, undisturbed.lines, "{reason}");
        let retried = outcome.events.iter().filter(|event| event.starts_with("retried"));
        let retried: Vec<_> = retried.collect();
        assert_eq!(retried.len(), 3, "games 3, 6 and 9: {retried:?}");
        assert!(retried.iter().all(|event| event.contains("retry_failure: None")), "{retried:?}");
    }
}

#[test]
fn a_game_that_is_late_alone_too_bars() {
    for reason in CLOCKS {
        let bots = bots(reason, true);
        let outcome = play(&challenge(&bots, 10), 1);
        let [bar] = outcome.bars.as_slice() else { panic!("{:?}", outcome.bars) };
        let found = (bar.bot.as_str(), bar.game, bar.reason.as_str());
        assert_eq!(found, ("Late", 3, reason.name()));
        assert_eq!(outcome.lines, play(&challenge(&without(&bots, &["Late"]), 10), 1).lines);
    }
}
