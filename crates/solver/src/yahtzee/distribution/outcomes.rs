//! What a turn may end with: a box and what it scores.

use std::array;
use std::sync::LazyLock;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Category, CategorySet, Scorecard};

use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::hand_tables::ROLLS;
use crate::yahtzee::game::position::ENOUGH;
use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::turns::hand_values::Lanes;
use crate::yahtzee::turns::roll_classes::{FIXED_BOXES, SUM_BOXES, YAHTZEES};
use crate::yahtzee::values::table::{Lane, Table};

/// Kinds of outcomes, rounded up to a power of two.
pub(crate) const OUTCOMES: usize = 128;
const FIRST_FIXED: usize = 36;
const FIRST_SUM: usize = FIRST_FIXED + 2 * FIXED_BOXES.len();
/// Nothing, and the sums from 5 to 30.
const SUMS: usize = 27;

/// A box that is filled with a score.
#[derive(Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) category: Category,
    pub(crate) score: u8,
}

/// How rolls and outcomes belong together.
pub(crate) struct Outcomes {
    /// By box and roll.
    pub(crate) of: [[u8; ROLLS]; 13],
    /// All of them, by number.
    pub(crate) all: Vec<Outcome>,
}

pub(crate) static TABLES: LazyLock<Outcomes> = LazyLock::new(Outcomes::new);

impl Outcomes {
    fn new() -> Self {
        let rolls: Vec<_> = Hand::rolls().filter_map(Hand::roll).collect();
        let of = Category::ALL.map(|category| {
            array::from_fn(|roll| number(category, category.score(&rolls[roll])) as u8)
        });
        let upper = Face::ALL.into_iter().flat_map(|face| {
            let category = Category::upper(face);
            (0..=5).map(move |count| Outcome { category, score: count * face.pips() })
        });
        let fixed = FIXED_BOXES
            .into_iter()
            .flat_map(|category| [0, most(category)].map(|score| Outcome { category, score }));
        let sums = SUM_BOXES.into_iter().flat_map(|(category, _)| {
            let scores = [0].into_iter().chain(5..=30);
            scores.map(move |score| Outcome { category, score })
        });
        Self { of, all: upper.chain(fixed).chain(sums).collect() }
    }
}

/// The most that a box may hold.
pub(crate) const fn most(category: Category) -> u8 {
    match category {
        Category::Aces => 5,
        Category::Twos => 10,
        Category::Threes => 15,
        Category::Fours => 20,
        Category::Fives | Category::FullHouse => 25,
        Category::Sixes
        | Category::ThreeOfAKind
        | Category::FourOfAKind
        | Category::Chance
        | Category::SmallStraight => 30,
        Category::LargeStraight => 40,
        Category::Yahtzee => 50,
    }
}

/// The number of the outcome in which a box is filled with a score.
fn number(category: Category, score: u8) -> usize {
    let score = usize::from(score);
    if let Some(face) = category.face() {
        return 6 * face.index() + score / usize::from(face.pips());
    }
    if let Some(place) = FIXED_BOXES.iter().position(|fixed| *fixed == category) {
        return FIRST_FIXED + 2 * place + usize::from(score > 0);
    }
    let place = SUM_BOXES.iter().position(|(sums, _)| *sums == category);
    FIRST_SUM + SUMS * place.expect("one of the boxes left") + score.saturating_sub(4)
}

/// The numbers of the outcomes in a box.
pub(crate) fn numbers(category: Category) -> std::ops::Range<usize> {
    let first = number(category, 0);
    first..number(category, most(category)) + 1
}

/// What each outcome is worth in `N` positions with the same free boxes.
pub(crate) struct Worth<const N: usize> {
    gains: [Lanes<N>; OUTCOMES],
    after: [Lanes<N>; OUTCOMES],
    sums: [Lanes<N>; OUTCOMES],
    /// The positions that outcomes lead to.
    pub(crate) next: [[Lane; N]; OUTCOMES],
}

/// The outcome that each roll is brought to. Numbers are as wide as the values that they are chosen by.
pub(crate) struct Fills<const N: usize> {
    /// By roll.
    pub(crate) best: [[u64; N]; 256],
}

impl<const N: usize> Worth<N> {
    #[inline(always)]
    pub(crate) fn new(
        variant: Variant,
        free: CategorySet,
        lanes: &[Lane; N],
        table: &Table<'_>,
    ) -> Self {
        let none = [[0.0; N]; OUTCOMES];
        let mut worth = Self { gains: none, after: none, sums: none, next: [*lanes; OUTCOMES] };
        for category in free.iter() {
            let row = table.row(free.without(category));
            for number in numbers(category) {
                let Outcome { score, .. } = TABLES.all[number];
                let next = lanes.map(|lane| after(variant, lane, category, score));
                let gains = array::from_fn(|at| {
                    let crossed = lanes[at].upper < ENOUGH && next[at].upper == ENOUGH;
                    f64::from(score) + if crossed { BONUS } else { 0.0 }
                });
                let after = next.map(|lane| row[lane.place(0)] - earned(lane));
                worth.gains[number] = gains;
                worth.after[number] = after;
                worth.sums[number] = array::from_fn(|at| gains[at] + after[at]);
                worth.next[number] = next;
            }
        }
        worth
    }

    /// Finds the best box for each roll, the first in the order of the card among equals.
    #[inline(always)]
    pub(crate) fn choose(
        &self,
        variant: Variant,
        free: CategorySet,
        lanes: &[Lane; N],
        fills: &mut Fills<N>,
    ) {
        let tables = &*TABLES;
        let mut boxes = [&tables.of[0]; 13];
        let count = free.len();
        for (place, category) in boxes.iter_mut().zip(free.iter()) {
            *place = &tables.of[category.index()];
        }
        for (roll, chosen) in fills.best[..ROLLS].iter_mut().enumerate() {
            let mut best = [f64::MIN; N];
            let mut which = [0; N];
            for numbers in &boxes[..count] {
                let number = numbers[roll];
                better(&self.sums[usize::from(number) % OUTCOMES], number, &mut best, &mut which);
            }
            *chosen = which;
        }
        if !free.contains(Category::Yahtzee) {
            for face in Face::ALL {
                let roll = YAHTZEES[face.index()];
                fills.best[roll] = self.further_yahtzee(variant, free, lanes, face);
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
    ) -> [u64; N] {
        let bonus = lanes.map(|lane| f64::from(variant.further_yahtzee_bonus(lane.has_yahtzee)));
        let mut best = [f64::MIN; N];
        let mut which = [0; N];
        for category in variant.legal_joker(free, face).iter() {
            let plain = usize::from(TABLES.of[category.index()][YAHTZEES[face.index()]]);
            let is_full =
                FIXED_BOXES.contains(&category) && variant.further_score(free, category, face) > 0;
            let number = if is_full { plain | 1 } else { plain };
            let (gains, after) = (&self.gains[number], &self.after[number]);
            let worth = array::from_fn(|at| (gains[at] + bonus[at]) + after[at]);
            better(&worth, number as u8, &mut best, &mut which);
        }
        which
    }
}

impl<const N: usize> Fills<N> {
    pub(crate) const fn new() -> Self {
        Self { best: [[0; N]; 256] }
    }
}

#[inline(always)]
fn better<const N: usize>(worth: &Lanes<N>, number: u8, best: &mut Lanes<N>, which: &mut [u64; N]) {
    for at in 0..N {
        let is_better = worth[at] > best[at];
        best[at] = if is_better { worth[at] } else { best[at] };
        which[at] = if is_better { u64::from(number) } else { which[at] };
    }
}

const BONUS: f64 = Scorecard::UPPER_BONUS as f64;

/// The upper bonus, if it is no longer to come.
#[inline(always)]
pub(crate) fn earned(lane: Lane) -> f64 {
    if lane.upper == ENOUGH { BONUS } else { 0.0 }
}

#[inline(always)]
fn after(variant: Variant, lane: Lane, category: Category, score: u8) -> Lane {
    let more = if category.is_upper() { score } else { 0 };
    let is_yahtzee = matches!(category, Category::Yahtzee) && score > 0;
    Lane {
        upper: (lane.upper + more).min(ENOUGH),
        has_yahtzee: variant.tells_yahtzees_apart() && (lane.has_yahtzee || is_yahtzee),
    }
}
