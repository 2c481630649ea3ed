//! Plays all games of the optimal player at once, turn by turn.

use std::num::NonZero;
use std::slice::IterMut;
use std::sync::Mutex;
use std::thread;

use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::simd::{VectorTask, run_widest};
use crate::yahtzee::distribution::score_mass::{MassAccumulator, ScoreMass, TransitionSource};
use crate::yahtzee::distribution::transitions::{TransitionFinder, Transitions};
use crate::yahtzee::distribution::{Distribution, SCORES};
use crate::yahtzee::game::position::{BONUS_FROM, Position};
use crate::yahtzee::values::solution::Solution;
use crate::yahtzee::values::table::{BonusState, sets};

/// The reachable positions with the same free boxes, and their transitions.
struct CardGroup {
    free: CategorySet,
    mass: ScoreMass,
    transitions: Transitions,
}

impl Distribution {
    /// The distribution of the final score of a whole game, computed on `threads` threads. The
    /// result does not depend on the number of threads.
    #[must_use]
    pub fn new(solution: &Solution, threads: NonZero<usize>) -> Self {
        Self::from(solution, Position::START, threads)
    }

    /// The distribution of the further points from `position` on, including both bonuses as far as
    /// they are not earned yet.
    #[must_use]
    pub fn from(solution: &Solution, position: Position, threads: NonZero<usize>) -> Self {
        let has_yahtzee = solution.variant().distinguishes_yahtzees() && position.has_yahtzee();
        let state = BonusState { upper: position.upper(), has_yahtzee };
        let mass = ScoreMass::of(position, state);
        let mut level =
            vec![CardGroup { free: position.free(), mass, transitions: Transitions::default() }];
        let mut distribution = Distribution::nothing(position.free());
        while !level[0].free.is_empty() {
            for_each_group(&mut level, threads, |remaining| {
                run_widest(FindTransitions { remaining, solution });
            });
            for group in &level {
                count_boxes(group, &mut distribution);
            }
            level = next_level(&level, threads);
        }
        for group in &level {
            finish(&group.mass, &mut distribution);
        }
        distribution
    }
}

/// The positions after one more turn.
fn next_level(level: &[CardGroup], threads: NonZero<usize>) -> Vec<CardGroup> {
    let boxes = level[0].free.len() - 1;
    let mut from = vec![None; 1 << 13];
    for (number, group) in level.iter().enumerate() {
        from[usize::from(group.free.bits())] = Some(number);
    }
    let source = |free: CategorySet, category: Category| {
        let number = from[usize::from(free.bits() | CategorySet::only(category).bits())]?;
        let CardGroup { mass, transitions, .. } = &level[number];
        let transitions = transitions.fill(category);
        (!free.contains(category) && !transitions.is_empty())
            .then_some(TransitionSource { mass, transitions })
    };
    let empty =
        |free| CardGroup { free, mass: ScoreMass::default(), transitions: Transitions::default() };
    let mut next: Vec<_> =
        sets().into_iter().filter(|free| free.len() == boxes).map(empty).collect();
    for_each_group(&mut next, threads, |remaining| {
        run_widest(AccumulateMass { remaining, source: &source });
    });
    next.retain(|group| !group.mass.positions.is_empty());
    next
}

/// Runs `work` on threads that take groups from the rest until none is left. The result does not
/// depend on the order.
fn for_each_group(
    groups: &mut [CardGroup],
    threads: NonZero<usize>,
    work: impl Fn(&RemainingGroups<'_>) + Sync,
) {
    let threads = threads.get().min(groups.len());
    let remaining = Mutex::new(groups.iter_mut());
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| work(&remaining));
        }
        work(&remaining);
    });
}

type RemainingGroups<'a> = Mutex<IterMut<'a, CardGroup>>;

/// The next group that no thread has taken.
fn take<'a>(remaining: &RemainingGroups<'a>) -> Option<&'a mut CardGroup> {
    remaining.lock().map_or(None, |mut remaining| remaining.next())
}

/// Finds the transitions of some groups.
struct FindTransitions<'a, 'b> {
    remaining: &'a RemainingGroups<'b>,
    solution: &'a Solution,
}

impl VectorTask for FindTransitions<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (variant, table) = (self.solution.variant(), self.solution.table());
        let mut finder = TransitionFinder::new();
        while let Some(CardGroup { free, mass, transitions }) = take(self.remaining) {
            *transitions = finder.find(variant, *free, &mass.positions, &table);
        }
    }
}

/// Accumulates the score mass of some groups.
struct AccumulateMass<'a, 'b, F> {
    remaining: &'a RemainingGroups<'b>,
    source: &'a F,
}

impl<'s, F: Fn(CategorySet, Category) -> Option<TransitionSource<'s>>> VectorTask
    for AccumulateMass<'_, '_, F>
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut accumulator = MassAccumulator::new();
        while let Some(group) = take(self.remaining) {
            let source = |category| (self.source)(group.free, category);
            let sources: Vec<_> = Category::ALL.into_iter().filter_map(source).collect();
            group.mass = accumulator.accumulate(group.free, &sources);
        }
    }
}

/// Adds the probabilities of box scores.
fn count_boxes(group: &CardGroup, distribution: &mut Distribution) {
    for category in group.free.iter() {
        let scores = &mut distribution.boxes[category.index()];
        for transition in group.transitions.fill(category) {
            let from = &group.mass.positions[usize::from(transition.from)];
            scores[usize::from(transition.score)] += from.chance * transition.chance;
        }
    }
}

/// Adds the finished games.
fn finish(mass: &ScoreMass, distribution: &mut Distribution) {
    for position in &mass.positions {
        distribution.lowest = distribution.lowest.min(position.lowest);
        distribution.highest = distribution.highest.max(position.highest);
        if position.state.upper == BONUS_FROM {
            distribution.upper_bonus += position.chance;
        }
        for band in mass.bands(position) {
            let bonuses = usize::from(band.bonuses);
            let low = usize::from(band.low) + 100 * bonuses;
            for (score, chance) in (low..SCORES).zip(mass.chances(*band)) {
                distribution.chances[score] += chance;
                distribution.yahtzee_bonuses[bonuses] += chance;
            }
        }
    }
}
