//! What is learnt about the decisions of one part of the tree.

use super::round::Side;
use super::tree::{Extent, Tree};

/// Regrets, predictions and averages of one player. Rows are choices, in the order in which the tree is walked; in a row
/// there is a number for each hand.
#[derive(Clone, Default, Debug)]
pub(super) struct Rows {
    pub(super) regrets: Vec<f32>,
    pub(super) predictions: Vec<f32>,
    /// Empty if the player is not certified.
    pub(super) averages: Vec<f32>,
    /// For each closing decision and hand the best choice.
    pub(super) answers: Vec<u8>,
}

/// The rows of both players.
#[derive(Clone, Default, Debug)]
pub(super) struct Part {
    pub(super) sides: [Rows; 2],
}

impl Part {
    pub(super) fn new(tree: &Tree, extent: Extent) -> Self {
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
