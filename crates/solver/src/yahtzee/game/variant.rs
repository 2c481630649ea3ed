//! Variants of the rules.

use std::fmt;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Category, CategorySet, Scorecard, YahtzeeRules};

/// Rules of solitaire Yahtzee. They differ in the treatment of further Yahtzees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// The rules printed with the game, and [`YahtzeeRules::Official`]: the forced joker rule, and
    /// a bonus of 100 for every further Yahtzee if the Yahtzee box holds 50.
    Official,
    /// [`YahtzeeRules::Mego2016`]: the bonus of 100 is also paid if the Yahtzee box holds 0.
    Mego2016,
    /// The free-choice joker rule of much of the literature: a further Yahtzee may fill any free
    /// box, and scores in full as a full house or straight only if the upper box of its face is
    /// filled. The bonus is that of the official rules.
    FreeJoker,
    /// A further Yahtzee has no special rules.
    Plain,
}

impl Variant {
    /// All variants.
    pub const ALL: [Self; 4] = [Self::Official, Self::Mego2016, Self::FreeJoker, Self::Plain];

    /// The name in commands and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Official => "official",
            Self::Mego2016 => "mego-2016",
            Self::FreeJoker => "free-joker",
            Self::Plain => "plain",
        }
    }

    /// The bonus for a further Yahtzee: 100 or 0.
    #[inline]
    pub(crate) const fn further_yahtzee_bonus(self, has_yahtzee: bool) -> u32 {
        let earns = match self {
            Self::Official | Self::FreeJoker => has_yahtzee,
            Self::Mego2016 => true,
            Self::Plain => false,
        };
        if earns { Scorecard::YAHTZEE_BONUS } else { 0 }
    }

    /// Whether a Yahtzee box that holds 50 differs in value from one that holds 0.
    pub(crate) const fn distinguishes_yahtzees(self) -> bool {
        match self {
            Self::Official | Self::FreeJoker => true,
            Self::Mego2016 | Self::Plain => false,
        }
    }

    /// The legal boxes for a Yahtzee of `face` when the Yahtzee box is filled.
    pub(crate) fn legal_joker(self, free: CategorySet, face: Face) -> CategorySet {
        let forced = match self {
            Self::Official | Self::Mego2016 => {
                [CategorySet::only(Category::upper(face)), CategorySet::LOWER]
            }
            Self::FreeJoker | Self::Plain => return free,
        };
        let step = forced.into_iter().map(|step| free.intersection(step));
        step.into_iter().find(|step| !step.is_empty()).unwrap_or(free)
    }

    /// The score of a Yahtzee of `face` in a legal box when the Yahtzee box is filled.
    #[inline]
    pub(crate) fn further_score(self, free: CategorySet, category: Category, face: Face) -> u8 {
        let joker = match self {
            Self::Official | Self::Mego2016 => true,
            Self::FreeJoker => !free.contains(Category::upper(face)),
            Self::Plain => false,
        };
        match category {
            Category::FullHouse if joker => 25,
            Category::SmallStraight if joker => 30,
            Category::LargeStraight if joker => 40,
            Category::FullHouse
            | Category::SmallStraight
            | Category::LargeStraight
            | Category::Yahtzee => 0,
            Category::ThreeOfAKind | Category::FourOfAKind | Category::Chance => 5 * face.pips(),
            Category::Aces
            | Category::Twos
            | Category::Threes
            | Category::Fours
            | Category::Fives
            | Category::Sixes => {
                if category.face() == Some(face) {
                    5 * face.pips()
                } else {
                    0
                }
            }
        }
    }
}

impl From<YahtzeeRules> for Variant {
    fn from(rules: YahtzeeRules) -> Self {
        match rules {
            YahtzeeRules::Official => Self::Official,
            YahtzeeRules::Mego2016 => Self::Mego2016,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
