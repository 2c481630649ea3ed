//! The names of boxes for people.

use dicehill_rules::yahtzee::Category;

/// The name of a box for people: `Full house`.
pub(super) const fn box_title(category: Category) -> &'static str {
    match category {
        Category::Aces => "Aces",
        Category::Twos => "Twos",
        Category::Threes => "Threes",
        Category::Fours => "Fours",
        Category::Fives => "Fives",
        Category::Sixes => "Sixes",
        Category::ThreeOfAKind => "Three of a kind",
        Category::FourOfAKind => "Four of a kind",
        Category::FullHouse => "Full house",
        Category::SmallStraight => "Small straight",
        Category::LargeStraight => "Large straight",
        Category::Yahtzee => "Yahtzee",
        Category::Chance => "Chance",
    }
}
