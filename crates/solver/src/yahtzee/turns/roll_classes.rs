//! Classes of rolls that are equivalent for some boxes.
//!
//! A roll belongs to one class in each of eight groups of boxes: each upper box is a group, the
//! boxes with fixed scores are one, and the boxes that score the sum of the dice are one. The value
//! of a roll is the maximum over its eight classes, of which there are only 119 in total.

use std::array;
use std::sync::LazyLock;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::Category;

use crate::yahtzee::game::hand::Hand;

/// The first class of the boxes with fixed scores, whose classes are those of [`FIXED`].
pub(crate) const FIRST_FIXED: usize = 36;
/// The first class of the boxes that score the sum of the dice: three for each sum from 5 to 30, for
/// rolls with at most two, three, and at least four equal dice.
pub(crate) const FIRST_SUM: usize = FIRST_FIXED + FIXED.len();

/// The number of sums of five dice.
pub(crate) const SUMS: usize = 26;

/// The number of ways in which up to five dice can show three faces.
pub(crate) const THREE_COUNTS: usize = 56;

/// The boxes with fixed scores.
pub(crate) const FIXED_BOXES: [Category; 4] =
    [Category::FullHouse, Category::SmallStraight, Category::LargeStraight, Category::Yahtzee];
/// By class: their scores for no pattern, full house, small straight, both straights, Yahtzee.
pub(crate) const FIXED: [[u8; 4]; 5] =
    [[0, 0, 0, 0], [25, 0, 0, 0], [0, 30, 0, 0], [0, 30, 40, 0], [0, 0, 0, 50]];
/// The boxes that score the sum of the dice, and in how many of the three classes of a sum they
/// score 0.
pub(crate) const SUM_BOXES: [(Category, usize); 3] =
    [(Category::ThreeOfAKind, 1), (Category::FourOfAKind, 2), (Category::Chance, 0)];

/// The class of `count` dice of a face.
pub(crate) const fn upper_class(face: Face, count: u8) -> usize {
    6 * face.index() + count as usize
}

/// What the values of rolls are put together from, so that rolls share the work.
///
/// The value of a roll is the maximum of three merged values: the upper boxes of aces to threes,
/// those of fours to sixes, and all lower boxes.
pub(crate) struct MergedClasses {
    /// By merged value of upper boxes, first those of aces to threes: the classes of three faces.
    pub(crate) upper: [[u8; 3]; 2 * THREE_COUNTS],
    /// By merged value of lower boxes: the class by fixed scores and that by the sum of the dice.
    pub(crate) lower: Vec<[u8; 2]>,
    pub(crate) rolls: Vec<MergedRoll>,
}

/// The merged values of a roll. Those of lower boxes follow those of upper boxes.
///
/// The roll is part of it, although they are in order, because the compiler would otherwise vectorise over rolls, which
/// are far apart in memory, and not over positions.
pub(crate) struct MergedRoll {
    pub(crate) roll: u8,
    pub(crate) parts: [u8; 3],
}

pub(crate) static MERGED: LazyLock<MergedClasses> = LazyLock::new(|| {
    let counts = three_counts();
    let number = |part: [u8; 3]| counts.iter().position(|other| *other == part);
    let mut lower = Vec::new();
    let merged = |(roll, hand): (u8, Hand)| {
        let [a, b, c, d, e, f] = Face::ALL.map(|face| hand.count(face));
        let [low, high] = [[a, b, c], [d, e, f]].map(|part| number(part).expect("five dice"));
        let classes = lower_classes(hand);
        let found = lower.iter().position(|other| *other == classes).unwrap_or(lower.len());
        if found == lower.len() {
            lower.push(classes);
        }
        let parts = [low, THREE_COUNTS + high, 2 * THREE_COUNTS + found];
        MergedRoll { roll, parts: parts.map(|index| index as u8) }
    };
    let rolls = (0..).zip(Hand::rolls()).map(merged).collect();
    let upper = array::from_fn(|index| {
        let (first, counts) = (3 * (index / THREE_COUNTS), counts[index % THREE_COUNTS]);
        array::from_fn(|face| upper_class(Face::ALL[first + face], counts[face]) as u8)
    });
    MergedClasses { upper, lower, rolls }
});

/// The numbers of dice of three faces, at most five in total.
fn three_counts() -> Vec<[u8; 3]> {
    let all = (0..=5).flat_map(|a| (0..=5).flat_map(move |b| (0..=5).map(move |c| [a, b, c])));
    all.filter(|counts: &[u8; 3]| counts.iter().sum::<u8>() <= 5).collect()
}

/// By face: the roll of five equal dice.
pub(crate) static YAHTZEES: LazyLock<[usize; 6]> = LazyLock::new(|| {
    Face::ALL.map(|face| Hand::from_roll(&[face; 5]).roll_index().expect("five dice"))
});

/// The class of a roll by fixed scores, and that by the sum of the dice.
fn lower_classes(hand: Hand) -> [u8; 2] {
    let roll = hand.roll().expect("five dice");
    let scores = FIXED_BOXES.map(|category| category.score(&roll));
    let fixed = FIXED.iter().position(|class| *class == scores).expect("a class of scores");
    let alike = Face::ALL.into_iter().map(|face| hand.count(face)).max().unwrap_or(0);
    let sum: u8 = roll.iter().map(|die| die.pips()).sum();
    let kinds = usize::from(alike.clamp(2, 4)) - 2;
    [FIRST_FIXED + fixed, FIRST_SUM + 3 * usize::from(sum - 5) + kinds].map(|class| class as u8)
}
