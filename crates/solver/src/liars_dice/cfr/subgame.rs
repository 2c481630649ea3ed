//! What is below one history.

use crate::liars_dice::cfr::tables::Part;
use crate::liars_dice::game::round::Side;
use crate::liars_dice::tree::public_state::Place;
use crate::liars_dice::tree::{TRUNK_BIDS, Tree};

/// What is below one history, learnt apart from all others.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) place: Place,
    pub(crate) part: Part,
    /// With which chances the other's hands come here.
    pub(crate) reach: Vec<f32>,
    /// Whether they do at all.
    pub(crate) is_live: bool,
    pub(crate) values: Vec<f32>,
}

/// The blocks in the order in which the tree is walked.
pub(crate) fn find_blocks(tree: &Tree, place: Place, blocks: &mut Vec<Block>) {
    if place.bids >= TRUNK_BIDS {
        let width = tree.width(Side::Starter).max(tree.width(Side::Responder));
        blocks.push(Block {
            place,
            part: Part::new(tree, tree.extent(place)),
            reach: vec![0.0; width],
            is_live: false,
            values: vec![0.0; width],
        });
        return;
    }
    for choice in tree.choices(place).bids.iter().filter(|choice| !choice.is_called) {
        find_blocks(tree, place.after(choice.step), blocks);
    }
}
