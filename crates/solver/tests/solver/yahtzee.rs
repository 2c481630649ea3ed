//! The solution, compared with played games.

use std::num::NonZero;

use dicehill_rules::yahtzee::{Action, Category, Keep, View, Yahtzee, YahtzeeRules};
use dicehill_rules::{Chance, Game, PublicInfo, Seat};
use dicehill_solver::yahtzee::{
    Hand, Position, Solution, Turn, TurnAppraisal, TurnHistory, Variant,
};

/// Plays a game. Returns its score and turns.
fn play(
    rules: YahtzeeRules,
    seed: &str,
    table: u64,
    mut decide: impl FnMut(&View<'_>) -> Action,
) -> (u32, Vec<TurnHistory>) {
    let chance = Chance::new(seed);
    let dice = chance.table(table);
    let public = PublicInfo::default();
    let mut game = Yahtzee::new(rules, 1, &dice);
    let (mut turns, mut open) = (Vec::new(), None::<TurnHistory>);
    while !game.has_ended() {
        let view = game.view(&public).expect("a seat is to act");
        let shown = Hand::from_roll(&view.dice);
        let action = decide(&view);
        let mut turn = open.take().unwrap_or(TurnHistory {
            position: Position::from_scorecard(view.card),
            roll: shown,
            keeps: [None; 2],
            category: Category::Chance,
        });
        let (stage, roll) = (usize::from(view.stage), view.dice);
        game.apply(&action, &dice).expect("a legal action");
        match action {
            Action::Keep(keep) => {
                let kept = Hand::from_keep(keep, &roll);
                turn.keeps[stage] = Some((kept, Hand::from_roll(game.dice())));
                open = Some(turn);
            }
            Action::Fill(category) => turns.push(TurnHistory { category, ..turn }),
        }
    }
    (game.result(Seat::new(0)).figures[0] as u32, turns)
}

/// A player whose decisions are pseudo-random and ignore the dice.
fn careless(seed: u64) -> impl FnMut(&View<'_>) -> Action {
    let mut state = seed;
    move |view| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = (state >> 33) as usize;
        if view.may_keep() && !word.is_multiple_of(3) {
            return Action::Keep(Keep::from_mask((word % 32) as u8));
        }
        let legal = view.legal();
        Action::Fill(legal.iter().nth(word % legal.len()).expect("a legal box"))
    }
}

fn best(solution: &Solution, view: &View<'_>) -> Action {
    let (position, hand) = (Position::from_scorecard(view.card), Hand::from_roll(&view.dice));
    let kept = match view.stage {
        2 => hand,
        stage => solution.turn(position).best_keep(stage, hand),
    };
    if kept == hand {
        Action::Fill(solution.best_fill(position, hand).expect("a free box").0)
    } else {
        Action::Keep(kept.keep_from(&view.dice).expect("a part of the roll"))
    }
}

fn sums(appraisals: &[TurnAppraisal]) -> (f64, f64, f64) {
    let losses = appraisals.iter().flat_map(|turn| turn.losses).sum();
    let luck = appraisals.iter().map(|turn| turn.luck).sum();
    (losses, luck, appraisals.iter().map(|turn| turn.variance).sum())
}

#[test]
fn score_equals_value_plus_luck_minus_losses() {
    for rules in [YahtzeeRules::Official, YahtzeeRules::Mego2016] {
        let solution = Solution::shared(rules.into());
        for game in 1..=1500 {
            let (score, turns) = play(rules, "identity", game, careless(game));
            let (losses, luck, _) = sums(&solution.appraise(&turns));
            let sum = solution.start() + luck - losses;
            assert!((sum - f64::from(score)).abs() < 1e-6, "{rules} {game}: {score} {sum}");
            assert!(losses > 0.0);
        }
    }
}

#[test]
fn best_choices_lose_nothing_and_luck_has_the_computed_variance() {
    let solution = Solution::shared(Variant::Official);
    let (mut squares, mut variances, mut total) = (0.0, 0.0, 0.0);
    let games = 3000;
    for game in 1..=games {
        let (_, turns) = play(YahtzeeRules::Official, "best", game, |view| best(solution, view));
        let (losses, luck, variance) = sums(&solution.appraise(&turns));
        assert!(losses < 1e-9, "game {game}: {losses}");
        total += luck;
        squares += luck * luck;
        variances += variance;
    }
    let games = games as f64;
    assert!((total / games).abs() < 4.0 * 60.0 / games.sqrt(), "{}", total / games);
    assert!((squares / variances - 1.0).abs() < 0.15, "{squares} {variances}");
}

#[test]
fn mean_luck_of_careless_play_is_zero() {
    let solution = Solution::shared(Variant::Official);
    let games = 3000;
    let (mut total, mut squares, mut variances) = (0.0, 0.0, 0.0);
    for game in 1..=games {
        let (_, turns) = play(YahtzeeRules::Official, "luck", game, careless(game));
        let (_, luck, variance) = sums(&solution.appraise(&turns));
        total += luck;
        squares += luck * luck;
        variances += variance;
    }
    let games = games as f64;
    assert!((total / games).abs() < 4.0 * (squares / games).sqrt() / games.sqrt());
    assert!((squares / variances - 1.0).abs() < 0.15, "{squares} {variances}");
}

#[test]
fn turns_have_the_same_appraisal_together_and_alone() {
    let solution = Solution::shared(Variant::Official);
    for game in 1..20 {
        let (_, turns) = play(YahtzeeRules::Official, "alone", game, careless(game));
        let together = solution.appraise(&turns);
        for (turn, appraisal) in turns.iter().zip(together) {
            assert_eq!(solution.appraise(&[*turn]), [appraisal]);
        }
    }
}

#[test]
fn values_do_not_depend_on_the_number_of_threads() {
    let [one, many] = [1, 5]
        .map(|threads| Solution::new(Variant::Official, NonZero::new(threads).expect("some")));
    for bits in (0..8192).step_by(37) {
        let free = dicehill_rules::yahtzee::CategorySet::from_bits(bits);
        for upper in 0..106 {
            let Ok(position) = Position::new(free, upper, false) else { continue };
            assert_eq!(one.value(position).to_bits(), many.value(position).to_bits());
            if !free.is_empty() && upper % 9 == 0 {
                let turn: Turn = one.turn(position);
                assert!((turn.start() - one.value(position)).abs() < 1e-9);
            }
        }
    }
}
