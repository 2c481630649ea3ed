//! `seer` against the other house bots, in small runs; `cargo xtask prove seats` plays long ones.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    BotName, Entrant, FormatName, Hill, HillDraft, Jobs, Memory, Program, ResultDocument, RunEnd,
    RunOptions, run,
};
use dicehill_bots::liars_dice_bots;
use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};

use crate::legality::check_legality;

const OURS: &str = "seer";
const PUBLISHED: [&str; 4] = ["badnomial", "nobody", "pirate", "straight-shooter"];

/// A house bot under another name.
fn named(house: &str, name: &str) -> Entrant<LiarsDice> {
    let house = liars_dice_bots().into_iter().find(|bot| bot.name() == house);
    let name = BotName::new(name).expect("a printable name");
    Entrant::new(name, Arc::new(house.expect("a house bot")))
}

/// The bot and its opponents, whose names are numbered because a house bot may play more than once.
fn entrants(others: &[&str]) -> Vec<Entrant<LiarsDice>> {
    let others = others.iter().zip(1..);
    let others = others.map(|(house, n)| named(house, &format!("{house} {n}")));
    std::iter::once(named(OURS, OURS)).chain(others).collect()
}

fn play(draft: HillDraft<LiarsDice>) -> ResultDocument {
    let hill = Hill::new(draft).expect("a hill of house bots");
    let options = RunOptions {
        jobs: Jobs::Exactly(2),
        max_play_offs: 0,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    match run(&hill, options, &mut |_| Ok(())).expect("nothing is stored") {
        RunEnd::Done(document) | RunEnd::Stopped(document) => document,
    }
}

/// The bot wins at least `wins_percent` of its games, and has at least `points_percent` of the points of the runner-up.
#[track_caller]
fn check_lead(draft: HillDraft<LiarsDice>, wins_percent: u64, points_percent: u64) {
    let document = play(draft);
    let table: Vec<_> =
        document.standings.iter().map(|row| (&row.bot, row.points, row.wins)).collect();
    let [ours, next, ..] = document.standings.as_slice() else { panic!("{table:?}") };
    assert_eq!(ours.bot, OURS, "{table:?}");
    assert!(100 * ours.wins >= wins_percent * ours.games, "wins: {table:?}");
    assert!(100 * ours.points >= points_percent * next.points, "points: {table:?}");
}

#[test]
fn it_wins_the_challenge_against_the_published_bots() {
    for seed in ["seats 1", "seats 2"] {
        let draft = HillDraft { games: 500, ..HillDraft::challenge(entrants(&PUBLISHED), seed) };
        check_lead(draft, 80, 250);
    }
}

#[test]
fn it_leads_fields_that_it_was_not_trained_for() {
    let fields: [&[&str]; 4] = [
        &["honest", "random", "bayes", "nobody"],
        &["honest", "honest", "bayes", "badnomial"],
        &["random", "random", "honest", "pirate"],
        &["bayes", "bayes", "bayes", "bayes"],
    ];
    for others in fields {
        let field = HillDraft::challenge(entrants(others), "seats");
        let draft = HillDraft { format: FormatName::Duel, seats: Some(5), games: 400, ..field };
        check_lead(draft, 30, 110);
    }
}

/// Memory of earlier games does not make it weaker.
#[test]
fn it_leads_a_set_with_memory() {
    let draft = HillDraft::challenge(entrants(&PUBLISHED), "seats");
    check_lead(HillDraft { games: 300, memory: Memory::Set, ..draft }, 80, 250);
}

/// The win rate of each copy is close to a quarter.
#[test]
fn copies_of_it_win_equally_often() {
    let copies = ["a", "b", "c", "d"].map(|name| named(OURS, name));
    let field = HillDraft::challenge(copies.into(), "copies");
    let draft = HillDraft { format: FormatName::Duel, seats: Some(4), games: 600, ..field };
    for row in play(draft).standings {
        let interval = row.win_rate_ci95.expect("games were played");
        assert!(interval.low < 0.27 && interval.high > 0.23, "{}: {interval:?}", row.bot);
    }
}

#[test]
fn it_acts_legally_in_rare_positions() {
    for rules in [LiarsDiceRules::Official, LiarsDiceRules::Superjedi2015] {
        let program = |house: &str| {
            let house = liars_dice_bots().into_iter().find(|bot| bot.name() == house);
            let house: Arc<dyn Program<LiarsDice>> = Arc::new(house.expect("a house bot"));
            house
        };
        let opponents = ["random", "random", OURS, "honest"].map(program);
        check_legality(rules, &program(OURS), &opponents, 100, 1000);
    }
}
