//! The transitions of optimal play from the positions with the same free boxes.

use std::array;
use std::ops::Range;

use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::yahtzee::distribution::outcomes::{
    self, BestOutcomes, OUTCOMES, Outcome, OutcomeValues, earned, numbers,
};
use crate::yahtzee::distribution::roll_flow::{HandProbabilities, TurnStages};
use crate::yahtzee::distribution::score_mass::ReachedPosition;
use crate::yahtzee::distribution::transition::Transition;
use crate::yahtzee::game::hand_tables::{ROLLS, TABLES};
use crate::yahtzee::game::position::BONUS_FROM;
use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::turns::box_values::BoxValues;
use crate::yahtzee::turns::hand_values::HandValues;
use crate::yahtzee::turns::roll_classes::YAHTZEES;
use crate::yahtzee::values::table::{BonusState, ExpectedPoints, ValueTable};

/// Positions computed at a time.
const BATCH: usize = 8;

/// The transitions from the positions with the same free boxes.
#[derive(Default)]
pub(crate) struct Transitions {
    all: Vec<Transition>,
    /// By box.
    ranges: [Range<usize>; 13],
}

impl Transitions {
    /// The transitions that fill a box.
    pub(crate) fn fill(&self, category: Category) -> &[Transition] {
        &self.all[self.ranges[category.index()].clone()]
    }
}

/// Finds the transitions of optimal play. The buffers are reused.
pub(crate) struct TransitionFinder {
    boxes: BoxValues<BATCH>,
    values: HandValues<BATCH>,
    stages: TurnStages<BATCH>,
    flow: HandProbabilities<BATCH>,
    best_outcomes: BestOutcomes<BATCH>,
    chances: [[f64; BATCH]; OUTCOMES],
    found: [Vec<Transition>; 13],
}

/// Positions computed at a time, the index of the first, and how many of them are used.
struct PositionBatch {
    lanes: [BonusState; BATCH],
    first: usize,
    count: usize,
}

impl TransitionFinder {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self {
            boxes: BoxValues::new(),
            values: HandValues::new(),
            stages: TurnStages::new(),
            flow: HandProbabilities::new(),
            best_outcomes: BestOutcomes::new(),
            chances: [[0.0; BATCH]; OUTCOMES],
            found: Default::default(),
        })
    }

    #[inline(always)]
    pub(crate) fn find(
        &mut self,
        variant: Variant,
        free: CategorySet,
        positions: &[ReachedPosition],
        table: &ValueTable<'_>,
    ) -> Transitions {
        for (number, some) in positions.chunks(BATCH).enumerate() {
            let lanes = array::from_fn(|lane| some[lane.min(some.len() - 1)].state);
            let batch = PositionBatch { lanes, first: BATCH * number, count: some.len() };
            self.find_in_batch(variant, free, &batch, table);
        }
        let mut transitions = Transitions::default();
        for (range, found) in transitions.ranges.iter_mut().zip(&mut self.found) {
            let begin = transitions.all.len();
            transitions.all.append(found);
            *range = begin..transitions.all.len();
        }
        transitions.all.shrink_to_fit();
        transitions
    }

    #[inline(always)]
    fn find_in_batch(
        &mut self,
        variant: Variant,
        free: CategorySet,
        batch: &PositionBatch,
        table: &ValueTable<'_>,
    ) {
        let tables = &*TABLES;
        self.boxes.set(variant, free, &ExpectedPoints::new(variant, free, table, &batch.lanes));
        self.boxes.fill(&mut self.values);
        let earned = batch.lanes.map(earned);
        for roll in &mut self.values.rolls[..ROLLS] {
            *roll = array::from_fn(|lane| roll[lane] - earned[lane]);
        }
        self.stages.solve(&self.values.rolls, tables);
        self.flow.play(&self.stages, tables);
        let values = OutcomeValues::new(variant, free, &batch.lanes, table);
        values.choose(variant, free, &batch.lanes, &mut self.best_outcomes);
        self.add_further_yahtzees(variant, free, batch, &values);
        self.add_other_rolls(free, batch, &values);
    }

    /// Moves the Yahtzees that earn a bonus out of the final rolls.
    #[inline(always)]
    fn add_further_yahtzees(
        &mut self,
        variant: Variant,
        free: CategorySet,
        batch: &PositionBatch,
        values: &OutcomeValues<BATCH>,
    ) {
        if free.contains(Category::Yahtzee) {
            return;
        }
        for roll in *YAHTZEES {
            for lane in 0..batch.count {
                if variant.further_yahtzee_bonus(batch.lanes[lane].has_yahtzee) == 0 {
                    continue;
                }
                let chance = std::mem::take(&mut self.flow.ends[roll][lane]);
                let number = self.best_outcomes.best[roll][lane] as usize;
                self.add(batch, lane, number, chance, values, true);
            }
        }
    }

    #[inline(always)]
    fn add_other_rolls(
        &mut self,
        free: CategorySet,
        batch: &PositionBatch,
        values: &OutcomeValues<BATCH>,
    ) {
        self.chances = [[0.0; BATCH]; OUTCOMES];
        for (ends, best_outcomes) in self.flow.ends[..ROLLS].iter().zip(&self.best_outcomes.best) {
            for lane in 0..BATCH {
                self.chances[best_outcomes[lane] as usize % OUTCOMES][lane] += ends[lane];
            }
        }
        for number in free.iter().flat_map(numbers) {
            for lane in 0..batch.count {
                self.add(batch, lane, number, self.chances[number][lane], values, false);
            }
        }
    }

    #[inline(always)]
    fn add(
        &mut self,
        batch: &PositionBatch,
        lane: usize,
        number: usize,
        chance: f64,
        values: &OutcomeValues<BATCH>,
        bonus: bool,
    ) {
        if chance == 0.0 {
            return;
        }
        let Outcome { category, score } = outcomes::TABLES.all[number];
        let to = values.next[number][lane];
        let crossed = batch.lanes[lane].upper < BONUS_FROM && to.upper == BONUS_FROM;
        let from = (batch.first + lane) as u8;
        let transition = Transition { chance, from, to, score, bonus, crossed };
        self.found[category.index()].push(transition);
    }
}
