//! Classes of rolls that are equivalent for some boxes.
//!
//! A roll belongs to one class in each of eight groups of boxes: each upper box is a group, the
//! boxes with fixed scores are one, and the boxes that score the sum of the dice are one. The value
//! of a roll is the maximum over its eight classes, of which there are only 119 in total.

use std::sync::LazyLock;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::yahtzee::game::hand::Hand;

/// The number of groups.
pub(crate) const GROUPS: usize = 8;
/// The group of the boxes with fixed scores.
pub(crate) const FIXED_GROUP: usize = 6;
/// The group of the boxes that score the sum of the dice.
pub(crate) const SUMS_GROUP: usize = 7;

/// The first class of [`FIXED_GROUP`], whose classes are those of [`FIXED`].
pub(crate) const FIRST_FIXED: usize = 36;
/// The first class of [`SUMS_GROUP`]: three for each sum from 5 to 30, for rolls with at most two,
/// three, and at least four equal dice.
pub(crate) const FIRST_SUM: usize = FIRST_FIXED + FIXED.len();

/// The number of sums of five dice.
pub(crate) const SUMS: usize = 26;

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

/// By group and roll: the class.
pub(crate) static CLASSES: LazyLock<[[u8; 256]; GROUPS]> = LazyLock::new(|| {
    let mut classes = [[0; 256]; GROUPS];
    for (roll, hand) in Hand::rolls().enumerate() {
        for (group, class) in classes_of(hand).into_iter().enumerate() {
            classes[group][roll] = class;
        }
    }
    classes
});

/// By face: the roll of five equal dice.
pub(crate) static YAHTZEES: LazyLock<[usize; 6]> = LazyLock::new(|| {
    Face::ALL.map(|face| Hand::from_roll(&[face; 5]).roll_index().expect("five dice"))
});

/// The groups with a free box.
pub(crate) fn groups(free: CategorySet) -> impl Iterator<Item = usize> {
    let upper = free.iter().filter_map(Category::face).map(Face::index);
    let fixed = FIXED_BOXES.iter().any(|category| free.contains(*category));
    let sums = SUM_BOXES.iter().any(|(category, _)| free.contains(*category));
    upper.chain(fixed.then_some(FIXED_GROUP)).chain(sums.then_some(SUMS_GROUP))
}

fn classes_of(hand: Hand) -> [u8; GROUPS] {
    let roll = hand.roll().expect("five dice");
    let scores = FIXED_BOXES.map(|category| category.score(&roll));
    let fixed = FIXED.iter().position(|class| *class == scores).expect("a class of scores");
    let alike = Face::ALL.into_iter().map(|face| hand.count(face)).max().unwrap_or(0);
    let sum: u8 = roll.iter().map(|die| die.pips()).sum();
    let kinds = usize::from(alike.clamp(2, 4)) - 2;
    let mut classes = [0; GROUPS];
    for face in Face::ALL {
        classes[face.index()] = upper_class(face, hand.count(face)) as u8;
    }
    classes[FIXED_GROUP] = (FIRST_FIXED + fixed) as u8;
    classes[SUMS_GROUP] = (FIRST_SUM + 3 * usize::from(sum - 5) + kinds) as u8;
    classes
}
