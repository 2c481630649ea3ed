//! Dice without their order, and how they grow one die at a time.

use std::array;
use std::iter::repeat_n;
use std::sync::LazyLock;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::Roll;

/// Hands of up to five dice.
const HANDS: usize = 462;
/// Hands of up to four dice: the keeps that leave something to roll.
const PARTIAL: usize = 210;
/// Hands of five dice.
const ROLLS: usize = HANDS - PARTIAL;

/// What each hand of five dice is worth, in the order of [`all_rolls`].
pub(super) type RollValues = [f64; ROLLS];

/// Up to five dice without their order, as an index below [`HANDS`].
///
/// Smaller hands come first: the empty one is 0, those of five dice are the last [`ROLLS`].
#[derive(Clone, Copy)]
pub(super) struct Hand(u16);

impl Hand {
    const EMPTY: Self = Self(0);

    /// The hand of these dice, at most five.
    pub(super) fn of(dice: impl IntoIterator<Item = Face>) -> Self {
        let grown = &*GROWN;
        dice.into_iter().fold(Self::EMPTY, |hand, die| grown[hand.index()][die.index()])
    }

    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The hand that each partial hand becomes with one more die of each face.
static GROWN: LazyLock<[[Hand; 6]; PARTIAL]> = LazyLock::new(|| {
    let codes = codes();
    let find = |code| codes.binary_search(&code).expect("one more die makes a hand") as u16;
    array::from_fn(|hand| grow(codes[hand]).map(|code| Hand(find(code))))
});

/// What each hand is worth.
pub(super) struct HandValues([f64; HANDS]);

impl HandValues {
    /// What it is worth to keep each hand and roll the missing dice, if `rolls` says what the five
    /// dice are worth then.
    ///
    /// Dice rolled together are dice rolled one after another, so that each partial hand is worth
    /// the mean of the six hands that it may become.
    pub(super) fn of_keeps(rolls: &RollValues) -> Self {
        let mut values = [0.0; HANDS];
        values[PARTIAL..].copy_from_slice(rolls);
        for (hand, grown) in GROWN.iter().enumerate().rev() {
            let sum: f64 = grown.iter().map(|larger| values[larger.index()]).sum();
            values[hand] = sum / 6.0;
        }
        Self(values)
    }

    /// What each five dice are worth to a player that keeps the best part of them.
    pub(super) fn of_best_keeps(&self) -> RollValues {
        let mut best = self.0;
        for (hand, grown) in GROWN.iter().enumerate() {
            for larger in grown {
                best[larger.index()] = best[larger.index()].max(best[hand]);
            }
        }
        array::from_fn(|roll| best[PARTIAL + roll])
    }

    /// What this hand is worth.
    pub(super) const fn of(&self, hand: Hand) -> f64 {
        self.0[hand.index()]
    }
}

/// The dice of all hands of five, ascending in each, in the order of the hands.
pub(super) fn all_rolls() -> [Roll; ROLLS] {
    let codes = codes();
    array::from_fn(|roll| dice(codes[PARTIAL + roll]))
}

/// The codes of all hands, ascending.
///
/// A code has four bits for each face, aces lowest, that count its dice, and above them the number
/// of all dice, which puts smaller hands first.
fn codes() -> Vec<u32> {
    let mut codes = vec![0];
    let mut smaller = 0;
    for _ in 0..5 {
        let mut larger: Vec<_> = codes[smaller..].iter().flat_map(|code| grow(*code)).collect();
        larger.sort_unstable();
        larger.dedup();
        smaller = codes.len();
        codes.append(&mut larger);
    }
    codes
}

/// The codes with one more die of each face.
fn grow(code: u32) -> [u32; 6] {
    Face::ALL.map(|face| code + (1 << 24) + (1 << (4 * face.index())))
}

fn dice(code: u32) -> Roll {
    let count = |face: Face| (code >> (4 * face.index()) & 0xf) as usize;
    let mut dice = Face::ALL.into_iter().flat_map(|face| repeat_n(face, count(face)));
    array::from_fn(|_| dice.next().expect("a roll has five dice"))
}
