//! The probability that an optimal turn ends with each roll: the steps of the solver in reverse.

use std::array;

use crate::yahtzee::game::hand_tables::{HandParts, HandTables, HandsByFaces, UP_TO_THREE};
use crate::yahtzee::turns::hand_values::{HandValues, Lanes};

/// The values of keeping each hand, and of its best keep.
pub(crate) struct Stage<const N: usize> {
    keeps: HandValues<N>,
    parts: HandValues<N>,
}

/// The two decisions to keep of a turn.
pub(crate) struct TurnStages<const N: usize> {
    first: Stage<N>,
    second: Stage<N>,
}

/// The probability of each hand, in each of `N` positions.
pub(crate) struct HandProbabilities<const N: usize> {
    partial: [Lanes<N>; 256],
    rolls: [Lanes<N>; 256],
    /// Rolls with which the turn has ended.
    pub(crate) ends: [Lanes<N>; 256],
}

impl<const N: usize> Stage<N> {
    const fn new() -> Self {
        Self { keeps: HandValues::new(), parts: HandValues::new() }
    }

    #[inline(always)]
    fn solve(&mut self, rolls: &[Lanes<N>; 256], tables: &HandTables) {
        self.keeps.rolls = *rolls;
        self.keeps.average(tables);
        self.parts.partial = self.keeps.partial;
        self.parts.rolls = self.keeps.rolls;
        self.parts.take_best(tables);
    }
}

impl<const N: usize> TurnStages<N> {
    pub(crate) const fn new() -> Self {
        Self { first: Stage::new(), second: Stage::new() }
    }

    /// Solves a turn from the values of its final rolls.
    #[inline(always)]
    pub(crate) fn solve(&mut self, rolls: &[Lanes<N>; 256], tables: &HandTables) {
        self.second.solve(rolls, tables);
        self.first.solve(&self.second.parts.rolls, tables);
    }
}

impl<const N: usize> HandProbabilities<N> {
    pub(crate) const fn new() -> Self {
        let none = [[0.0; N]; 256];
        Self { partial: none, rolls: none, ends: none }
    }

    /// Plays a turn: the first roll, and both decisions to keep with their rolls.
    #[inline(always)]
    pub(crate) fn play(&mut self, stages: &TurnStages<N>, tables: &HandTables) {
        *self = Self::new();
        for (roll, ways) in self.rolls.iter_mut().zip(tables.ways) {
            *roll = [f64::from(ways) / 7776.0; N];
        }
        for stage in [&stages.first, &stages.second] {
            self.keep(stage, tables);
            self.roll(tables);
        }
        for (end, roll) in self.ends.iter_mut().zip(&self.rolls) {
            *end = array::from_fn(|lane| end[lane] + roll[lane]);
        }
    }

    /// Moves every hand to its best keep.
    #[inline(always)]
    fn keep(&mut self, stage: &Stage<N>, tables: &HandTables) {
        let HandsByFaces { one, two, three, four, five } = &tables.rolls_by_faces;
        self.keep_of_rolls(stage, one);
        self.keep_of_rolls(stage, two);
        self.keep_of_rolls(stage, three);
        self.keep_of_rolls(stage, four);
        self.keep_of_rolls(stage, five);
        for HandsByFaces { one, two, three, four, five: _ } in tables.partial_by_faces.iter().rev()
        {
            self.keep_of_partial(stage, one);
            self.keep_of_partial(stage, two);
            self.keep_of_partial(stage, three);
            self.keep_of_partial(stage, four);
        }
    }

    #[inline(always)]
    fn keep_of_rolls<const D: usize>(&mut self, stage: &Stage<N>, hands: &[HandParts<D>]) {
        for HandParts { hand, smaller } in hands {
            let hand = usize::from(*hand);
            let best = &stage.parts.rolls[hand];
            let stay = stays(&self.rolls[hand], &stage.keeps.rolls[hand], best);
            let mut rest = without(&self.rolls[hand], &stay);
            self.ends[hand] = plus(&self.ends[hand], &stay);
            self.rolls[hand] = [0.0; N];
            for part in smaller {
                self.give(stage, usize::from(*part), best, &mut rest);
            }
        }
    }

    #[inline(always)]
    fn keep_of_partial<const D: usize>(&mut self, stage: &Stage<N>, hands: &[HandParts<D>]) {
        for HandParts { hand, smaller } in hands {
            let hand = usize::from(*hand);
            let best = &stage.parts.partial[hand];
            let stay = stays(&self.partial[hand], &stage.keeps.partial[hand], best);
            let mut rest = without(&self.partial[hand], &stay);
            self.partial[hand] = stay;
            for part in smaller {
                self.give(stage, usize::from(*part), best, &mut rest);
            }
        }
    }

    /// Moves the remaining probability to a smaller hand where that contains the best keep.
    #[inline(always)]
    fn give(&mut self, stage: &Stage<N>, part: usize, best: &Lanes<N>, rest: &mut Lanes<N>) {
        let values = &stage.parts.partial[part];
        for lane in 0..N {
            let given = if values[lane] >= best[lane] { rest[lane] } else { 0.0 };
            self.partial[part][lane] += given;
            rest[lane] -= given;
        }
    }

    /// Rolls the missing dice of every kept hand.
    #[inline(always)]
    fn roll(&mut self, tables: &HandTables) {
        for (hand, grown) in tables.grown_partial.iter().enumerate() {
            let share = self.partial[hand].map(|chance| chance * (1.0 / 6.0));
            for next in grown.map(usize::from) {
                self.partial[next] = plus(&self.partial[next], &share);
            }
            self.partial[hand] = [0.0; N];
        }
        for (hand, grown) in tables.grown_rolls.iter().enumerate() {
            let hand = UP_TO_THREE + hand;
            let share = self.partial[hand].map(|chance| chance * (1.0 / 6.0));
            for next in grown.map(usize::from) {
                self.rolls[next] = plus(&self.rolls[next], &share);
            }
            self.partial[hand] = [0.0; N];
        }
    }
}

#[inline(always)]
fn stays<const N: usize>(chance: &Lanes<N>, keep: &Lanes<N>, best: &Lanes<N>) -> Lanes<N> {
    array::from_fn(|lane| if keep[lane] < best[lane] { 0.0 } else { chance[lane] })
}

#[inline(always)]
fn plus<const N: usize>(a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    array::from_fn(|lane| a[lane] + b[lane])
}

#[inline(always)]
fn without<const N: usize>(a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    array::from_fn(|lane| a[lane] - b[lane])
}
