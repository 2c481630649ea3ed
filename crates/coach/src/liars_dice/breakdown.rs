//! The breakdowns of losses.

use super::{DecisionKind, Fault};

/// A sum that is kept for each player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Breakdown {
    /// The losses of all decisions.
    Loss,
    /// The losses of one kind of decision.
    DecisionKind(DecisionKind),
    /// The losses of one fault.
    Fault(Fault),
    /// The losses with this number of players still in, 2 to 5.
    Players(usize),
    /// Dice won minus dice lost by calls and called bids.
    Balance,
}

impl Breakdown {
    /// The number of breakdowns.
    pub(super) const COUNT: usize = 16;

    /// A unique index below [`Breakdown::COUNT`].
    pub(super) const fn index(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::DecisionKind(kind) => 1 + kind.index(),
            Self::Fault(fault) => 4 + fault.index(),
            Self::Players(players) => 9 + players,
            Self::Balance => 15,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_breakdown_has_its_own_index() {
        let parts = std::iter::once(Breakdown::Loss);
        let parts = parts
            .chain(DecisionKind::ALL.map(Breakdown::DecisionKind))
            .chain(Fault::ALL.map(Breakdown::Fault))
            .chain((2..=5).map(Breakdown::Players))
            .chain([Breakdown::Balance]);
        let places: Vec<_> = parts.map(Breakdown::index).collect();
        assert_eq!(places, (0..Breakdown::COUNT).collect::<Vec<_>>());
    }
}
