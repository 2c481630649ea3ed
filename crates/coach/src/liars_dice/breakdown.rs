//! The parts that losses are summed by.

use super::{Fault, Kind};

/// A part of what is summed over the games of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Breakdown {
    /// All that decisions lost.
    Loss,
    /// What decisions of a kind lost.
    Kind(Kind),
    /// What a fault lost.
    Fault(Fault),
    /// What was lost while so many were in, 2 to 5.
    Players(usize),
    /// Dice gained less dice given.
    Balance,
}

impl Breakdown {
    /// How many there are.
    pub(super) const COUNT: usize = 16;

    /// A place below [`Breakdown::COUNT`] of its own.
    pub(super) const fn index(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::Kind(kind) => 1 + kind.index(),
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
    fn every_part_has_a_place() {
        let parts = std::iter::once(Breakdown::Loss);
        let parts = parts
            .chain(Kind::ALL.map(Breakdown::Kind))
            .chain(Fault::ALL.map(Breakdown::Fault))
            .chain((2..=5).map(Breakdown::Players))
            .chain([Breakdown::Balance]);
        let places: Vec<_> = parts.map(Breakdown::index).collect();
        assert_eq!(places, (0..Breakdown::COUNT).collect::<Vec<_>>());
    }
}
