//! The categories, and what stands in their boxes.

use std::fmt;

/// A box of the score card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the rules' own")]
pub enum Category {
    Aces,
    Twos,
    Threes,
    Fours,
    Fives,
    Sixes,
    ThreeOfAKind,
    FourOfAKind,
    FullHouse,
    SmallStraight,
    LargeStraight,
    Yahtzee,
    Chance,
}

impl Category {
    /// All of them, in the order of the score card.
    pub const ALL: [Self; 13] = [
        Self::Aces,
        Self::Twos,
        Self::Threes,
        Self::Fours,
        Self::Fives,
        Self::Sixes,
        Self::ThreeOfAKind,
        Self::FourOfAKind,
        Self::FullHouse,
        Self::SmallStraight,
        Self::LargeStraight,
        Self::Yahtzee,
        Self::Chance,
    ];

    /// The name in the protocol, as `THREE_OF_A_KIND`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aces => "ACES",
            Self::Twos => "TWOS",
            Self::Threes => "THREES",
            Self::Fours => "FOURS",
            Self::Fives => "FIVES",
            Self::Sixes => "SIXES",
            Self::ThreeOfAKind => "THREE_OF_A_KIND",
            Self::FourOfAKind => "FOUR_OF_A_KIND",
            Self::FullHouse => "FULL_HOUSE",
            Self::SmallStraight => "SMALL_STRAIGHT",
            Self::LargeStraight => "LARGE_STRAIGHT",
            Self::Yahtzee => "YAHTZEE",
            Self::Chance => "CHANCE",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "ACES" => Self::Aces,
            "TWOS" => Self::Twos,
            "THREES" => Self::Threes,
            "FOURS" => Self::Fours,
            "FIVES" => Self::Fives,
            "SIXES" => Self::Sixes,
            "THREE_OF_A_KIND" => Self::ThreeOfAKind,
            "FOUR_OF_A_KIND" => Self::FourOfAKind,
            "FULL_HOUSE" => Self::FullHouse,
            "SMALL_STRAIGHT" => Self::SmallStraight,
            "LARGE_STRAIGHT" => Self::LargeStraight,
            "YAHTZEE" => Self::Yahtzee,
            "CHANCE" => Self::Chance,
            _ => return None,
        })
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Scores by category; not every category has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Boxes([Option<u32>; 13]);

impl Boxes {
    /// The score of a category, if it has one.
    #[must_use]
    pub const fn get(&self, category: Category) -> Option<u32> {
        self.0[category as usize]
    }

    /// The categories that have a score, in the order of the score card.
    pub fn iter(&self) -> impl Iterator<Item = (Category, u32)> + '_ {
        Category::ALL.into_iter().filter_map(|category| Some((category, self.get(category)?)))
    }

    /// The category with the highest score; of equal ones the first in the order of the score card.
    ///
    /// # Panics
    /// If there is none; the arena always leaves a legal category.
    #[must_use]
    pub fn best(&self) -> Category {
        let best = self.iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.expect("some category has a score").0
    }

    pub(super) fn set(&mut self, category: Category, score: u32) {
        self.0[category as usize] = Some(score);
    }
}

#[cfg(test)]
mod tests {
    use super::Category;

    #[test]
    fn names_lead_back_to_their_categories() {
        for (place, category) in Category::ALL.into_iter().enumerate() {
            assert_eq!(Category::named(category.name()), Some(category));
            assert_eq!(category as usize, place);
        }
        assert_eq!(Category::named("ONES"), None);
    }
}
