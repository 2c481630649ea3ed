//! `greedy`: its strength, and that its decisions depend on its view alone.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Bot, BotName, Distribution, Entrant, FigureSummary, Hill, HillDraft, Jobs, Program,
    ResultDocument, RunEnd, RunOptions, Start, run,
};
use dicehill_bots::{HouseBot, yahtzee_bots};
use dicehill_rules::yahtzee::{View, Yahtzee, YahtzeeRules};
use dicehill_rules::{Chance, Dice, Face, Game, PublicInfo, Seat};

#[test]
fn it_scores_far_more_than_the_winner_of_the_challenge() {
    for rules in Yahtzee::RULES {
        let document = play(*rules);
        let (greedy, winner) = (scores(&document, "greedy"), scores(&document, "aces-and-eights"));
        let error = greedy.se.expect("many games") + winner.se.expect("many games");
        let lead = greedy.mean - winner.mean;
        assert!(lead - 4.0 * error > 20.0, "{rules}: {} against {}", greedy.mean, winner.mean);
    }
}

/// Its version goes up when a decision changes.
#[test]
fn its_decisions_have_not_changed_since_version_1() {
    let records = Yahtzee::RULES.iter().map(|rules| play(*rules).records.to_string());
    let first = [
        "blake3:790e809e84936aec0e9932b9e39dd82be60d2d86bcf8a0e1eab08928c0ac4d55",
        "blake3:9d427e42ac66515d1fdbb62fb53de826738ccaa5399af2ca7cc443a7b75450a2",
    ];
    assert_eq!(records.collect::<Vec<_>>(), first);
}

#[test]
fn its_view_alone_decides_in_its_own_games() {
    let chance = Chance::new("greedy");
    for rules in Yahtzee::RULES {
        check(*rules, "greedy", |game| chance.table(game));
    }
}

#[test]
fn its_view_alone_decides_on_any_card() {
    let chance = Chance::new("any card");
    for rules in Yahtzee::RULES {
        check(*rules, "random", |game| chance.table(game));
    }
}

#[test]
fn it_obeys_the_joker_rule() {
    for rules in Yahtzee::RULES {
        check(*rules, "greedy", |game| YahtzeesFrom(game as u32));
        check(*rules, "random", |game| YahtzeesFrom(game as u32));
    }
}

#[test]
fn it_earns_every_possible_yahtzee_bonus() {
    let dice = YahtzeesFrom(1);
    let mut bot = house("greedy").bot();
    let mut game = Yahtzee::new(YahtzeeRules::Official, 1, &dice);
    let public = PublicInfo::default();
    while let Some(view) = game.view(&public) {
        let action = act(&mut *bot, &view);
        game.apply(&action, &dice).expect("a house bot plays by the rules");
    }
    assert_eq!(game.cards()[0].yahtzee_bonus(), 1200);
}

/// In games that `driver` plays, a `greedy` bot that has seen all earlier turns and a new one choose the same legal action.
fn check<D: Dice>(rules: YahtzeeRules, driver: &str, dice: impl Fn(u64) -> D) {
    let (greedy, driver) = (house("greedy"), house(driver));
    let mut seasoned = greedy.bot();
    for number in 1..=26 {
        let start = Start { game: number, id: number, players: 1, seed: number };
        let mut playing = driver.bot();
        playing.start(&start);
        seasoned.start(&start);
        let dice = dice(number);
        let mut game = Yahtzee::new(rules, 1, &dice);
        let public = PublicInfo::default();
        while let Some(view) = game.view(&public) {
            let wanted = act(&mut *seasoned, &view);
            assert_eq!(act(&mut *greedy.bot(), &view), wanted, "{rules}: {view:?}");
            game.clone().apply(&wanted, &dice).expect("the greedy bot plays by the rules");
            let played = act(&mut *playing, &view);
            game.apply(&played, &dice).expect("a house bot plays by the rules");
        }
    }
}

fn act(bot: &mut dyn Bot<Yahtzee>, view: &View<'_>) -> <Yahtzee as Game>::Action {
    bot.act(view).expect("a house bot answers")
}

/// Shows five different faces in earlier rounds, and Yahtzees from this round on.
struct YahtzeesFrom(u32);

impl Dice for YahtzeesFrom {
    fn roll(&self, _seat: Seat, round: u32, _roll: u8, faces: &mut [Face]) {
        for (slot, face) in faces.iter_mut().enumerate() {
            let digit = if round < self.0 { slot } else { round as usize };
            *face = Face::ALL[digit % 6];
        }
    }
}

fn house(name: &str) -> HouseBot<Yahtzee> {
    yahtzee_bots().into_iter().find(|bot| bot.name() == name).expect("a house bot")
}

fn entrant(name: &str) -> Entrant<Yahtzee> {
    let program = Arc::new(house(name));
    let name = BotName::new(name).expect("a name");
    Entrant::new(name, program)
}

fn play(rules: YahtzeeRules) -> ResultDocument {
    let entrants = ["greedy", "aces-and-eights"].map(entrant).into();
    let hill = Hill::new(HillDraft { rules, ..HillDraft::challenge(entrants, "greedy") });
    let options = RunOptions {
        jobs: Jobs::Exactly(2),
        max_play_offs: 10,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    match run(&hill.expect("a hill"), options, &mut |_| Ok(())).expect("nothing is stored") {
        RunEnd::Done(document) | RunEnd::Stopped(document) => document,
    }
}

fn scores<'a>(document: &'a ResultDocument, bot: &str) -> &'a Distribution {
    let standing = document.standings.iter().find(|row| row.bot == bot).expect("an entrant");
    assert_eq!((standing.barred.as_ref(), standing.games), (None, 1000));
    let figure = standing.figures.iter().find(|(name, _)| *name == "score");
    match figure.map(|(_, summary)| summary) {
        Some(FigureSummary::Distribution(Some(distribution))) => distribution,
        Some(FigureSummary::Distribution(None) | FigureSummary::Total(_)) | None => {
            panic!("scores are a distribution")
        }
    }
}
