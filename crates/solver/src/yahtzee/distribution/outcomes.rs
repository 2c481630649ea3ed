//! The outcomes of a turn: a box and its score.

use std::array;
use std::sync::LazyLock;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Category, CategorySet, Scorecard};

use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::hand_tables::ROLLS;
use crate::yahtzee::game::position::BONUS_FROM;
use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::turns::hand_values::Lanes;
use crate::yahtzee::turns::roll_classes::{FIXED_BOXES, SUM_BOXES, YAHTZEES};
use crate::yahtzee::values::table::{BonusState, ValueTable};

/// The number of outcomes, rounded up to a power of two.
pub(crate) const OUTCOMES: usize = 128;
const FIRST_FIXED: usize = 36;
const FIRST_SUM: usize = FIRST_FIXED + 2 * FIXED_BOXES.len();
/// The scores of a box for a sum of dice: 0, and 5 to 30.
const SUM_SCORES: usize = 27;

/// A box filled with a score.
#[derive(Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) category: Category,
    pub(crate) score: u8,
}

/// The outcomes of all boxes and rolls.
pub(crate) struct Outcomes {
    /// By box and roll: the index of the outcome.
    pub(crate) of: [[u8; ROLLS]; 13],
    /// By index.
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

/// The highest score of a box.
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

/// The index of the outcome that fills `category` with `score`.
fn number(category: Category, score: u8) -> usize {
    let score = usize::from(score);
    if let Some(face) = category.face() {
        return 6 * face.index() + score / usize::from(face.pips());
    }
    if let Some(index) = FIXED_BOXES.iter().position(|fixed| *fixed == category) {
        return FIRST_FIXED + 2 * index + usize::from(score > 0);
    }
    let index = SUM_BOXES.iter().position(|(sums, _)| *sums == category);
    FIRST_SUM + SUM_SCORES * index.expect("one of the boxes left") + score.saturating_sub(4)
}

/// The indices of the outcomes that fill a box.
pub(crate) fn numbers(category: Category) -> std::ops::Range<usize> {
    let first = number(category, 0);
    first..number(category, most(category)) + 1
}

/// The values of the outcomes in `N` positions with the same free boxes.
pub(crate) struct OutcomeValues<const N: usize> {
    gains: [Lanes<N>; OUTCOMES],
    after: [Lanes<N>; OUTCOMES],
    sums: [Lanes<N>; OUTCOMES],
    /// The next position of each outcome.
    pub(crate) next: [[BonusState; N]; OUTCOMES],
}

/// The best outcome of each roll. Indices have the width of the values they are compared by.
pub(crate) struct BestOutcomes<const N: usize> {
    /// By roll.
    pub(crate) best: [[u64; N]; 256],
}

impl<const N: usize> OutcomeValues<N> {
    #[inline(always)]
    pub(crate) fn new(
        variant: Variant,
        free: CategorySet,
        lanes: &[BonusState; N],
        table: &ValueTable<'_>,
    ) -> Self {
        let none = [[0.0; N]; OUTCOMES];
        let mut values = Self { gains: none, after: none, sums: none, next: [*lanes; OUTCOMES] };
        for category in free.iter() {
            let row = table.row(free.without(category));
            for number in numbers(category) {
                let Outcome { score, .. } = TABLES.all[number];
                let next = lanes.map(|lane| after(variant, lane, category, score));
                let gains = array::from_fn(|at| {
                    let crossed = lanes[at].upper < BONUS_FROM && next[at].upper == BONUS_FROM;
                    f64::from(score) + if crossed { BONUS } else { 0.0 }
                });
                let after = next.map(|lane| row[lane.index(0)] - earned(lane));
                values.gains[number] = gains;
                values.after[number] = after;
                values.sums[number] = array::from_fn(|at| gains[at] + after[at]);
                values.next[number] = next;
            }
        }
        values
    }

    /// Finds the best box for each roll; the first on the scorecard among equals.
    #[inline(always)]
    pub(crate) fn choose(
        &self,
        variant: Variant,
        free: CategorySet,
        lanes: &[BonusState; N],
        best_outcomes: &mut BestOutcomes<N>,
    ) {
        let tables = &*TABLES;
        let mut boxes = [&tables.of[0]; 13];
        let count = free.len();
        for (index, category) in boxes.iter_mut().zip(free.iter()) {
            *index = &tables.of[category.index()];
        }
        for (roll, chosen) in best_outcomes.best[..ROLLS].iter_mut().enumerate() {
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
                best_outcomes.best[roll] = self.further_yahtzee(variant, free, lanes, face);
            }
        }
    }

    #[inline(always)]
    fn further_yahtzee(
        &self,
        variant: Variant,
        free: CategorySet,
        lanes: &[BonusState; N],
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
            let values = array::from_fn(|at| (gains[at] + bonus[at]) + after[at]);
            better(&values, number as u8, &mut best, &mut which);
        }
        which
    }
}

impl<const N: usize> BestOutcomes<N> {
    pub(crate) const fn new() -> Self {
        Self { best: [[0; N]; 256] }
    }
}

#[inline(always)]
fn better<const N: usize>(
    values: &Lanes<N>,
    number: u8,
    best: &mut Lanes<N>,
    which: &mut [u64; N],
) {
    for at in 0..N {
        let is_better = values[at] > best[at];
        best[at] = if is_better { values[at] } else { best[at] };
        which[at] = if is_better { u64::from(number) } else { which[at] };
    }
}

const BONUS: f64 = Scorecard::UPPER_BONUS as f64;

/// The upper bonus if it is already earned, else 0.
#[inline(always)]
pub(crate) fn earned(state: BonusState) -> f64 {
    if state.upper == BONUS_FROM { BONUS } else { 0.0 }
}

#[inline(always)]
fn after(variant: Variant, state: BonusState, category: Category, score: u8) -> BonusState {
    let more = if category.is_upper() { score } else { 0 };
    let is_yahtzee = matches!(category, Category::Yahtzee) && score > 0;
    BonusState {
        upper: (state.upper + more).min(BONUS_FROM),
        has_yahtzee: variant.distinguishes_yahtzees() && (state.has_yahtzee || is_yahtzee),
    }
}
