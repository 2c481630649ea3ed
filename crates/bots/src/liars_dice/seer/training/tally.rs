//! What is counted in the games of a generation.

use std::collections::BTreeMap;

use crate::liars_dice::seer::claim::{Claim, Manner, TRUSTS};
use crate::liars_dice::seer::odds::MOST_DICE;
use crate::liars_dice::seer::parameters::{CHANCES, TABLES};
use crate::liars_dice::seer::turn_taken::TurnTaken;

/// As how many bids that were raised over the mean of their table counts, in each class.
const PRIOR_RAISES: f64 = 100.0;

/// Counts of all games.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tally {
    pub(super) kinds: Vec<KindTally>,
    /// Games that our player has won.
    pub(super) won: u64,
    /// Dice gained, dice lost and all bids, of own bids that were raised over, by table and chance.
    raises: [[[u64; 3]; CHANCES]; TABLES],
}

/// Counts of a kind of player.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct KindTally {
    /// Calls and all answers, among two and among more, by trust.
    pub(super) answers: [[[u64; 2]; TRUSTS]; 2],
    /// Bids of each manner and form, by the dice that counted for them.
    pub(super) bids: BTreeMap<(Manner, Claim), [u64; MOST_DICE + 1]>,
}

/// An own bid whose round is not over: the table's and its chance's class.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnBid {
    pub(super) table: usize,
    pub(super) class: usize,
}

impl Tally {
    pub(super) fn new(kinds: usize) -> Self {
        Self {
            kinds: vec![KindTally::default(); kinds],
            won: 0,
            raises: [[[0; 3]; CHANCES]; TABLES],
        }
    }

    pub(super) fn add_turn(&mut self, kind: usize, turn: &TurnTaken) {
        let kind = &mut self.kinds[kind];
        if let Some(answered) = turn.answered {
            let [calls, all] = &mut kind.answers[answered.claim.company as usize]
                [answered.claim.trust(answered.held)];
            *calls += u64::from(answered.called);
            *all += 1;
        }
        if let Some(made) = turn.made {
            let key = (made.manner, made.claim);
            kind.bids.entry(key).or_insert([0; MOST_DICE + 1])[made.held] += 1;
        }
    }

    /// What became of an own bid that was raised over: a die gained, lost, or neither.
    pub(super) fn add_raise(&mut self, bid: OwnBid, gained: Option<bool>) {
        let [won, lost, all] = &mut self.raises[bid.table][bid.class];
        *won += u64::from(gained == Some(true));
        *lost += u64::from(gained == Some(false));
        *all += 1;
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.won += other.won;
        for (sum, with) in self.kinds.iter_mut().zip(&other.kinds) {
            sum.add(with);
        }
        add_all(
            self.raises.as_flattened_mut().as_flattened_mut(),
            other.raises.as_flattened().as_flattened(),
        );
    }

    /// What bids that are raised over are worth.
    pub(super) fn raised_over(&self) -> [[f64; CHANCES]; TABLES] {
        self.raises.map(|classes| {
            let value = |[won, lost, _]: &[u64; 3]| *won as f64 - *lost as f64;
            let all: f64 = classes.iter().map(|class| class[2] as f64).sum();
            let mean = classes.iter().map(value).sum::<f64>() / all.max(1.0);
            classes.map(|class| {
                (value(&class) + PRIOR_RAISES * mean) / (class[2] as f64 + PRIOR_RAISES)
            })
        })
    }
}

impl KindTally {
    fn add(&mut self, other: &Self) {
        add_all(
            self.answers.as_flattened_mut().as_flattened_mut(),
            other.answers.as_flattened().as_flattened(),
        );
        for (form, counts) in &other.bids {
            add_all(self.bids.entry(*form).or_insert([0; MOST_DICE + 1]), counts);
        }
    }
}

fn add_all(sums: &mut [u64], others: &[u64]) {
    sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
}
