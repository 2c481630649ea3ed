//! Subgames, which threads solve independently within an iteration.

use crate::liars_dice::cfr::tables::CfrTables;
use crate::liars_dice::game::round::Side;
use crate::liars_dice::tree::public_state::PublicState;
use crate::liars_dice::tree::{TRUNK_BIDS, Tree};

/// The part of the tree below one short history.
#[derive(Debug)]
pub(crate) struct Subgame {
    pub(crate) state: PublicState,
    pub(crate) tables: CfrTables,
    /// Reach probabilities of the opponent's hands.
    pub(crate) reach: Vec<f32>,
    /// Whether any hand of the opponent reaches the subgame in this iteration.
    pub(crate) is_reached: bool,
    pub(crate) values: Vec<f32>,
}

/// Appends the subgames in the order of traversal.
pub(crate) fn collect_subgames(tree: &Tree, state: PublicState, subgames: &mut Vec<Subgame>) {
    if state.bids >= TRUNK_BIDS {
        let width = tree.width(Side::Starter).max(tree.width(Side::Responder));
        subgames.push(Subgame {
            state,
            tables: CfrTables::new(tree, tree.subtree_size(state)),
            reach: vec![0.0; width],
            is_reached: false,
            values: vec![0.0; width],
        });
        return;
    }
    for legal_bid in tree.legal_actions(state).bids.iter().filter(|legal_bid| !legal_bid.is_called)
    {
        collect_subgames(tree, state.after(legal_bid.index), subgames);
    }
}
