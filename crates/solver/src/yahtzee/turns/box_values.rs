//! The values of rolls at the end of a turn, in several positions at once.

use std::array;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::yahtzee::game::hand_tables::ROLLS;
use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::turns::hand_values::{Float, HandValues, Lanes, max};
use crate::yahtzee::turns::roll_classes::{
    CLASSES, FIRST_FIXED, FIRST_SUM, FIXED, FIXED_BOXES, GROUPS, SUM_BOXES, SUMS, YAHTZEES, groups,
    upper_class,
};

/// The values of filling boxes, in `N` positions with the same free boxes.
pub(crate) trait FillValues<const N: usize, T> {
    /// The value of filling a free box with `score`. `further` marks a further Yahtzee: one rolled
    /// when the Yahtzee box is filled.
    fn value(&self, category: Category, score: u8, further: bool) -> Lanes<N, T>;
}

/// The values of all classes of rolls in `N` positions with the same free boxes.
#[repr(align(64))]
pub(crate) struct BoxValues<const N: usize, T = f64> {
    /// By class. Classes of groups without a free box are not used.
    classes: [Lanes<N, T>; 256],
    /// By face: the value of a further Yahtzee; `None` while the Yahtzee box is free.
    further: Option<[Lanes<N, T>; 6]>,
}

impl<const N: usize, T: Float> BoxValues<N, T> {
    pub(crate) const fn new() -> Self {
        Self { classes: [[T::ZERO; N]; 256], further: None }
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
        if FIXED_BOXES.iter().any(|category| free.contains(*category)) {
            self.set_fixed(free, fill_values);
        }
        if SUM_BOXES.iter().any(|(category, _)| free.contains(*category)) {
            self.set_sums(free, fill_values);
        }
        self.further = None;
        if !free.contains(Category::Yahtzee) {
            let value = |face| further_yahtzee(variant, free, face, fill_values);
            self.further = Some(array::from_fn(|face| value(Face::ALL[face])));
        }
    }

    /// Sets the values of classes by the number of dice of a face.
    #[inline(always)]
    fn set_upper(&mut self, free: CategorySet, fill_values: &impl FillValues<N, T>) {
        for face in Face::ALL.into_iter().filter(|face| free.contains(Category::upper(*face))) {
            for count in 0..=5 {
                let value = fill_values.value(Category::upper(face), count * face.pips(), false);
                self.classes[upper_class(face, count)] = value;
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
        let nothing = SUM_BOXES.map(|(category, _)| {
            if free.contains(category) {
                fill_values.value(category, 0, false)
            } else {
                [T::LEAST; N]
            }
        });
        let (sums, _) = self.classes[FIRST_SUM..][..3 * SUMS].as_chunks_mut::<3>();
        for (sum, kinds) in (5..).zip(sums) {
            *kinds = [[T::LEAST; N]; 3];
            for ((category, needed), nothing) in SUM_BOXES.into_iter().zip(nothing) {
                if free.contains(category) {
                    let all = fill_values.value(category, sum, false);
                    for (kind, best) in kinds.iter_mut().enumerate() {
                        *best = max(*best, if kind >= needed { all } else { nothing });
                    }
                }
            }
        }
    }

    /// Sets the value of every roll to that of its best legal box.
    #[inline(always)]
    pub(crate) fn fill(&self, free: CategorySet, values: &mut HandValues<N, T>) {
        let mut all = [0; GROUPS];
        let mut count = 0;
        for group in groups(free) {
            all[count] = group;
            count += 1;
        }
        match count {
            1 => self.fill_from::<1>(&all, values),
            2 => self.fill_from::<2>(&all, values),
            3 => self.fill_from::<3>(&all, values),
            4 => self.fill_from::<4>(&all, values),
            5 => self.fill_from::<5>(&all, values),
            6 => self.fill_from::<6>(&all, values),
            7 => self.fill_from::<7>(&all, values),
            _ => self.fill_from::<8>(&all, values),
        }
        if let Some(further) = &self.further {
            for (roll, value) in YAHTZEES.iter().zip(further) {
                values.rolls[*roll] = *value;
            }
        }
    }

    #[inline(always)]
    fn fill_from<const G: usize>(&self, all: &[usize; GROUPS], values: &mut HandValues<N, T>) {
        let groups: [&[u8; 256]; G] = array::from_fn(|group| &CLASSES[all[group]]);
        for (roll, value) in values.rolls[..ROLLS].iter_mut().enumerate() {
            let mut best = self.classes[usize::from(groups[0][roll])];
            for group in &groups[1..] {
                best = max(best, self.classes[usize::from(group[roll])]);
            }
            *value = best;
        }
    }
}

#[inline(always)]
fn further_yahtzee<const N: usize, T: Float>(
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
