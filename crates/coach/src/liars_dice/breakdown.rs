//! The parts that losses are summed by.

use super::{Fault, Kind};

/// A part of what is summed over the games of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// All that decisions lost.
    Loss,
    /// What decisions of a kind lost.
    Kind(Kind),
    /// What a fault lost.
    Fault(Fault),
    /// What was lost while so many were in, 2 to 5.
    Players(usize),
}

impl Part {
    /// How many there are.
    pub(super) const COUNT: usize = 15;

    /// A place below [`Part::COUNT`] of its own.
    pub(super) const fn index(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::Kind(kind) => 1 + kind.index(),
            Self::Fault(fault) => 4 + fault.index(),
            Self::Players(players) => 9 + players,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_a_place() {
        let parts = std::iter::once(Part::Loss);
        let parts = parts
            .chain(Kind::ALL.map(Part::Kind))
            .chain(Fault::ALL.map(Part::Fault))
            .chain((2..=5).map(Part::Players));
        let places: Vec<_> = parts.map(Part::index).collect();
        assert_eq!(places, (0..Part::COUNT).collect::<Vec<_>>());
    }
}
