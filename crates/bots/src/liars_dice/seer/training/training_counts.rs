//! Counts of the games of one generation.

use std::collections::BTreeMap;

use super::regression::StartCounts;
use crate::liars_dice::count_distribution::MAX_DICE;
use crate::liars_dice::seer::features::bid_context::{BidContext, BidKind, TRUST_BINS};
use crate::liars_dice::seer::features::observed_turn::ObservedTurn;
use crate::liars_dice::seer::features::round_start::RoundStart;
use crate::liars_dice::seer::model::parameters::{HOLD_BINS, RaiseOutcome, RaiseOutcomes, TABLES};

/// The weight of the mean over all bins of a table size, in bids that were raised over.
const PRIOR_RAISES: f64 = 100.0;

/// The counts of all games.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TrainingCounts {
    /// By kind of player, in the population's order.
    pub(crate) kinds: Vec<KindCounts>,
    /// Games that the bot has won.
    pub(crate) won: u64,
    /// Dice gained, dice lost and number of bids, for the bot's bids that were raised over, by table size and hold bin.
    raises: [[[u64; 3]; HOLD_BINS]; TABLES],
    /// The bot's states at the start of rounds, with wins.
    pub(crate) starts: StartCounts,
}

/// The counts of one kind of player.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct KindCounts {
    /// Number of calls and of all answers, by table size and trust bin.
    pub(crate) answers: [[[u64; 2]; TRUST_BINS]; 2],
    /// Number of bids by kind and context, by the bidder's dice that counted for them.
    pub(crate) bids: BTreeMap<(BidKind, BidContext), [u64; MAX_DICE + 1]>,
}

/// A bid of the bot in the current round: the indexes of its table size and its hold bin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenBid {
    pub(crate) table: usize,
    pub(crate) bin: usize,
}

impl TrainingCounts {
    pub(crate) fn new(kinds: usize) -> Self {
        Self {
            kinds: vec![KindCounts::default(); kinds],
            won: 0,
            raises: [[[0; 3]; HOLD_BINS]; TABLES],
            starts: StartCounts::new(),
        }
    }

    pub(crate) fn add_turn(&mut self, kind: usize, turn: &ObservedTurn) {
        let kind = &mut self.kinds[kind];
        if let Some(response) = turn.response {
            let [calls, all] = &mut kind.answers[response.context.table_size as usize]
                [response.context.trust_bin(response.held)];
            *calls += u64::from(response.called);
            *all += 1;
        }
        if let Some(made_bid) = turn.made_bid {
            let key = (made_bid.bid_kind, made_bid.context);
            kind.bids.entry(key).or_insert([0; MAX_DICE + 1])[made_bid.held] += 1;
        }
    }

    /// Counts the outcome of a bid that was raised over: a die gained, a die lost, or neither (`None`).
    pub(crate) fn add_raise(&mut self, bid: OpenBid, gained: Option<bool>) {
        let [won, lost, all] = &mut self.raises[bid.table][bid.bin];
        *won += u64::from(gained == Some(true));
        *lost += u64::from(gained == Some(false));
        *all += 1;
    }

    /// Counts the state of a player at the start of a round, and whether the player won the game.
    pub(crate) fn add_start(&mut self, start: RoundStart, has_won: bool) {
        let [won, all] = self.starts.entry(start).or_insert([0; 2]);
        *won += u64::from(has_won);
        *all += 1;
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (start, counts) in &other.starts {
            add_all(self.starts.entry(*start).or_insert([0; 2]), counts);
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

    /// The frequencies of the outcomes of bids that were raised over.
    pub(crate) fn raise_outcomes(&self) -> RaiseOutcomes {
        self.raises.map(|bins| {
            let sum = |of: usize| bins.iter().map(|bin| bin[of] as f64).sum::<f64>();
            let all = sum(2).max(1.0);
            let [gains, losses] = [sum(0) / all, sum(1) / all];
            bins.map(|[won, lost, all]| {
                let share =
                    |of: u64, mean| (of as f64 + PRIOR_RAISES * mean) / (all as f64 + PRIOR_RAISES);
                RaiseOutcome { gains: share(won, gains), losses: share(lost, losses) }
            })
        })
    }
}

impl KindCounts {
    fn add(&mut self, other: &Self) {
        add_all(
            self.answers.as_flattened_mut().as_flattened_mut(),
            other.answers.as_flattened().as_flattened(),
        );
        for (key, counts) in &other.bids {
            add_all(self.bids.entry(*key).or_insert([0; MAX_DICE + 1]), counts);
        }
    }
}

fn add_all(sums: &mut [u64], others: &[u64]) {
    sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
}
