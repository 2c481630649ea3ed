//! What is counted in the games of a generation.

use std::collections::BTreeMap;

use super::regression::Starts;
use crate::liars_dice::seer::claim::{Claim, Manner, TRUSTS};
use crate::liars_dice::seer::holdings::Holdings;
use crate::liars_dice::seer::odds::MOST_DICE;
use crate::liars_dice::seer::parameters::{CHANCES, RaisedOver, RaisedOvers, TABLES};
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
    /// What our player had at the starts of rounds, and whether it won the game.
    pub(super) starts: Starts,
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
            starts: Starts::new(),
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

    /// What our player had at the start of a round of a game that it won, or not.
    pub(super) fn add_start(&mut self, holdings: Holdings, has_won: bool) {
        let [won, all] = self.starts.entry(holdings).or_insert([0; 2]);
        *won += u64::from(has_won);
        *all += 1;
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (holdings, counts) in &other.starts {
            add_all(self.starts.entry(*holdings).or_insert([0; 2]), counts);
        }
        self.won += other.won;
        for (sum, with) in self.kinds.iter_mut().zip(&other.kinds) {
            sum.add(with);
        }
        add_all(
            self.raises.as_flattened_mut().as_flattened_mut(),
            other.raises.as_flattened().as_flattened(),
        );
    }

    /// What becomes of bids that are raised over.
    pub(super) fn raised_over(&self) -> RaisedOvers {
        self.raises.map(|classes| {
            let sum = |of: usize| classes.iter().map(|class| class[of] as f64).sum::<f64>();
            let all = sum(2).max(1.0);
            let [gains, losses] = [sum(0) / all, sum(1) / all];
            classes.map(|[won, lost, all]| {
                let share =
                    |of: u64, mean| (of as f64 + PRIOR_RAISES * mean) / (all as f64 + PRIOR_RAISES);
                RaisedOver { gains: share(won, gains), losses: share(lost, losses) }
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
