//! Where a traversal is in its tables.

use std::ops::Range;

use crate::liars_dice::game::round::Side;
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::subtree_size::SubtreeSize;

/// By side: the first unread entry of the tables of actions and of final decisions.
///
/// Tables are laid out in the order of a traversal that visits every history. So a traversal that leaves out a subtree must
/// advance the cursors over it: see [`Cursors::skip`].
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Cursors {
    actions: [usize; 2],
    final_decisions: [usize; 2],
}

impl Cursors {
    /// The entries of the next decision of `side`, which has `count` actions.
    #[inline(always)]
    pub(crate) fn take_actions(&mut self, tree: &Tree, side: Side, count: usize) -> Range<usize> {
        take(&mut self.actions[side.index()], count * tree.width(side))
    }

    /// The entries of the next final decision of `side`.
    #[inline(always)]
    pub(crate) fn take_final_decision(&mut self, tree: &Tree, side: Side) -> Range<usize> {
        take(&mut self.final_decisions[side.index()], tree.width(side))
    }

    /// Advances over a subtree of this size.
    #[inline(always)]
    pub(crate) fn skip(&mut self, tree: &Tree, size: SubtreeSize) {
        for side in Side::BOTH {
            let (index, width) = (side.index(), tree.width(side));
            self.actions[index] += size.action_rows[index] * width;
            self.final_decisions[index] += size.final_decisions[index] * width;
        }
    }
}

#[inline(always)]
fn take(cursor: &mut usize, length: usize) -> Range<usize> {
    let begin = *cursor;
    *cursor += length;
    begin..*cursor
}
