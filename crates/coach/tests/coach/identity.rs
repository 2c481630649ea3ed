//! Score = value of the empty scorecard + luck - losses, in every game.

use std::num::NonZero;
use std::sync::LazyLock;

use dicehill_arena::{Appraiser, Bot, Play, Start};
use dicehill_bots::HouseBot;
use dicehill_coach::yahtzee::{
    AppraisedTurn, Choice, DecisionKind, PlayedTurn, YahtzeeAppraiser, advise,
};
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_rules::{Chance, Game, PublicInfo, Seat};
use dicehill_solver::yahtzee::{Hand, Position, Solution, Variant};

static OFFICIAL: LazyLock<Solution> =
    LazyLock::new(|| Solution::new(Variant::Official, NonZero::<usize>::MIN));
static MEGO: LazyLock<Solution> =
    LazyLock::new(|| Solution::new(Variant::Mego2016, NonZero::<usize>::MIN));

fn solution(rules: YahtzeeRules) -> &'static Solution {
    match rules {
        YahtzeeRules::Official => &OFFICIAL,
        YahtzeeRules::Mego2016 => &MEGO,
    }
}

/// Plays games between all house bots, and passes each seat's score and turns to `each`.
fn each_seat(rules: YahtzeeRules, games: u64, mut each: impl FnMut(u32, &[PlayedTurn])) {
    let chance = Chance::new("identity");
    let house = dicehill_bots::yahtzee_bots();
    let names: Vec<_> = house.iter().map(HouseBot::name).collect();
    let entrants: Vec<_> = house.into_iter().map(HouseBot::entrant).collect();
    for table in 1..=games {
        let mut bots: Vec<Box<dyn Bot<Yahtzee>>> = Vec::new();
        for (entrant, name) in entrants.iter().zip(&names) {
            let mut bot = entrant.program.bot();
            let seed = chance.bot_seed(table, name);
            let id = chance.game_id(table, name);
            bot.start(&Start { game: table, id, players: names.len(), seed });
            bots.push(bot);
        }
        let public = PublicInfo { names: names.clone(), points: Vec::new() };
        let mut play = Play::<Yahtzee>::new(rules, chance.table(table), names.len(), public);
        let mut asked: Vec<_> = bots.iter_mut().map(|bot| &mut **bot as &mut dyn Bot<_>).collect();
        play.drive(&mut asked);
        let turns = PlayedTurn::by_seat(rules, &chance.table(table), names.len(), play.moves());
        for (seat, turns) in Seat::all(names.len()).zip(&turns) {
            each(play.game().result(seat).figures[0] as u32, turns);
        }
    }
}

#[test]
fn score_equals_value_plus_luck_minus_losses() {
    for rules in Yahtzee::RULES {
        let solution = solution(*rules);
        each_seat(*rules, 150, |score, turns| {
            assert_eq!(turns.len(), 13);
            let appraised: Vec<_> =
                turns.iter().map(|turn| AppraisedTurn::new(solution, turn)).collect();
            let luck: f64 = appraised.iter().map(|turn| turn.luck).sum();
            let loss: f64 = appraised.iter().map(AppraisedTurn::loss).sum();
            let sum = solution.start() + luck - loss;
            assert!((f64::from(score) - sum).abs() < 1e-6, "{score} {sum}");
            assert!(loss >= 0.0);
            let played: Vec<_> = turns.iter().filter_map(PlayedTurn::to_history).collect();
            assert_eq!(played.len(), 13);
            for (appraised, other) in appraised.iter().zip(solution.appraise(&played)) {
                let (one, two) = (appraised.loss(), other.losses.iter().sum::<f64>());
                assert!((one - two).abs() < 1e-6, "{appraised:?} {other:?}");
                assert!((appraised.luck - other.luck).abs() < 1e-6, "{appraised:?} {other:?}");
            }
        });
    }
}

/// The arena's appraisal has the same values, rounded.
#[test]
fn appraisals_for_the_arena_match_appraised_turns() {
    let rules = YahtzeeRules::Official;
    let appraiser = YahtzeeAppraiser::new(rules);
    assert_eq!(appraiser.start(), OFFICIAL.start());
    let chance = Chance::new("told");
    let mut bots = dicehill_bots::yahtzee_bots().map(|house| house.entrant().program.bot());
    let seats = bots.len();
    let dice = chance.table(1);
    let mut play = Play::<Yahtzee>::new(rules, chance.table(1), seats, PublicInfo::default());
    let mut asked: Vec<_> = bots.iter_mut().map(|bot| &mut **bot as &mut dyn Bot<_>).collect();
    play.drive(&mut asked);
    let appraisals = appraiser.appraise(rules, &dice, seats, play.moves());
    let turns = PlayedTurn::by_seat(rules, &dice, seats, play.moves());
    assert_eq!(appraisals.len(), seats);
    for (appraisal, turns) in appraisals.iter().zip(&turns) {
        let appraised = turns.iter().map(|turn| AppraisedTurn::new(&OFFICIAL, turn));
        let loss: f64 = appraised.map(|turn| turn.loss()).sum();
        assert!((appraisal.loss as f64 / 1e6 - loss).abs() < 2e-6, "{appraisal:?} {loss}");
        assert!(appraisal.variance > 0);
    }
}

/// The loss and the best choice of each decision match the ranking of all choices.
#[test]
fn losses_match_the_ranking_of_choices() {
    let rules = YahtzeeRules::Official;
    let solution = solution(rules);
    each_seat(rules, 4, |_, turns| {
        for turn in turns {
            let appraised = AppraisedTurn::new(solution, turn);
            for step in &appraised.steps {
                let dice = Hand::from_roll(&step.dice);
                let stage = if step.kind == DecisionKind::Category { 2 } else { step.stage };
                let choices = advise(solution, appraised.position, stage, dice);
                let chosen = choices.iter().find(|advised| advised.choice == step.chosen);
                let stops = step.chosen == Choice::Keep(dice);
                let chosen = chosen.expect("what was done can be done");
                let best = choices.iter().find(|advised| advised.choice == step.best);
                let best = best.expect("the best can be done");
                if step.loss > 0.0 {
                    assert!(best.loss < 1e-9, "{step:?}");
                    // Stopping early gives up the second keep, so its loss is not that of keeping
                    // all dice.
                    assert!(stops || (chosen.loss - step.loss).abs() < 1e-9, "{step:?} {chosen:?}");
                } else {
                    assert!(stops || chosen.loss < 1e-8, "{step:?} {chosen:?}");
                }
            }
        }
    });
}

#[test]
fn all_keeps_and_boxes_are_ranked() {
    let dice = Hand::from_dice(
        [1, 1, 4, 6, 6].map(|pips| dicehill_rules::Face::new(pips).expect("a face")),
    );
    let dice = dice.expect("five dice");
    let at = |stage| advise(&OFFICIAL, Position::START, stage, dice);
    // 3 x 2 x 3 keeps and 13 boxes.
    assert_eq!([0, 1, 2].map(|stage| at(stage).len()), [31, 31, 13]);
    for stage in 0..3 {
        let choices = at(stage);
        assert_eq!(choices[0].loss, 0.0);
        assert!(choices.windows(2).all(|two| two[0].value >= two[1].value));
        assert!(choices.iter().all(|one| one.loss == choices[0].value - one.value));
    }
    let best = OFFICIAL.turn(Position::START).best_keep(0, dice);
    assert_eq!(at(0)[0].choice, Choice::Keep(best));
    assert_eq!(advise(&OFFICIAL, Position::START, 2, Hand::EMPTY), []);
}
