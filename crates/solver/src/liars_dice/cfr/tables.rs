//! What is learnt about the decisions of one part of the tree.

use crate::liars_dice::game::round::Side;
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::subtree_size::Extent;

/// Regrets, predictions and averages of one player. Rows are choices, in the order in which the tree is walked; in a row
/// there is a number for each hand.
#[derive(Clone, Default, Debug)]
pub(crate) struct Rows {
    pub(crate) regrets: Vec<f32>,
    pub(crate) predictions: Vec<f32>,
    /// Empty if the player is not certified.
    pub(crate) averages: Vec<f32>,
    /// For each closing decision and hand the best choice.
    pub(crate) answers: Vec<u8>,
}

/// The rows of both players.
#[derive(Clone, Default, Debug)]
pub(crate) struct Part {
    pub(crate) sides: [Rows; 2],
}

impl Part {
    pub(crate) fn new(tree: &Tree, extent: Extent) -> Self {
        let rows = |side: Side| {
            let length = extent.rows[side.index()] * tree.width(side);
            let averages = if tree.certifies(side) { length } else { 0 };
            Rows {
                regrets: vec![0.0; length],
                predictions: vec![0.0; length],
                averages: vec![0.0; averages],
                answers: vec![0; extent.answers[side.index()] * tree.width(side)],
            }
        };
        Self { sides: Side::BOTH.map(rows) }
    }
}
