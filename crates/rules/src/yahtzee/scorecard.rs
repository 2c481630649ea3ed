//! Scorecards: the filled boxes, the bonuses, and the boxes that may be filled next.

use std::fmt;

use super::{Category, CategorySet, Roll};

/// The variants of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum YahtzeeRules {
    /// The text of the challenge: a further Yahtzee earns 100 only if the Yahtzee box has 50.
    #[default]
    Official,
    /// The controller of the challenge: a further Yahtzee earns 100 also if the box has 0.
    Mego2016,
}

impl YahtzeeRules {
    /// The name in hill files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Official => "official",
            Self::Mego2016 => "mego-2016",
        }
    }
}

impl fmt::Display for YahtzeeRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A player's scorecard.
///
/// Cards are read-only: only a game fills boxes.
///
/// ```
/// use dicehill_rules::yahtzee::{Action, Category, Scorecard, Yahtzee, YahtzeeRules};
/// use dicehill_rules::{Chance, Face, Game};
///
/// let dice = [3, 3, 3, 5, 5].map(|pips| Face::new(pips).expect("a face"));
/// let card = Scorecard::new(YahtzeeRules::Official);
/// assert_eq!(card.box_score(Category::FullHouse, &dice), 25);
/// assert_eq!(card.legal(&dice).len(), 13);
///
/// // The cards of a game in progress.
/// let table = Chance::new("my seed").table(1);
/// let mut game = Yahtzee::new(YahtzeeRules::Official, 1, &table);
/// game.apply(&Action::Fill(Category::Chance), &table)?;
/// let card = &game.cards()[0];
/// assert_eq!(card.filled(Category::Chance).map(u32::from), Some(card.score()));
/// assert!(!card.free().contains(Category::Chance));
/// # Ok::<(), dicehill_rules::yahtzee::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scorecard {
    rules: YahtzeeRules,
    boxes: [u8; 13],
    free: CategorySet,
    upper_total: u32,
    lower_total: u32,
    yahtzee_bonus: u32,
}

impl Scorecard {
    /// The upper total that earns the upper bonus.
    pub const UPPER_BONUS_FROM: u32 = 63;
    /// The upper bonus.
    pub const UPPER_BONUS: u32 = 35;
    /// The bonus for each further Yahtzee.
    pub const YAHTZEE_BONUS: u32 = 100;

    /// An empty card.
    #[must_use]
    pub const fn new(rules: YahtzeeRules) -> Self {
        Self {
            rules,
            boxes: [0; 13],
            free: CategorySet::ALL,
            upper_total: 0,
            lower_total: 0,
            yahtzee_bonus: 0,
        }
    }

    /// The variant of the rules.
    #[must_use]
    pub const fn rules(&self) -> YahtzeeRules {
        self.rules
    }

    /// The categories with free boxes.
    #[must_use]
    pub const fn free(&self) -> CategorySet {
        self.free
    }

    /// The score in a box, 0 to 50; `None` if it is free. Bonuses are not part of any box.
    #[must_use]
    pub const fn filled(&self, category: Category) -> Option<u8> {
        if self.free.contains(category) { None } else { Some(self.boxes[category.index()]) }
    }

    /// The sum of the upper boxes without the bonus, 0 to 105.
    #[must_use]
    pub const fn upper_total(&self) -> u32 {
        self.upper_total
    }

    /// The upper bonus: 35 if the upper total is 63 or more, else 0.
    #[must_use]
    pub const fn upper_bonus(&self) -> u32 {
        if self.upper_total >= Self::UPPER_BONUS_FROM { Self::UPPER_BONUS } else { 0 }
    }

    /// The sum of the bonuses for further Yahtzees, 0 to 1200.
    #[must_use]
    pub const fn yahtzee_bonus(&self) -> u32 {
        self.yahtzee_bonus
    }

    /// The score so far with both bonuses, 0 to 1575.
    #[must_use]
    pub const fn score(&self) -> u32 {
        self.upper_total + self.lower_total + self.upper_bonus() + self.yahtzee_bonus
    }

    /// The categories that may be filled with these dice, by the forced joker rule.
    #[must_use]
    pub fn legal(&self, dice: &Roll) -> CategorySet {
        if !self.is_joker(dice) {
            return self.free;
        }
        let own = CategorySet::only(Category::upper(dice[0]));
        [own, CategorySet::LOWER]
            .into_iter()
            .map(|step| self.free.intersection(step))
            .find(|step| !step.is_empty())
            .unwrap_or(self.free)
    }

    /// The score of these dice in a box, 0 to 50, by the joker rule where it applies.
    ///
    /// [`Scorecard::legal`] says whether the box may be filled.
    #[must_use]
    pub fn box_score(&self, category: Category, dice: &Roll) -> u8 {
        if category.is_lower() && self.is_joker(dice) {
            category.full_score(dice)
        } else {
            category.score(dice)
        }
    }

    /// The Yahtzee bonus, 0 or 100, for filling any box with these dice now.
    #[must_use]
    pub fn bonus_for(&self, dice: &Roll) -> u32 {
        let earned = self.is_joker(dice)
            && match self.rules {
                YahtzeeRules::Official => self.boxes[Category::Yahtzee.index()] == 50,
                YahtzeeRules::Mego2016 => true,
            };
        if earned { Self::YAHTZEE_BONUS } else { 0 }
    }

    /// Whether the joker rule applies: the dice are a Yahtzee and the Yahtzee box is filled, even with 0.
    #[must_use]
    pub fn is_joker(&self, dice: &Roll) -> bool {
        !self.free.contains(Category::Yahtzee) && dice.iter().all(|die| *die == dice[0])
    }

    /// Fills a box that is in [`Scorecard::legal`].
    pub(super) fn fill(&mut self, category: Category, dice: &Roll) {
        debug_assert!(self.legal(dice).contains(category));
        let score = self.box_score(category, dice);
        self.yahtzee_bonus += self.bonus_for(dice);
        self.boxes[category.index()] = score;
        self.free.remove(category);
        let total = if category.is_upper() { &mut self.upper_total } else { &mut self.lower_total };
        *total += u32::from(score);
    }
}
