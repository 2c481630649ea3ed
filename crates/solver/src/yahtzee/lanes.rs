//! A turn of several positions at once, from its last box back to its first roll.

use std::array;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Category, CategorySet};

use super::classes::{
    CLASSES, FIRST_FIXED, FIRST_SUM, FIXED, FIXED_BOXES, GROUPS, SUM_BOXES, YAHTZEES, groups,
    upper_class,
};
use super::hand::{ROLLS, Shrinking, Shrunk, Tables, UP_TO_THREE};
use super::table::{Lane, Table};
use super::{Hand, Variant};

/// A value of each position.
pub(super) type Lanes<const N: usize> = [f64; N];

/// What every hand is worth, in each of `N` positions. Bytes are its indexes.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct HandValues<const N: usize> {
    pub(super) partial: [Lanes<N>; 256],
    pub(super) rolls: [Lanes<N>; 256],
}

impl<const N: usize> HandValues<N> {
    pub(super) const fn new() -> Self {
        Self { partial: [[0.0; N]; 256], rolls: [[0.0; N]; 256] }
    }

    /// From the worth of rolls to that of keeping each partial hand: the mean over its next die.
    #[inline(always)]
    pub(super) fn average(&mut self, tables: &Tables) {
        for (hand, grown) in tables.grown_rolls.iter().enumerate() {
            self.partial[UP_TO_THREE + hand] =
                mean(grown.map(|roll| self.rolls[usize::from(roll)]));
        }
        for (hand, grown) in tables.grown_partial.iter().enumerate().rev() {
            self.partial[hand] = mean(grown.map(|hand| self.partial[usize::from(hand)]));
        }
    }

    /// From the worth of keeping each hand to that of keeping its best part.
    #[inline(always)]
    pub(super) fn take_best(&mut self, tables: &Tables) {
        let Self { partial, rolls } = self;
        for Shrinking { one, two, three, four, five: _ } in &tables.shrinking {
            best_of_partial(partial, one);
            best_of_partial(partial, two);
            best_of_partial(partial, three);
            best_of_partial(partial, four);
        }
        let Shrinking { one, two, three, four, five } = &tables.shrinking_rolls;
        best_of_rolls(rolls, partial, one);
        best_of_rolls(rolls, partial, two);
        best_of_rolls(rolls, partial, three);
        best_of_rolls(rolls, partial, four);
        best_of_rolls(rolls, partial, five);
    }

    /// The mean over the rolls of five dice.
    #[inline(always)]
    pub(super) fn first_roll(&self, tables: &Tables) -> Lanes<N> {
        self.mean_of_rolls(tables, |value| value)
    }

    /// The mean over the squares of the rolls of five dice.
    #[inline(always)]
    pub(super) fn first_roll_squared(&self, tables: &Tables) -> Lanes<N> {
        self.mean_of_rolls(tables, |value| value * value)
    }

    #[inline(always)]
    fn mean_of_rolls(&self, tables: &Tables, of: impl Fn(f64) -> f64) -> Lanes<N> {
        const WAYS: f64 = 7776.0;
        let mut sums = [[0.0; N]; 4];
        for (ways, rolls) in tables.ways.chunks_exact(4).zip(self.rolls.chunks_exact(4)) {
            for ((sum, ways), roll) in sums.iter_mut().zip(ways).zip(rolls) {
                let ways = f64::from(*ways);
                *sum = array::from_fn(|lane| sum[lane] + ways * of(roll[lane]));
            }
        }
        let [a, b, c, d] = sums;
        array::from_fn(|lane| ((a[lane] + b[lane]) + (c[lane] + d[lane])) / WAYS)
    }

    /// The value of a hand in one of the positions.
    #[inline(always)]
    pub(super) fn in_lane(&self, hand: Hand, lane: usize) -> f64 {
        match hand.roll_index() {
            Some(roll) => self.rolls[roll][lane],
            None => self.partial[hand.index()][lane],
        }
    }
}

#[inline(always)]
fn best_of_partial<const N: usize, const D: usize>(
    values: &mut [Lanes<N>; 256],
    hands: &[Shrunk<D>],
) {
    for Shrunk { hand, smaller } in hands {
        let parts = smaller.map(|part| values[usize::from(part)]);
        values[usize::from(*hand)] = parts.into_iter().fold(values[usize::from(*hand)], max);
    }
}

#[inline(always)]
fn best_of_rolls<const N: usize, const D: usize>(
    rolls: &mut [Lanes<N>; 256],
    partial: &[Lanes<N>; 256],
    hands: &[Shrunk<D>],
) {
    for Shrunk { hand, smaller } in hands {
        let parts = smaller.map(|part| partial[usize::from(part)]);
        rolls[usize::from(*hand)] = parts.into_iter().fold(rolls[usize::from(*hand)], max);
    }
}

#[inline(always)]
fn max<const N: usize>(a: Lanes<N>, b: Lanes<N>) -> Lanes<N> {
    array::from_fn(|lane| if b[lane] > a[lane] { b[lane] } else { a[lane] })
}

#[inline(always)]
fn add<const N: usize>(a: Lanes<N>, b: f64) -> Lanes<N> {
    a.map(|value| value + b)
}

#[inline(always)]
fn mean<const N: usize>([a, b, c, d, e, f]: [Lanes<N>; 6]) -> Lanes<N> {
    array::from_fn(|lane| {
        ((a[lane] + b[lane]) + (c[lane] + d[lane]) + (e[lane] + f[lane])) * (1.0 / 6.0)
    })
}

/// What the classes of rolls are worth in positions with the same free boxes.
pub(super) struct Classes<const N: usize> {
    /// By class; those of groups without a free box are not used.
    values: [Lanes<N>; 256],
    /// By box: what comes after it, if it adds nothing to the upper total. Not used of boxes that are filled.
    after: [Lanes<N>; 13],
    /// Of a further Yahtzee by face; `None` while the Yahtzee box is free.
    further: Option<[Lanes<N>; 6]>,
}

impl<const N: usize> Classes<N> {
    pub(super) const fn new() -> Self {
        Self { values: [[0.0; N]; 256], after: [[0.0; N]; 13], further: None }
    }

    /// Sets the classes to those of positions with the same `free` boxes.
    #[inline(always)]
    pub(super) fn set(
        &mut self,
        variant: Variant,
        free: CategorySet,
        lanes: &[Lane; N],
        table: &Table<'_>,
    ) {
        for category in free.iter() {
            let row = table.row(free.without(category));
            self.after[category.index()] = array::from_fn(|lane| row[lanes[lane].place(0)]);
        }
        for face in Face::ALL.into_iter().filter(|face| free.contains(Category::upper(*face))) {
            let row = table.row(free.without(Category::upper(face)));
            for count in 0..=5 {
                let score = count * face.pips();
                let worth = |lane: usize| row[lanes[lane].place(score)] + f64::from(score);
                self.values[upper_class(face, count)] = array::from_fn(worth);
            }
        }
        self.add_fixed(free, lanes, table);
        self.add_sums(free);
        self.further = None;
        if !free.contains(Category::Yahtzee) {
            let worth = |face: usize| self.further_yahtzee(variant, free, lanes, Face::ALL[face]);
            self.further = Some(array::from_fn(worth));
        }
    }

    #[inline(always)]
    fn add_fixed(&mut self, free: CategorySet, lanes: &[Lane; N], table: &Table<'_>) {
        for (class, scores) in FIXED.iter().enumerate() {
            let mut best = [f64::MIN; N];
            for (category, score) in FIXED_BOXES.into_iter().zip(*scores) {
                if !free.contains(category) {
                    continue;
                }
                let after = if category == Category::Yahtzee {
                    let row = table.row(free.without(category));
                    lanes.map(|lane| row[Lane { has_yahtzee: score > 0, ..lane }.place(0)])
                } else {
                    self.after[category.index()]
                };
                best = max(best, add(after, f64::from(score)));
            }
            self.values[FIRST_FIXED + class] = best;
        }
    }

    #[inline(always)]
    fn add_sums(&mut self, free: CategorySet) {
        for sum in 0..=25 {
            for kinds in 0..3 {
                let mut best = [f64::MIN; N];
                for (category, needed) in SUM_BOXES {
                    if free.contains(category) {
                        let score = if kinds >= needed { sum + 5 } else { 0 };
                        best = max(best, add(self.after[category.index()], score as f64));
                    }
                }
                self.values[FIRST_SUM + 3 * sum + kinds] = best;
            }
        }
    }

    #[inline(always)]
    fn further_yahtzee(
        &self,
        variant: Variant,
        free: CategorySet,
        lanes: &[Lane; N],
        face: Face,
    ) -> Lanes<N> {
        let full = variant.is_joker(free, face);
        let mut best = [f64::MIN; N];
        for category in variant.legal_joker(free, face).iter() {
            let after = self.after[category.index()];
            let worth = match category {
                Category::FullHouse if full => add(after, 25.0),
                Category::SmallStraight if full => add(after, 30.0),
                Category::LargeStraight if full => add(after, 40.0),
                Category::ThreeOfAKind | Category::FourOfAKind | Category::Chance => {
                    add(after, f64::from(5 * face.pips()))
                }
                Category::FullHouse
                | Category::SmallStraight
                | Category::LargeStraight
                | Category::Yahtzee => after,
                Category::Aces
                | Category::Twos
                | Category::Threes
                | Category::Fours
                | Category::Fives
                | Category::Sixes => {
                    let count = if category.face() == Some(face) { 5 } else { 0 };
                    self.values[6 * category.index() + count]
                }
            };
            best = max(best, worth);
        }
        let bonus = lanes.map(|lane| f64::from(variant.further_yahtzee_bonus(lane.has_yahtzee)));
        array::from_fn(|lane| best[lane] + bonus[lane])
    }

    /// Gives every roll the worth of the best box that it may fill.
    #[inline(always)]
    pub(super) fn fill(&self, free: CategorySet, values: &mut HandValues<N>) {
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
            for (roll, worth) in YAHTZEES.iter().zip(further) {
                values.rolls[*roll] = *worth;
            }
        }
    }

    #[inline(always)]
    fn fill_from<const G: usize>(&self, all: &[usize; GROUPS], values: &mut HandValues<N>) {
        let groups: [&[u8; 256]; G] = array::from_fn(|group| &CLASSES[all[group]]);
        for (roll, worth) in values.rolls[..ROLLS].iter_mut().enumerate() {
            let mut best = self.values[usize::from(groups[0][roll])];
            for group in &groups[1..] {
                best = max(best, self.values[usize::from(group[roll])]);
            }
            *worth = best;
        }
    }
}
