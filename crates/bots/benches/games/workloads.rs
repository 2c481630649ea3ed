//! The workloads: whole runs on one thread, with records, hash and standings, and with known results.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Bot, BotName, Entrant, Event, Failure, Hill, HillDraft, Jobs, Program, RunEnd, RunOptions,
    TournamentGame, run,
};
use dicehill_bots::{HouseBot, liars_dice_bots, yahtzee_bots};
use dicehill_rules::liars_dice::{self, Bid, LiarsDice};
use dicehill_rules::yahtzee::{self, Keep, Yahtzee};
use dicehill_rules::{Face, Game};

/// A run to measure.
#[derive(Clone, Copy)]
pub(crate) struct Workload {
    /// What it measures.
    pub(crate) name: &'static str,
    /// The number of games.
    pub(crate) games: u64,
    /// The known result: the number of decisions in all games, and the points of the leader.
    pub(crate) decisions: u64,
    leader_points: u64,
    play: fn(u64) -> Answer,
}

/// The result of a run.
struct Answer {
    decisions: u64,
    leader_points: u64,
}

/// The published bots of each game, and trivial bots that measure the judge.
pub(crate) const WORKLOADS: [Workload; 4] = [
    Workload {
        name: "yahtzee: aces-and-eights v dummy",
        games: 20_000,
        decisions: 998_660,
        leader_points: 19_997,
        play: |games| play(houses(yahtzee_bots(), &["aces-and-eights", "dummy"]), games),
    },
    Workload {
        name: "liars-dice: the four published",
        games: 4000,
        decisions: 948_658,
        leader_points: 3_002_512,
        play: |games| {
            let published = ["badnomial", "nobody", "pirate", "straight-shooter"];
            play(houses(liars_dice_bots(), &published), games)
        },
    },
    Workload {
        name: "yahtzee: the judge alone",
        games: 10_000,
        decisions: 780_000,
        leader_points: 5157,
        play: |games| play(vec![simple("one", Rerolls), simple("other", Rerolls)], games),
    },
    Workload {
        name: "liars-dice: the judge alone",
        games: 1000,
        decisions: 1_685_663,
        leader_points: 1066874,
        play: |games| play(["a", "b", "c", "d"].map(|name| simple(name, Raises)).into(), games),
    },
];

impl Workload {
    /// Plays the run.
    ///
    /// # Panics
    /// If the result is not the known one.
    pub(crate) fn run(&self) {
        let answer = (self.play)(self.games);
        assert_eq!(answer.decisions, self.decisions, "{}: decisions", self.name);
        assert_eq!(answer.leader_points, self.leader_points, "{}: points", self.name);
    }
}

fn play<G: TournamentGame>(entrants: Vec<Entrant<G>>, games: u64) -> Answer {
    let games = games.try_into().expect("a few thousand games");
    let draft = HillDraft { games, ..HillDraft::challenge(entrants, "workload") };
    let hill = Hill::new(draft).expect("a hill that can be played");
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: 100,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    let mut decisions = 0;
    let end = run(&hill, options, &mut |event| {
        if let Event::Played(played, _) = event {
            decisions += played.record.moves.len() as u64;
        }
        Ok(())
    });
    match end.expect("nothing is stored") {
        RunEnd::Done(result) => Answer { decisions, leader_points: result.standings[0].points },
        RunEnd::Stopped(_) => unreachable!("the run is not stopped"),
    }
}

fn houses<G: Game>(bots: impl IntoIterator<Item = HouseBot<G>>, names: &[&str]) -> Vec<Entrant<G>> {
    bots.into_iter().filter(|bot| names.contains(&bot.name())).map(HouseBot::entrant).collect()
}

fn simple<G: Game>(name: &str, bot: impl Program<G> + 'static) -> Entrant<G> {
    Entrant::new(BotName::new(name).expect("a printable name"), Arc::new(bot))
}

/// Rolls all dice twice, then fills the first legal box.
struct Rerolls;

impl Program<Yahtzee> for Rerolls {
    fn identity(&self) -> String {
        "bench:rerolls@1".to_owned()
    }

    fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
        Box::new(Self)
    }
}

impl Bot<Yahtzee> for Rerolls {
    fn act(&mut self, view: &yahtzee::View<'_>) -> Result<yahtzee::Action, Failure> {
        let first = view.legal().iter().next().expect("a player to act has a free box");
        let keeps = view.may_keep();
        Ok(if keeps { yahtzee::Action::Keep(Keep::NONE) } else { yahtzee::Action::Fill(first) })
    }
}

/// Raises by one until half of the dice are claimed, then calls.
struct Raises;

impl Program<LiarsDice> for Raises {
    fn identity(&self) -> String {
        "bench:raises@1".to_owned()
    }

    fn bot(&self) -> Box<dyn Bot<LiarsDice>> {
        Box::new(Self)
    }
}

impl Bot<LiarsDice> for Raises {
    fn act(&mut self, view: &liars_dice::View<'_>) -> Result<liars_dice::Action, Failure> {
        let count = view.last_bid().map_or(0, Bid::count);
        Ok(match Bid::new(count + 1, Face::SIX) {
            Ok(bid) if 2 * count < view.dice_in_play() => liars_dice::Action::Bid(bid),
            Ok(_) | Err(_) => liars_dice::Action::Call,
        })
    }
}
