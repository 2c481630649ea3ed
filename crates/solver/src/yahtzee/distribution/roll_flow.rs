//! How likely a turn of best play ends with each roll: the steps that find its worth, backwards.

use std::array;

use crate::yahtzee::game::hand_tables::{Shrinking, Shrunk, Tables, UP_TO_THREE};
use crate::yahtzee::turns::hand_values::{HandValues, Lanes};

/// What keeping each hand is worth, and what keeping its best part is.
pub(crate) struct Stage<const N: usize> {
    keeps: HandValues<N>,
    parts: HandValues<N>,
}

/// The two choices of a turn.
pub(crate) struct Stages<const N: usize> {
    first: Stage<N>,
    second: Stage<N>,
}

/// How likely each hand is at some moment, in each of `N` positions.
pub(crate) struct Flow<const N: usize> {
    partial: [Lanes<N>; 256],
    rolls: [Lanes<N>; 256],
    /// Rolls that the turn ends with.
    pub(crate) ends: [Lanes<N>; 256],
}

impl<const N: usize> Stage<N> {
    const fn new() -> Self {
        Self { keeps: HandValues::new(), parts: HandValues::new() }
    }

    #[inline(always)]
    fn solve(&mut self, rolls: &[Lanes<N>; 256], tables: &Tables) {
        self.keeps.rolls = *rolls;
        self.keeps.average(tables);
        self.parts.partial = self.keeps.partial;
        self.parts.rolls = self.keeps.rolls;
        self.parts.take_best(tables);
    }
}

impl<const N: usize> Stages<N> {
    pub(crate) const fn new() -> Self {
        Self { first: Stage::new(), second: Stage::new() }
    }

    /// Solves the turn at whose end rolls are worth so much.
    #[inline(always)]
    pub(crate) fn solve(&mut self, rolls: &[Lanes<N>; 256], tables: &Tables) {
        self.second.solve(rolls, tables);
        self.first.solve(&self.second.parts.rolls, tables);
    }
}

impl<const N: usize> Flow<N> {
    pub(crate) const fn new() -> Self {
        let none = [[0.0; N]; 256];
        Self { partial: none, rolls: none, ends: none }
    }

    /// Plays a turn: the first roll, and both choices.
    #[inline(always)]
    pub(crate) fn play(&mut self, stages: &Stages<N>, tables: &Tables) {
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

    /// Every hand becomes its best part.
    #[inline(always)]
    fn keep(&mut self, stage: &Stage<N>, tables: &Tables) {
        let Shrinking { one, two, three, four, five } = &tables.shrinking_rolls;
        self.keep_of_rolls(stage, one);
        self.keep_of_rolls(stage, two);
        self.keep_of_rolls(stage, three);
        self.keep_of_rolls(stage, four);
        self.keep_of_rolls(stage, five);
        for Shrinking { one, two, three, four, five: _ } in tables.shrinking.iter().rev() {
            self.keep_of_partial(stage, one);
            self.keep_of_partial(stage, two);
            self.keep_of_partial(stage, three);
            self.keep_of_partial(stage, four);
        }
    }

    #[inline(always)]
    fn keep_of_rolls<const D: usize>(&mut self, stage: &Stage<N>, hands: &[Shrunk<D>]) {
        for Shrunk { hand, smaller } in hands {
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
    fn keep_of_partial<const D: usize>(&mut self, stage: &Stage<N>, hands: &[Shrunk<D>]) {
        for Shrunk { hand, smaller } in hands {
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

    /// Moves what is left to a part where it is one of the best.
    #[inline(always)]
    fn give(&mut self, stage: &Stage<N>, part: usize, best: &Lanes<N>, rest: &mut Lanes<N>) {
        let worth = &stage.parts.partial[part];
        for lane in 0..N {
            let given = if worth[lane] >= best[lane] { rest[lane] } else { 0.0 };
            self.partial[part][lane] += given;
            rest[lane] -= given;
        }
    }

    /// Every kept hand gets its missing dice.
    #[inline(always)]
    fn roll(&mut self, tables: &Tables) {
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
