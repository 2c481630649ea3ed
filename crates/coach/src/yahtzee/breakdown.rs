//! The parts that losses are summed by.

use dicehill_rules::yahtzee::Category;

use super::Kind;

/// A part of what is summed over the games of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Breakdown {
    /// The score.
    Score,
    /// The luck of the dice.
    Luck,
    /// All that decisions lost.
    Loss,
    /// What decisions of a kind lost.
    Kind(Kind),
    /// What was lost in a round, 1 to 13.
    Round(u32),
    /// What was lost by filling this box where another was better.
    Filled(Category),
    /// What was lost by filling another box where this was best.
    PassedOver(Category),
}

impl Breakdown {
    /// How many there are.
    pub(super) const COUNT: usize = 45;

    /// A place below [`Breakdown::COUNT`] of its own.
    pub(super) const fn index(self) -> usize {
        match self {
            Self::Score => 0,
            Self::Luck => 1,
            Self::Loss => 2,
            Self::Kind(kind) => 3 + kind.index(),
            Self::Round(round) => 5 + round as usize,
            Self::Filled(category) => 19 + category.index(),
            Self::PassedOver(category) => 32 + category.index(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_a_place() {
        let single = [Breakdown::Score, Breakdown::Luck, Breakdown::Loss].into_iter();
        let kinds = Kind::ALL.into_iter().map(Breakdown::Kind);
        let boxes = Category::ALL.into_iter();
        let parts = single
            .chain(kinds)
            .chain((1..=13).map(Breakdown::Round))
            .chain(boxes.clone().map(Breakdown::Filled))
            .chain(boxes.map(Breakdown::PassedOver));
        let places: Vec<_> = parts.map(Breakdown::index).collect();
        assert_eq!(places, (0..Breakdown::COUNT).collect::<Vec<_>>());
    }
}
