//! The average strategy of a learner.

use std::ops::Range;

use crate::liars_dice::cfr::learner::Learner;
use crate::liars_dice::cfr::subgame::Subgame;
use crate::liars_dice::cfr::tables::CfrTables;
use crate::liars_dice::game::history::History;
use crate::liars_dice::game::round::Side;
use crate::liars_dice::response::action_probabilities::ActionProbabilities;
use crate::liars_dice::strategy::{LAST, StoredAction, Strategy};
use crate::liars_dice::tree::actions::LegalActions;
use crate::liars_dice::tree::public_state::PublicState;
use crate::liars_dice::tree::{TRUNK_BIDS, Tree};

/// Probabilities are stored in units of 1/65535.
const UNITS: f64 = 65_535.0;
/// Actions with a smaller probability are dropped.
const MIN_PROBABILITY: f32 = 2e-4;

impl Strategy {
    /// The average strategy of `side`.
    ///
    /// # Panics
    /// If the tree does not certify `side`.
    #[must_use]
    pub fn average(learner: &Learner, side: Side) -> Self {
        let tree = learner.tree();
        assert!(tree.certifies(side), "the tree certifies {side}");
        let (round, limits) = (tree.round(), tree.limits());
        let (histories, begins, actions) = (Vec::new(), vec![0], Vec::new());
        let mut strategy = Self { round, limits, side, histories, begins, actions };
        let (trunk, subgames) = learner.tables();
        let reach = vec![1.0; tree.width(side)];
        let mut extractor = StrategyExtractor {
            tree,
            tables: trunk,
            subgames,
            next_subgame: 0,
            is_trunk: true,
            cursor: 0,
            to: &mut strategy,
        };
        extractor.visit(History::EMPTY, &reach);
        strategy
    }

    fn store(&mut self, chances: &[(u8, f32)]) {
        let sum: f32 = chances.iter().map(|(_, chance)| *chance).sum();
        let begin = self.actions.len();
        let weight = |chance: f32| (UNITS * f64::from(chance / sum)).round() as u16;
        let stored = chances.iter().filter(|(_, chance)| *chance > MIN_PROBABILITY * sum);
        let stored = stored
            .map(|(action, chance)| StoredAction { action: *action, weight: weight(*chance) });
        self.actions.extend(stored);
        if self.actions.len() == begin {
            // A hand that was never updated calls, or makes its first legal bid.
            let action = chances.first().map_or(0, |(action, _)| *action);
            self.actions.push(StoredAction { action, weight: u16::from(action > 0) });
        }
        self.actions.last_mut().expect("a choice").action |= LAST;
    }
}

/// A traversal over the average strategy of one player.
struct StrategyExtractor<'a> {
    tree: &'a Tree,
    tables: &'a CfrTables,
    subgames: &'a [Subgame],
    next_subgame: usize,
    is_trunk: bool,
    cursor: usize,
    to: &'a mut Strategy,
}

impl StrategyExtractor<'_> {
    fn visit(&mut self, history: History, reach: &[f32]) {
        if self.is_trunk && history.bids() >= TRUNK_BIDS {
            let subgame = &self.subgames[self.next_subgame];
            self.next_subgame += 1;
            let trunk = std::mem::replace(&mut self.tables, &subgame.tables);
            let cursor = std::mem::replace(&mut self.cursor, 0);
            self.is_trunk = false;
            self.visit(history, reach);
            (self.tables, self.cursor, self.is_trunk) = (trunk, cursor, true);
        } else if history.actor() == self.to.side {
            self.visit_own(history, reach);
        } else {
            self.visit_opponent(history, reach);
        }
    }

    fn visit_opponent(&mut self, history: History, reach: &[f32]) {
        let legal = self.tree.legal_actions(history.into());
        for legal_bid in legal.bids.iter().filter(|legal_bid| !legal_bid.is_called) {
            self.visit(history.with(legal_bid.index), reach);
        }
    }

    fn visit_own(&mut self, history: History, reach: &[f32]) {
        let legal = self.tree.legal_actions(history.into());
        let begin = self.cursor;
        self.cursor += legal.count() * reach.len();
        self.store_rows(legal, begin..self.cursor, reach);
        self.to.histories.push(history);
        self.to.begins.push(self.to.actions.len() as u64);
        let mut probabilities = ActionProbabilities::new(self.tree.round().bids(), reach.len());
        self.to.write(self.to.histories.len() - 1, &mut probabilities);
        let mut next_reach = vec![0.0; reach.len()];
        for legal_bid in legal.bids.iter().filter(|legal_bid| !legal_bid.is_called) {
            let products = reach.iter().zip(probabilities.row(legal_bid.index));
            next_reach.iter_mut().zip(products).for_each(|(to, (a, b))| *to = a * *b as f32);
            if next_reach.iter().any(|chance| *chance > 0.0) {
                self.visit(history.with(legal_bid.index), &next_reach);
            } else {
                self.skip(history.with(legal_bid.index).into());
            }
        }
    }

    /// Stores the actions of the hands that reach this history.
    fn store_rows(&mut self, legal: &LegalActions, rows: Range<usize>, reach: &[f32]) {
        let width = reach.len();
        let actions = legal.can_call.then_some(0).into_iter();
        let actions: Vec<u8> =
            actions.chain(legal.bids.iter().map(|legal_bid| legal_bid.index + 1)).collect();
        let rows = &self.tables.sides[self.to.side.index()].averages[rows];
        let hands = self.tree.hands(self.to.side).count();
        for (hand, reach) in reach.iter().enumerate().take(hands) {
            let chances = rows.iter().skip(hand).step_by(width).copied();
            let chances = actions.iter().copied().zip(chances).filter(|_| *reach > 0.0);
            self.to.store(&chances.collect::<Vec<_>>());
        }
    }

    fn skip(&mut self, next: PublicState) {
        let size =
            if self.is_trunk { self.tree.trunk_size(next) } else { self.tree.subtree_size(next) };
        self.cursor += size.action_rows[self.to.side.index()] * self.tree.width(self.to.side);
        self.next_subgame += size.subgames;
    }
}
