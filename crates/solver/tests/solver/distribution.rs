//! The distribution of optimal scores, compared with play and with enumerated ends of games.

use std::collections::BTreeMap;
use std::num::NonZero;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Category, CategorySet};
use dicehill_solver::yahtzee::{Distribution, Hand, Position, Solution, Turn, Variant};

const THREADS: NonZero<usize> = NonZero::new(2).expect("two");

#[test]
fn probabilities_sum_to_one_and_have_the_mean_of_the_solution() {
    for variant in Variant::ALL {
        let solution = Solution::new(variant, THREADS);
        let distribution = Distribution::new(&solution, THREADS);
        assert!((distribution.total() - 1.0).abs() < 1e-12, "{variant}: {}", distribution.total());
        assert!(
            (distribution.mean() - solution.start()).abs() < 1e-9,
            "{variant}: {}",
            distribution.mean()
        );
        let bonuses: f64 = distribution.yahtzee_bonuses().iter().sum();
        assert!((bonuses - 1.0).abs() < 1e-12, "{variant}: {bonuses}");
        let boxes =
            Category::ALL.map(|category| distribution.category(category).expect("free").mean);
        let numbers = (0..).map(f64::from).zip(distribution.yahtzee_bonuses());
        let further: f64 = numbers.map(|(number, chance)| 100.0 * number * chance).sum();
        let parts = boxes.iter().sum::<f64>() + 35.0 * distribution.upper_bonus() + further;
        assert!((parts - solution.start()).abs() < 1e-9, "{variant}: {parts}");
    }
}

#[test]
fn official_distribution_matches_the_literature() {
    let solution = Solution::new(Variant::Official, THREADS);
    let distribution = Distribution::new(&solution, THREADS);
    assert!(
        (distribution.standard_deviation() - 59.61).abs() < 0.01,
        "{}",
        distribution.standard_deviation()
    );
    assert!((distribution.upper_bonus() - 0.6812).abs() < 0.0005, "{}", distribution.upper_bonus());
    assert_eq!(distribution.percentile(0.5), 248);
    assert_eq!(distribution.highest(), 1575);
    let single_threaded = Distribution::new(&solution, NonZero::<usize>::MIN);
    assert!(
        single_threaded.scores().eq(distribution.scores()),
        "the same bits for any number of threads"
    );
}

/// The rolls with which a turn can end, with their probabilities.
fn ends(turn: &Turn) -> BTreeMap<Hand, f64> {
    let firsts = Hand::rolls().map(|hand| (hand, f64::from(hand.orderings()) / 7776.0)).collect();
    keep_and_roll(turn, 1, &keep_and_roll(turn, 0, &firsts))
}

fn keep_and_roll(turn: &Turn, stage: u8, rolls: &BTreeMap<Hand, f64>) -> BTreeMap<Hand, f64> {
    let mut next = BTreeMap::new();
    for (roll, chance) in rolls {
        for (roll, chance) in completions(turn.best_keep(stage, *roll), *chance) {
            *next.entry(roll).or_insert(0.0) += chance;
        }
    }
    next
}

/// The rolls of five dice that a hand can become, with their probabilities.
fn completions(kept: Hand, chance: f64) -> BTreeMap<Hand, f64> {
    let mut hands = BTreeMap::from([(kept, chance)]);
    for _ in kept.len()..5 {
        let mut grown = BTreeMap::new();
        for ((hand, chance), face) in
            hands.iter().flat_map(|hand| Face::ALL.map(move |face| (hand, face)))
        {
            *grown.entry(hand.with_die(face).expect("room for a die")).or_insert(0.0) +=
                chance / 6.0;
        }
        hands = grown;
    }
    hands
}

fn enumerate_games(
    solution: &Solution,
    position: Position,
    score: u32,
    chance: f64,
    distribution: &mut [f64],
) {
    if position.free().is_empty() {
        distribution[score as usize] += chance;
        return;
    }
    for (hand, likely) in ends(&solution.turn(position)) {
        let (category, _) = solution.best_fill(position, hand).expect("a free box");
        let (gain, next) = position.fill(solution.variant(), category, hand);
        enumerate_games(solution, next, score + gain, chance * likely, distribution);
    }
}

fn check_end(variant: Variant, free: &[Category], upper: u32, has_yahtzee: bool) {
    let solution = Solution::new(variant, THREADS);
    let free = free.iter().copied().collect::<CategorySet>();
    let position = Position::new(free, upper, has_yahtzee).expect("a position");
    let mut expected = vec![0.0; 1600];
    enumerate_games(&solution, position, 0, 1.0, &mut expected);
    let distribution = Distribution::from(&solution, position, THREADS);
    for (score, expected) in (0..).zip(&expected) {
        let chance = distribution.chance(score);
        assert!((chance - expected).abs() < 1e-12, "{position:?} {score}: {chance} {expected}");
    }
    let scores = || (0u32..).zip(&expected).filter(|(_, chance)| **chance > 0.0);
    assert_eq!(
        scores().next().map(|(score, _)| score),
        Some(distribution.lowest()),
        "{position:?}"
    );
    assert_eq!(
        scores().last().map(|(score, _)| score),
        Some(distribution.highest()),
        "{position:?}"
    );
}

#[test]
fn distribution_matches_enumerated_ends_of_games() {
    check_end(Variant::Official, &[Category::Yahtzee], 63, false);
    check_end(Variant::Official, &[Category::Sixes], 40, true);
    check_end(Variant::Official, &[Category::Fours, Category::LargeStraight], 51, true);
    check_end(Variant::Mego2016, &[Category::Aces, Category::FullHouse], 60, false);
    check_end(Variant::FreeJoker, &[Category::FullHouse, Category::SmallStraight], 63, true);
    check_end(Variant::Plain, &[Category::Chance, Category::Threes], 56, false);
}

/// SplitMix64.
struct Chance(u64);

impl Chance {
    fn die(&mut self) -> Face {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Face::ALL[((u128::from(word ^ (word >> 31)) * 6) >> 64) as usize]
    }

    fn complete(&mut self, kept: Hand) -> Hand {
        (kept.len()..5).fold(kept, |hand, _| hand.with_die(self.die()).expect("room for a die"))
    }
}

/// Plays a game. Returns its score, and whether it earned the upper bonus.
fn play(solution: &Solution, chance: &mut Chance) -> (f64, bool) {
    let (mut position, mut score) = (Position::START, 0);
    while !position.free().is_empty() {
        let turn = solution.turn(position);
        let second = chance.complete(Hand::EMPTY);
        let last = chance.complete(turn.best_keep(0, second));
        let roll = chance.complete(turn.best_keep(1, last));
        let (category, _) = solution.best_fill(position, roll).expect("a free box");
        let (gain, next) = position.fill(solution.variant(), category, roll);
        (position, score) = (next, score + gain);
    }
    (f64::from(score), position.upper() == 63)
}

#[test]
fn simulated_games_match_the_distribution() {
    const GAMES: f64 = 20_000.0;
    let solution = Solution::new(Variant::Official, THREADS);
    let distribution = Distribution::new(&solution, THREADS);
    let mut chance = Chance(2026);
    let games: Vec<_> = (0..GAMES as u32).map(|_| play(&solution, &mut chance)).collect();
    let check = |what: &str, observed: f64, expected: f64, deviation: f64| {
        let off = (observed - expected).abs();
        assert!(off < 4.0 * deviation / GAMES.sqrt(), "{what}: {observed}, expected {expected}");
    };
    let mean = games.iter().map(|(score, _)| score).sum::<f64>() / GAMES;
    check("mean", mean, distribution.mean(), distribution.standard_deviation());
    let share = |is: &dyn Fn(&(f64, bool)) -> bool| {
        games.iter().filter(|game| is(game)).count() as f64 / GAMES
    };
    let check_share = |what: &str, observed: f64, expected: f64| {
        check(what, observed, expected, (expected * (1.0 - expected)).sqrt());
    };
    check_share("upper bonus", share(&|(_, bonus)| *bonus), distribution.upper_bonus());
    for score in [150, 200, 225, 250, 275, 300, 400, 500] {
        let observed = share(&|(points, _)| *points >= f64::from(score));
        check_share(&format!("at least {score}"), observed, distribution.at_least(score));
    }
}
