//! Choices of a player, regardless of the order of dice.

use std::fmt;

use dicehill_rules::yahtzee::{Action, Category, Roll};
use dicehill_solver::yahtzee::Hand;

/// An action, regardless of the order of dice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Choice {
    /// Fill this box.
    Fill(Category),
    /// Keep these dice and roll the others.
    Keep(Hand),
}

impl Choice {
    /// The choice that an action makes with these dice.
    #[must_use]
    pub fn from_action(action: Action, dice: &Roll) -> Self {
        match action {
            Action::Fill(category) => Self::Fill(category),
            Action::Keep(keep) => {
                let kept = Hand::from_dice(keep.indexes().map(|index| dice[index]));
                Self::Keep(kept.expect("five dice at most are kept"))
            }
        }
    }
}

/// `keep 2 2 5`, `roll all five`, `keep all five` or `fill CHANCE`.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fill(category) => write!(f, "fill {category}"),
            Self::Keep(Hand::EMPTY) => f.write_str("roll all five"),
            Self::Keep(hand) if hand.len() == 5 => f.write_str("keep all five"),
            Self::Keep(hand) => {
                f.write_str("keep")?;
                hand.dice().try_for_each(|die| write!(f, " {die}"))
            }
        }
    }
}

/// A kind of decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DecisionKind {
    /// What to keep of the first roll.
    FirstKeep,
    /// What to keep of the second roll.
    SecondKeep,
    /// Which box to fill.
    Category,
}

impl DecisionKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::FirstKeep, Self::SecondKeep, Self::Category];

    /// The name in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FirstKeep => "first_keep",
            Self::SecondKeep => "second_keep",
            Self::Category => "category",
        }
    }

    /// The name shown to people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::FirstKeep => "first keep",
            Self::SecondKeep => "second keep",
            Self::Category => "box",
        }
    }

    /// The place in [`DecisionKind::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}
