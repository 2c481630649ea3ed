//! The values of rolls at the end of a turn, in several positions at once.

use std::array;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::turns::hand_values::{Float, HandValues, Lanes, max};
use crate::yahtzee::turns::roll_classes::{
    FIRST_FIXED, FIRST_SUM, FIXED, FIXED_BOXES, MERGED, MergedClasses, MergedRoll, SUMS,
    THREE_COUNTS, YAHTZEES, upper_class,
};

/// The values of filling boxes, in `N` positions with the same free boxes.
pub(crate) trait FillValues<const N: usize, T> {
    /// The value of filling a free box with `score`. `further` marks a further Yahtzee: one rolled
    /// when the Yahtzee box is filled.
    fn value(&self, category: Category, score: u8, further: bool) -> Lanes<N, T>;
}

/// The values of all classes of rolls in `N` positions with the same free boxes.
// In this order every value of eight lanes lies in one line of the cache.
#[repr(C, align(64))]
pub(crate) struct BoxValues<const N: usize, T = f64> {
    /// By class. Classes of groups without a free box have the least value.
    classes: [Lanes<N, T>; 256],
    /// By index in [`MergedClasses`].
    merged: [Lanes<N, T>; 256],
    /// By face: the value of a further Yahtzee; `None` while the Yahtzee box is free.
    further: Option<[Lanes<N, T>; 6]>,
}

impl<const N: usize, T: Float> BoxValues<N, T> {
    pub(crate) const fn new() -> Self {
        Self { classes: [[T::ZERO; N]; 256], merged: [[T::ZERO; N]; 256], further: None }
    }

    /// Sets the values of all classes for positions with these `free` boxes.
    #[inline(always)]
    pub(crate) fn set(
        &mut self,
        variant: Variant,
        free: CategorySet,
        fill_values: &impl FillValues<N, T>,
    ) {
        self.set_upper(free, fill_values);
        self.set_fixed(free, fill_values);
        self.set_sums(free, fill_values);
        self.further = None;
        if !free.contains(Category::Yahtzee) {
            let value = |face| further_yahtzee(variant, free, face, fill_values);
            self.further = Some(array::from_fn(|face| value(Face::ALL[face])));
        }
    }

    /// Sets the values of classes by the number of dice of a face.
    #[inline(always)]
    fn set_upper(&mut self, free: CategorySet, fill_values: &impl FillValues<N, T>) {
        for face in Face::ALL {
            let category = Category::upper(face);
            for count in 0..=5 {
                self.classes[upper_class(face, count)] = if free.contains(category) {
                    fill_values.value(category, count * face.pips(), false)
                } else {
                    [T::LEAST; N]
                };
            }
        }
    }

    /// Sets the values of classes by the boxes with fixed scores that they fill.
    #[inline(always)]
    fn set_fixed(&mut self, free: CategorySet, fill_values: &impl FillValues<N, T>) {
        for (class, scores) in FIXED.iter().enumerate() {
            let mut best = [T::LEAST; N];
            for (category, score) in FIXED_BOXES.into_iter().zip(*scores) {
                if free.contains(category) {
                    best = max(best, fill_values.value(category, score, false));
                }
            }
            self.classes[FIRST_FIXED + class] = best;
        }
    }

    /// Sets the values of classes by the sum of the dice and the most dice of one face.
    #[inline(always)]
    fn set_sums(&mut self, free: CategorySet, fill_values: &impl FillValues<N, T>) {
        let value = |category, sum| {
            if free.contains(category) {
                fill_values.value(category, sum, false)
            } else {
                [T::LEAST; N]
            }
        };
        let [no_three, no_four] =
            [value(Category::ThreeOfAKind, 0), value(Category::FourOfAKind, 0)];
        let (sums, _) = self.classes[FIRST_SUM..][..3 * SUMS].as_chunks_mut::<3>();
        for (sum, [least, three, four]) in (5..).zip(sums) {
            let any = value(Category::Chance, sum);
            let of_three = max(any, value(Category::ThreeOfAKind, sum));
            *least = max(max(any, no_three), no_four);
            *three = max(of_three, no_four);
            *four = max(of_three, value(Category::FourOfAKind, sum));
        }
    }

    /// Sets the value of every roll to that of its best legal box.
    #[inline(always)]
    pub(crate) fn fill(&mut self, values: &mut HandValues<N, T>) {
        let MergedClasses { upper, lower, rolls } = &*MERGED;
        let (classes, merged) = (&self.classes, &mut self.merged);
        let class = |class: u8| classes[usize::from(class)];
        for (value, [a, b, c]) in merged.iter_mut().zip(upper) {
            *value = max(max(class(*a), class(*b)), class(*c));
        }
        for (value, [fixed, sum]) in merged[2 * THREE_COUNTS..].iter_mut().zip(lower) {
            *value = max(class(*fixed), class(*sum));
        }
        let merged = |index: u8| merged[usize::from(index)];
        for MergedRoll { roll, parts: [a, b, c] } in rolls {
            values.rolls[usize::from(*roll)] = max(max(merged(*a), merged(*b)), merged(*c));
        }
        if let Some(further) = &self.further {
            for (roll, value) in YAHTZEES.iter().zip(further) {
                values.rolls[*roll] = *value;
            }
        }
    }
}

/// The value of a further Yahtzee of `face` in its best legal box.
#[inline(always)]
pub(crate) fn further_yahtzee<const N: usize, T: Float>(
    variant: Variant,
    free: CategorySet,
    face: Face,
    fill_values: &impl FillValues<N, T>,
) -> Lanes<N, T> {
    let mut best = [T::LEAST; N];
    for category in variant.legal_joker(free, face).iter() {
        let score = variant.further_score(free, category, face);
        best = max(best, fill_values.value(category, score, true));
    }
    best
}
