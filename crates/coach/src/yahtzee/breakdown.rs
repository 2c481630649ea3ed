//! The breakdowns of losses.

use dicehill_rules::yahtzee::Category;

use super::DecisionKind;

/// A sum that is kept for each player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Breakdown {
    /// The score.
    Score,
    /// The luck of the dice.
    Luck,
    /// The losses of all decisions.
    Loss,
    /// The losses of one kind of decision.
    DecisionKind(DecisionKind),
    /// The losses in a round, 1 to 13.
    Round(u32),
    /// The losses by filling this box when another was better.
    Filled(Category),
    /// The losses by filling another box when this was best.
    PassedOver(Category),
}

impl Breakdown {
    /// The number of breakdowns.
    pub(super) const COUNT: usize = 45;

    /// A unique index below [`Breakdown::COUNT`].
    pub(super) const fn index(self) -> usize {
        match self {
            Self::Score => 0,
            Self::Luck => 1,
            Self::Loss => 2,
            Self::DecisionKind(kind) => 3 + kind.index(),
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
    fn every_breakdown_has_its_own_index() {
        let single = [Breakdown::Score, Breakdown::Luck, Breakdown::Loss].into_iter();
        let kinds = DecisionKind::ALL.into_iter().map(Breakdown::DecisionKind);
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
