//! The points of the games since the last complete round.

use crate::EntrantId;

/// The points of the round so far, by pairing and member; `None` for a member that did not play.
#[derive(Debug)]
pub(super) struct RoundPoints(Vec<Vec<Option<u64>>>);

/// An entrant's membership in a pairing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Membership {
    pub(super) pairing: usize,
    /// Index among the members of the pairing.
    pub(super) member: usize,
}

impl RoundPoints {
    pub(super) fn new(pairings: &[Vec<EntrantId>]) -> Self {
        Self(pairings.iter().map(|members| vec![None; members.len()]).collect())
    }

    pub(super) fn add(&mut self, at: Membership, points: u64) {
        *self.0[at.pairing][at.member].get_or_insert(0) += points;
    }

    pub(super) fn get(&self, at: Membership) -> Option<u64> {
        self.0[at.pairing][at.member]
    }

    /// Begins a new round.
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|points| points.fill(None));
    }
}

impl Membership {
    /// The memberships of an entrant, ascending by pairing.
    pub(super) fn all_of(id: EntrantId, pairings: &[Vec<EntrantId>]) -> Vec<Self> {
        let membership = |(pairing, members): (usize, &Vec<EntrantId>)| {
            members.binary_search(&id).ok().map(|member| Self { pairing, member })
        };
        pairings.iter().enumerate().filter_map(membership).collect()
    }

    /// The membership in a pairing, from all `memberships` of an entrant.
    pub(super) fn find(memberships: &[Self], pairing: usize) -> Option<Self> {
        let index = memberships.binary_search_by_key(&pairing, |own| own.pairing).ok()?;
        Some(memberships[index])
    }
}
