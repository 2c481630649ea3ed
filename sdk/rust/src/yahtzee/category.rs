//! Categories, and scores by category.

use std::fmt;

/// A category of the scorecard.
///
/// ```
/// use dicehill_bot::yahtzee::Category;
///
/// assert_eq!(Category::ALL.len(), 13);
/// assert_eq!(Category::ThreeOfAKind.to_string(), "THREE_OF_A_KIND");
/// ```
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
    /// All categories, in the order of the scorecard.
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

    /// The name in the protocol, for example `THREE_OF_A_KIND`.
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

    /// Reads a name in the protocol, where `ONES` is accepted for `ACES`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "ACES" | "ONES" => Self::Aces,
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

/// Scores by category. Not every category has one.
///
/// ```
/// use dicehill_bot::Bots;
/// use dicehill_bot::yahtzee::{Answer, Bot, Category, Turn};
///
/// struct Careful;
///
/// impl Bot for Careful {
///     fn turn(&mut self, turn: &Turn) -> Answer {
///         assert_eq!(turn.legal.get(Category::Fours), Some(4));
///         // The legal box with the highest score, but Chance only if there is no other.
///         let others = turn.legal.iter().filter(|(category, _)| *category != Category::Chance);
///         let best = others.max_by_key(|(_, score)| *score);
///         turn.fill(best.map_or(Category::Chance, |(category, _)| category))
///     }
/// }
///
/// let turn = r#"{"type":"turn","id":1,"game":1,"stage":2,"dice":[1,1,4,6,6],"legal":{"ACES":2,"FOURS":4,"CHANCE":18}}"#;
/// let steps = Bots::new().yahtzee(|_| Careful).play_transcript(turn)?;
/// assert_eq!(steps[0].answer, "FOURS");
/// # Ok::<(), dicehill_bot::TranscriptError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Boxes([Option<u32>; 13]);

impl Boxes {
    /// The score of a category, if it has one.
    #[must_use]
    pub const fn get(&self, category: Category) -> Option<u32> {
        self.0[category as usize]
    }

    /// The categories with a score, in the order of the scorecard.
    pub fn iter(&self) -> impl Iterator<Item = (Category, u32)> + '_ {
        Category::ALL.into_iter().filter_map(|category| Some((category, self.get(category)?)))
    }

    /// The category with the highest score. Ties go to the first in the order of the scorecard.
    ///
    /// # Panics
    /// If no category has a score. In a turn of the arena there is always a legal one.
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
    fn names_are_read_back() {
        for (place, category) in Category::ALL.into_iter().enumerate() {
            assert_eq!(Category::named(category.name()), Some(category));
            assert_eq!(category as usize, place);
        }
        assert_eq!(Category::named("ONES"), Some(Category::Aces));
        assert_eq!(Category::named("SEVENS"), None);
    }
}
