//! Regrets and average strategies of one part of the tree.

use std::ops::Range;

use crate::liars_dice::game::round::Side;
use crate::liars_dice::kernels::rows::{match_regrets, update_regrets};
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::subtree_size::SubtreeSize;

/// The tables of one player. Rows are actions in the order of traversal; a row has a number for
/// each hand.
#[derive(Clone, Default, Debug)]
pub(crate) struct PlayerTables {
    pub(crate) regrets: Vec<f32>,
    pub(crate) predictions: Vec<f32>,
    /// Empty if the player's strategy is not certified.
    pub(crate) averages: Vec<f32>,
    /// By final decision and hand: the best action.
    pub(crate) best_actions: Vec<u8>,
}

impl PlayerTables {
    /// Writes the strategy of the decision with these entries. `sums` is a buffer with a number for each hand.
    #[inline(always)]
    pub(crate) fn match_regrets(
        &self,
        entries: Range<usize>,
        can_call: bool,
        sums: &mut [f32],
        strategy: &mut [f32],
    ) {
        let predictions = &self.predictions[entries.clone()];
        match_regrets(&self.regrets[entries], predictions, can_call, sums, strategy);
    }

    /// Updates the regrets of the decision with these entries from the values of its actions and of its strategy, except
    /// for the actions in the set `skipped`.
    #[inline(always)]
    pub(crate) fn update_regrets(
        &mut self,
        entries: Range<usize>,
        action_values: &[f32],
        value: &[f32],
        skipped: u64,
    ) {
        let regrets = &mut self.regrets[entries.clone()];
        update_regrets(action_values, value, skipped, regrets, &mut self.predictions[entries]);
    }
}

/// The tables of both players.
#[derive(Clone, Default, Debug)]
pub(crate) struct CfrTables {
    pub(crate) sides: [PlayerTables; 2],
}

impl CfrTables {
    pub(crate) fn new(tree: &Tree, size: SubtreeSize) -> Self {
        let tables = |side: Side| {
            let length = size.action_rows[side.index()] * tree.width(side);
            let averages = if tree.certifies(side) { length } else { 0 };
            PlayerTables {
                regrets: vec![0.0; length],
                predictions: vec![0.0; length],
                averages: vec![0.0; averages],
                best_actions: vec![0; size.final_decisions[side.index()] * tree.width(side)],
            }
        };
        Self { sides: Side::BOTH.map(tables) }
    }
}
