//! All that a turn may lead to from the positions with the same free boxes.

use std::array;
use std::ops::Range;

use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::yahtzee::distribution::outcomes::{
    self, Fills, OUTCOMES, Outcome, Worth, earned, numbers,
};
use crate::yahtzee::distribution::roll_flow::{Flow, Stages};
use crate::yahtzee::distribution::score_mass::Cell;
use crate::yahtzee::distribution::transition::Move;
use crate::yahtzee::game::hand_tables::{ROLLS, TABLES};
use crate::yahtzee::game::position::ENOUGH;
use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::turns::box_values::BoxValues;
use crate::yahtzee::turns::hand_values::HandValues;
use crate::yahtzee::turns::roll_classes::YAHTZEES;
use crate::yahtzee::values::table::{Lane, Points, Table};

/// Positions that are worked on at once.
const AT_ONCE: usize = 8;

/// The moves from the positions with the same free boxes.
#[derive(Default)]
pub(crate) struct Moves {
    all: Vec<Move>,
    /// By box.
    places: [Range<usize>; 13],
}

impl Moves {
    /// Those that fill this box.
    pub(crate) fn fill(&self, category: Category) -> &[Move] {
        &self.all[self.places[category.index()].clone()]
    }
}

/// Finds the moves of optimal play. The space it works in is used again.
pub(crate) struct MoveFinder {
    boxes: BoxValues<AT_ONCE>,
    values: HandValues<AT_ONCE>,
    stages: Stages<AT_ONCE>,
    flow: Flow<AT_ONCE>,
    fills: Fills<AT_ONCE>,
    chances: [[f64; AT_ONCE]; OUTCOMES],
    found: [Vec<Move>; 13],
}

/// Positions that are worked on at once, with the number of the first, and how many are asked for.
struct Block {
    lanes: [Lane; AT_ONCE],
    first: usize,
    count: usize,
}

impl MoveFinder {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self {
            boxes: BoxValues::new(),
            values: HandValues::new(),
            stages: Stages::new(),
            flow: Flow::new(),
            fills: Fills::new(),
            chances: [[0.0; AT_ONCE]; OUTCOMES],
            found: Default::default(),
        })
    }

    #[inline(always)]
    pub(crate) fn find(
        &mut self,
        variant: Variant,
        free: CategorySet,
        cells: &[Cell],
        table: &Table<'_>,
    ) -> Moves {
        for (number, some) in cells.chunks(AT_ONCE).enumerate() {
            let lanes = array::from_fn(|lane| some[lane.min(some.len() - 1)].lane);
            let block = Block { lanes, first: AT_ONCE * number, count: some.len() };
            self.find_some(variant, free, &block, table);
        }
        let mut moves = Moves::default();
        for (place, found) in moves.places.iter_mut().zip(&mut self.found) {
            let begin = moves.all.len();
            moves.all.append(found);
            *place = begin..moves.all.len();
        }
        moves.all.shrink_to_fit();
        moves
    }

    #[inline(always)]
    fn find_some(&mut self, variant: Variant, free: CategorySet, block: &Block, table: &Table<'_>) {
        let tables = &*TABLES;
        self.boxes.set(variant, free, &Points::new(variant, free, table, &block.lanes));
        self.boxes.fill(free, &mut self.values);
        let earned = block.lanes.map(earned);
        for roll in &mut self.values.rolls[..ROLLS] {
            *roll = array::from_fn(|lane| roll[lane] - earned[lane]);
        }
        self.stages.solve(&self.values.rolls, tables);
        self.flow.play(&self.stages, tables);
        let worth = Worth::new(variant, free, &block.lanes, table);
        worth.choose(variant, free, &block.lanes, &mut self.fills);
        self.add_further_yahtzees(variant, free, block, &worth);
        self.add_others(free, block, &worth);
    }

    /// Takes the Yahtzees that earn a bonus out of the flow.
    #[inline(always)]
    fn add_further_yahtzees(
        &mut self,
        variant: Variant,
        free: CategorySet,
        block: &Block,
        worth: &Worth<AT_ONCE>,
    ) {
        if free.contains(Category::Yahtzee) {
            return;
        }
        for roll in *YAHTZEES {
            for lane in 0..block.count {
                if variant.further_yahtzee_bonus(block.lanes[lane].has_yahtzee) == 0 {
                    continue;
                }
                let chance = std::mem::take(&mut self.flow.ends[roll][lane]);
                let number = self.fills.best[roll][lane] as usize;
                self.add(block, lane, number, chance, worth, true);
            }
        }
    }

    #[inline(always)]
    fn add_others(&mut self, free: CategorySet, block: &Block, worth: &Worth<AT_ONCE>) {
        self.chances = [[0.0; AT_ONCE]; OUTCOMES];
        for (ends, fills) in self.flow.ends[..ROLLS].iter().zip(&self.fills.best) {
            for lane in 0..AT_ONCE {
                self.chances[fills[lane] as usize % OUTCOMES][lane] += ends[lane];
            }
        }
        for number in free.iter().flat_map(numbers) {
            for lane in 0..block.count {
                self.add(block, lane, number, self.chances[number][lane], worth, false);
            }
        }
    }

    #[inline(always)]
    fn add(
        &mut self,
        block: &Block,
        lane: usize,
        number: usize,
        chance: f64,
        worth: &Worth<AT_ONCE>,
        bonus: bool,
    ) {
        if chance == 0.0 {
            return;
        }
        let Outcome { category, score } = outcomes::TABLES.all[number];
        let to = worth.next[number][lane];
        let crossed = block.lanes[lane].upper < ENOUGH && to.upper == ENOUGH;
        let from = (block.first + lane) as u8;
        let one = Move { chance, from, to, score, bonus, crossed };
        self.found[category.index()].push(one);
    }
}
