//! All games of the optimal player at once, turn by turn.

use std::num::NonZero;
use std::slice::IterMut;
use std::sync::Mutex;
use std::thread;

use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::simd::{Work, with_widest};
use crate::yahtzee::distribution::score_mass::{Gatherer, Mass, Source};
use crate::yahtzee::distribution::transitions::{MoveFinder, Moves};
use crate::yahtzee::distribution::{Distribution, SCORES};
use crate::yahtzee::game::position::{ENOUGH, Position};
use crate::yahtzee::values::solution::Solution;
use crate::yahtzee::values::table::{Lane, sets};

/// The positions with the same free boxes that are played, and their moves.
struct Place {
    free: CategorySet,
    mass: Mass,
    moves: Moves,
}

impl Distribution {
    /// That of a whole game, found with so many threads. The result does not depend on them.
    #[must_use]
    pub fn new(solution: &Solution, threads: NonZero<usize>) -> Self {
        Self::from(solution, Position::START, threads)
    }

    /// That of the points which a game brings from this position on, both bonuses included as far as they are
    /// not earned yet.
    #[must_use]
    pub fn from(solution: &Solution, position: Position, threads: NonZero<usize>) -> Self {
        play_out(solution, position, threads)
    }
}

/// Plays from a position to the end.
fn play_out(solution: &Solution, position: Position, threads: NonZero<usize>) -> Distribution {
    let has_yahtzee = solution.variant().tells_yahtzees_apart() && position.has_yahtzee();
    let lane = Lane { upper: position.upper(), has_yahtzee };
    let mass = Mass::of(position, lane);
    let mut level = vec![Place { free: position.free(), mass, moves: Moves::default() }];
    let mut distribution = Distribution::nothing(position.free());
    while !level[0].free.is_empty() {
        each(&mut level, threads, |rest| with_widest(Find { rest, solution }));
        for place in &level {
            count_boxes(place, &mut distribution);
        }
        level = next_level(&level, threads);
    }
    for place in &level {
        finish(&place.mass, &mut distribution);
    }
    distribution
}

/// The positions after one more turn.
fn next_level(level: &[Place], threads: NonZero<usize>) -> Vec<Place> {
    let boxes = level[0].free.len() - 1;
    let mut from = vec![None; 1 << 13];
    for (number, place) in level.iter().enumerate() {
        from[usize::from(place.free.bits())] = Some(number);
    }
    let source = |free: CategorySet, category: Category| {
        let number = from[usize::from(free.bits() | CategorySet::only(category).bits())]?;
        let Place { mass, moves, .. } = &level[number];
        let moves = moves.fill(category);
        (!free.contains(category) && !moves.is_empty()).then_some(Source { mass, moves })
    };
    let empty = |free| Place { free, mass: Mass::default(), moves: Moves::default() };
    let mut next: Vec<_> =
        sets().into_iter().filter(|free| free.len() == boxes).map(empty).collect();
    each(&mut next, threads, |rest| with_widest(Gather { rest, source: &source }));
    next.retain(|place| !place.mass.cells.is_empty());
    next
}

/// Has threads take places from the rest until none is left. What comes of it does not depend on them.
fn each(places: &mut [Place], threads: NonZero<usize>, work: impl Fn(&Rest<'_>) + Sync) {
    let threads = threads.get().min(places.len());
    let rest = Mutex::new(places.iter_mut());
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| work(&rest));
        }
        work(&rest);
    });
}

type Rest<'a> = Mutex<IterMut<'a, Place>>;

/// The next place that nobody works on.
fn take<'a>(rest: &Rest<'a>) -> Option<&'a mut Place> {
    rest.lock().map_or(None, |mut rest| rest.next())
}

/// Finds the moves of some places.
struct Find<'a, 'b> {
    rest: &'a Rest<'b>,
    solution: &'a Solution,
}

impl Work for Find<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (variant, table) = (self.solution.variant(), self.solution.table());
        let mut finder = MoveFinder::new();
        while let Some(Place { free, mass, moves }) = take(self.rest) {
            *moves = finder.find(variant, *free, &mass.cells, &table);
        }
    }
}

/// Gathers the mass of some places.
struct Gather<'a, 'b, F> {
    rest: &'a Rest<'b>,
    source: &'a F,
}

impl<'s, F: Fn(CategorySet, Category) -> Option<Source<'s>>> Work for Gather<'_, '_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut gatherer = Gatherer::new();
        while let Some(place) = take(self.rest) {
            let source = |category| (self.source)(place.free, category);
            let sources: Vec<_> = Category::ALL.into_iter().filter_map(source).collect();
            place.mass = gatherer.gather(place.free, &sources);
        }
    }
}

/// Adds how likely the boxes hold what.
fn count_boxes(place: &Place, distribution: &mut Distribution) {
    for category in place.free.iter() {
        let scores = &mut distribution.boxes[category.index()];
        for one in place.moves.fill(category) {
            let from = &place.mass.cells[usize::from(one.from)];
            scores[usize::from(one.score)] += from.chance * one.chance;
        }
    }
}

/// Adds the games that have come to their end.
fn finish(mass: &Mass, distribution: &mut Distribution) {
    for cell in &mass.cells {
        distribution.lowest = distribution.lowest.min(cell.lowest);
        distribution.highest = distribution.highest.max(cell.highest);
        if cell.lane.upper == ENOUGH {
            distribution.upper_bonus += cell.chance;
        }
        for band in mass.bands(cell) {
            let bonuses = usize::from(band.bonuses);
            let low = usize::from(band.low) + 100 * bonuses;
            for (score, chance) in (low..SCORES).zip(mass.chances(*band)) {
                distribution.chances[score] += chance;
                distribution.yahtzee_bonuses[bonuses] += chance;
            }
        }
    }
}
