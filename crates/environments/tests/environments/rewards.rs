//! Rewards of Yahtzee.

use dicehill_arena::{Bot, Program};
use dicehill_environments::{EnvironmentGame, VectorOptions, YahtzeeReward};
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_rules::{Game, PublicInfo};
use dicehill_solver::yahtzee::Solution;

use crate::support::Caller;

const ENVIRONMENTS: usize = 16;

/// How the caller plays.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Style {
    /// At random.
    Random,
    /// Fills the box that scores most with the first roll.
    BestBox,
    /// As the house bot `greedy`.
    Greedy,
}

impl Style {
    fn actions(self, caller: &Caller<Yahtzee>, bot: &mut dyn Bot<Yahtzee>) -> Vec<i64> {
        let best_box = |index: usize| {
            let scores = &caller.observation(index)[26..39];
            32 + (0..13).max_by_key(|index| scores[*index]).expect("a box") as i64
        };
        let mut greedy = |index: usize| {
            let public = PublicInfo::default();
            let view = caller.environment.game(index).view(&public).expect("a turn");
            let action = bot.act(&view).expect("a house bot answers");
            Yahtzee::encode(&action).expect("dice in the order shown") as i64
        };
        match self {
            Self::Random => caller.actions(),
            Self::BestBox => (0..ENVIRONMENTS).map(best_box).collect(),
            Self::Greedy => (0..ENVIRONMENTS).map(&mut greedy).collect(),
        }
    }
}

/// The sums of the rewards of each of the first games, in the order of game numbers.
fn returns(rules: YahtzeeRules, reward: YahtzeeReward, style: Style, games: usize) -> Vec<f64> {
    let options = VectorOptions::<Yahtzee>::new(ENVIRONMENTS, 1, "rewards");
    let mut caller = Caller::new(VectorOptions { rules, reward, ..options });
    let greedy = Yahtzee::house_bots().into_iter().find(|bot| bot.name() == "greedy");
    let mut bot = greedy.expect("a house bot").bot();
    let mut sums = [0.0; ENVIRONMENTS];
    let mut finished = vec![None; games];
    while finished.iter().any(Option::is_none) {
        let numbers: Vec<_> =
            (0..ENVIRONMENTS).map(|index| caller.environment.game_number(index)).collect();
        caller.step(&style.actions(&caller, &mut *bot));
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum += f64::from(caller.rewards(index)[0]);
            if caller.arrays.dones[index] == 1 {
                let sum = std::mem::take(sum);
                if let Some(finished) = finished.get_mut(numbers[index] as usize - 1) {
                    *finished = Some(sum);
                }
            }
        }
    }
    finished.into_iter().map(|sum| sum.expect("all are finished")).collect()
}

#[test]
fn gained_scores_add_up_to_the_score() {
    for rules in [YahtzeeRules::Official, YahtzeeRules::Mego2016] {
        let scores = returns(rules, YahtzeeReward::Score, Style::Random, 100);
        assert_eq!(scores, returns(rules, YahtzeeReward::ScoreGained, Style::Random, 100));
    }
}

fn mean_and_variance(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares = numbers.iter().map(|number| (number - mean).powi(2));
    (mean, squares.sum::<f64>() / (n - 1.0))
}

/// Luck, the difference of score and luck-adjusted return, has the mean 0 within four standard errors.
fn check_unbiased(rules: YahtzeeRules, style: Style, games: usize, least_ratio: f64) {
    let scores = returns(rules, YahtzeeReward::Score, style, games);
    let adjusted = returns(rules, YahtzeeReward::LuckAdjusted, style, games);
    let luck: Vec<_> = scores.iter().zip(&adjusted).map(|(score, sum)| score - sum).collect();
    let (mean, variance) = mean_and_variance(&luck);
    let error = (variance / games as f64).sqrt();
    assert!(mean.abs() < 4.0 * error, "{mean} ± {error}");
    let ((score, raw), (value, rest)) = (mean_and_variance(&scores), mean_and_variance(&adjusted));
    println!(
        "{rules} {style:?}: {score:.2} {value:.2} ± {error:.2}, variance {raw:.0} / {rest:.0}"
    );
    assert!(raw / rest > least_ratio, "{raw} / {rest}");
    let start = Solution::shared(rules.into()).start();
    assert!(adjusted.iter().all(|sum| *sum < start), "no policy has negative losses");
}

#[test]
fn luck_adjusted_returns_are_unbiased() {
    // Such a policy wastes luck: its losses vary more than its scores.
    check_unbiased(YahtzeeRules::Official, Style::Random, 1000, 0.4);
    check_unbiased(YahtzeeRules::Official, Style::BestBox, 1000, 1.5);
    check_unbiased(YahtzeeRules::Official, Style::Greedy, 1000, 20.0);
    check_unbiased(YahtzeeRules::Mego2016, Style::Greedy, 500, 20.0);
}
