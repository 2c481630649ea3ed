//! Which entrants meet in a duel or a gauntlet.

use crate::EntrantId;

/// All subsets of `size` elements, each ascending, by their last elements first.
pub(super) fn pairings(of: &[EntrantId], size: usize) -> Vec<Vec<EntrantId>> {
    let mut subsets = subsets(of, size);
    subsets.sort_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
    subsets
}

/// All subsets of `size` elements, in lexicographic order.
fn subsets(of: &[EntrantId], size: usize) -> Vec<Vec<EntrantId>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    if of.len() < size {
        return Vec::new();
    }
    let with_first = |(index, first): (usize, &EntrantId)| {
        let rest = subsets(&of[index + 1..], size - 1);
        rest.into_iter().map(|tail| [vec![*first], tail].concat()).collect::<Vec<_>>()
    };
    of.iter().enumerate().flat_map(with_first).collect()
}

/// The challenger against each other entrant; no pairing if the challenger is not among them.
pub(super) fn gauntlet(active: &[EntrantId], challenger: Option<EntrantId>) -> Vec<Vec<EntrantId>> {
    let Some(challenger) = challenger.filter(|id| active.contains(id)) else { return Vec::new() };
    let others = active.iter().filter(|id| **id != challenger);
    others.map(|other| vec![challenger.min(*other), challenger.max(*other)]).collect()
}
