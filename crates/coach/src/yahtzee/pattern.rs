//! Patterns of dice as a player sees them.

use std::fmt;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Category, CategorySet};
use dicehill_solver::yahtzee::Hand;

/// Numbers as words.
const WORDS: [&str; 6] = ["no", "one", "two", "three", "four", "five"];

/// The pattern of five dice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names are those of the dice")]
pub enum DiceKind {
    FiveAlike,
    FourAlike,
    FullHouse,
    LargeStraight,
    SmallStraight,
    ThreeAlike,
    TwoPairs,
    Pair,
    Mixed,
}

impl DiceKind {
    /// The rarest pattern of these dice.
    #[must_use]
    pub fn classify(hand: Hand) -> Self {
        match (most_alike(hand), pairs(hand), longest_run(hand)) {
            (5, ..) => Self::FiveAlike,
            (4, ..) => Self::FourAlike,
            (3, 2, _) => Self::FullHouse,
            (.., 5) => Self::LargeStraight,
            (.., 4) => Self::SmallStraight,
            (3, ..) => Self::ThreeAlike,
            (_, 2, _) => Self::TwoPairs,
            (_, 1, _) => Self::Pair,
            _ => Self::Mixed,
        }
    }
}

impl fmt::Display for DiceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::FiveAlike => "five alike",
            Self::FourAlike => "four alike",
            Self::FullHouse => "a full house",
            Self::LargeStraight => "a large straight",
            Self::SmallStraight => "a small straight",
            Self::ThreeAlike => "three alike",
            Self::TwoPairs => "two pairs",
            Self::Pair => "a pair",
            Self::Mixed => "no pair",
        })
    }
}

/// The pattern of the dice that are kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// No dice: all five are rolled.
    Nothing,
    /// Equal dice, and possibly others.
    Alike {
        /// The number of equal dice, 1 to 4.
        count: u8,
        /// The number of other dice, 0 to 2.
        others: u8,
    },
    /// Two pairs.
    TwoPairs,
    /// Four consecutive faces.
    SmallStraight,
    /// Three or four faces of one large straight.
    OfStraight {
        /// 3 or 4.
        count: u8,
    },
    /// Different faces, not of one large straight.
    Different {
        /// 2 or 3.
        count: u8,
    },
    /// All five dice.
    All(DiceKind),
}

/// The pattern of the dice that are kept, and whether it is useful for the free boxes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern {
    /// The pattern.
    pub shape: Shape,
    /// Whether a box that the pattern obviously aims at is free: the upper box of its face, a
    /// straight, or the full house. Always true for other patterns.
    pub open: bool,
}

impl Pattern {
    /// The pattern of these dice when the boxes `free` are free.
    #[must_use]
    pub fn new(hand: Hand, free: CategorySet) -> Self {
        let shape = Shape::classify(hand);
        let open = |boxes: &[Category]| boxes.iter().any(|category| free.contains(*category));
        let open = match shape {
            Shape::Nothing | Shape::Different { .. } | Shape::All(_) => true,
            Shape::Alike { .. } => {
                commonest(hand).is_none_or(|face| open(&[Category::upper(face)]))
            }
            Shape::TwoPairs => open(&[Category::FullHouse]),
            Shape::SmallStraight | Shape::OfStraight { .. } => {
                open(&[Category::SmallStraight, Category::LargeStraight])
            }
        };
        Self { shape, open }
    }
}

impl Shape {
    /// The pattern of a hand.
    #[must_use]
    pub fn classify(hand: Hand) -> Self {
        let len = hand.len() as u8;
        match (len, most_alike(hand)) {
            (0, _) => Self::Nothing,
            (5, _) => Self::All(DiceKind::classify(hand)),
            (4, 2) if pairs(hand) == 2 => Self::TwoPairs,
            (1, count) | (_, count @ 2..) => Self::Alike { count, others: len - count },
            _ if longest_run(hand) == 4 => Self::SmallStraight,
            (3.., _) if in_a_straight(hand) => Self::OfStraight { count: len },
            _ => Self::Different { count: len },
        }
    }
}

/// As the object of `kept`: `a pair whose box is filled`.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let filled = |text: &'static str| if self.open { "" } else { text };
        match self.shape {
            Shape::Nothing => f.write_str("none"),
            Shape::Alike { count, others } => {
                match count {
                    1 => f.write_str("a single die")?,
                    2 => f.write_str("a pair")?,
                    _ => write!(f, "{} alike", WORDS[usize::from(count)])?,
                }
                f.write_str(filled(" whose box is filled"))?;
                match others {
                    0 => Ok(()),
                    1 => f.write_str(" and another die"),
                    _ => f.write_str(" and two other dice"),
                }
            }
            Shape::TwoPairs => write!(f, "two pairs{}", filled(", FULL_HOUSE filled,")),
            Shape::SmallStraight => {
                write!(f, "four in a row{}", filled(", both straights filled,"))
            }
            Shape::OfStraight { count } => {
                let count = WORDS[usize::from(count)];
                write!(f, "{count} dice of a straight{}", filled(", both straights filled,"))
            }
            Shape::Different { count } => write!(f, "{} different dice", WORDS[usize::from(count)]),
            Shape::All(kind) => write!(f, "all five dice, {kind},"),
        }
    }
}

/// The most frequent face, the highest of several; `None` without dice.
pub(super) fn commonest(hand: Hand) -> Option<Face> {
    Face::ALL.into_iter().filter(|face| hand.count(*face) > 0).max_by_key(|face| hand.count(*face))
}

fn most_alike(hand: Hand) -> u8 {
    Face::ALL.into_iter().map(|face| hand.count(face)).max().unwrap_or(0)
}

/// The number of faces that at least two dice show.
fn pairs(hand: Hand) -> usize {
    Face::ALL.into_iter().filter(|face| hand.count(*face) >= 2).count()
}

fn longest_run(hand: Hand) -> u8 {
    let mut run = 0;
    let runs = Face::ALL.into_iter().map(|face| {
        run = if hand.count(face) > 0 { run + 1 } else { 0 };
        run
    });
    runs.max().unwrap_or(0)
}

/// Whether different dice can all belong to one large straight.
fn in_a_straight(hand: Hand) -> bool {
    hand.count(Face::ALL[0]) == 0 || hand.count(Face::ALL[5]) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(pips: &str) -> Hand {
        let faces = pips.bytes().map(|pip| Face::new(pip - b'0').expect("a face"));
        Hand::from_dice(faces).expect("five dice at most")
    }

    #[test]
    fn shapes_are_distinguished() {
        for (pips, text) in [
            ("", "none"),
            ("6", "a single die"),
            ("55", "a pair"),
            ("3555", "three alike and another die"),
            ("1446", "a pair and two other dice"),
            ("4466", "two pairs"),
            ("2345", "four in a row"),
            ("2346", "four dice of a straight"),
            ("135", "three dice of a straight"),
            ("126", "three different dice"),
            ("1246", "four different dice"),
            ("45", "two different dice"),
            ("22333", "all five dice, a full house,"),
            ("13456", "all five dice, a small straight,"),
            ("12345", "all five dice, a large straight,"),
            ("12346", "all five dice, a small straight,"),
            ("12356", "all five dice, no pair,"),
        ] {
            assert_eq!(Pattern::new(hand(pips), CategorySet::ALL).to_string(), text, "{pips}");
        }
    }

    #[test]
    fn a_pattern_is_open_while_its_box_is_free() {
        let fives = CategorySet::ALL.without(Category::Fives);
        let text = Pattern::new(hand("55"), fives).to_string();
        assert_eq!(text, "a pair whose box is filled");
        assert!(Pattern::new(hand("44"), fives).open);
        let both = CategorySet::UPPER;
        assert!(!Pattern::new(hand("2345"), both).open);
    }
}
