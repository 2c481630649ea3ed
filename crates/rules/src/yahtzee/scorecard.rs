//! A player's card: which boxes are filled, with what, and what may be filled next.

use std::fmt;

use super::{Category, CategorySet, Roll};

/// The variants of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum YahtzeeRules {
    /// The challenge's text: a further Yahtzee earns 100 only if the Yahtzee box holds 50.
    #[default]
    Official,
    /// The challenge's controller: a further Yahtzee earns 100 also if the box holds 0.
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
/// Filling it is the game's: a card that has been handed out can only be read.
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
    /// The upper total from which the upper bonus is earned.
    pub const UPPER_BONUS_FROM: u32 = 63;
    /// The upper bonus.
    pub const UPPER_BONUS: u32 = 35;
    /// The bonus for a further Yahtzee.
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

    /// The rules that the card is kept by.
    #[must_use]
    pub const fn rules(&self) -> YahtzeeRules {
        self.rules
    }

    /// The categories that are still to be filled.
    #[must_use]
    pub const fn free(&self) -> CategorySet {
        self.free
    }

    /// What a box holds, 0 to 50, or `None` if it is free. Bonuses are in no box.
    #[must_use]
    pub const fn filled(&self, category: Category) -> Option<u8> {
        if self.free.contains(category) { None } else { Some(self.boxes[category.index()]) }
    }

    /// Sum of the upper boxes, without the bonus; 0 to 105.
    #[must_use]
    pub const fn upper_total(&self) -> u32 {
        self.upper_total
    }

    /// 35 as soon as the upper total is 63 or more, else 0.
    #[must_use]
    pub const fn upper_bonus(&self) -> u32 {
        if self.upper_total >= Self::UPPER_BONUS_FROM { Self::UPPER_BONUS } else { 0 }
    }

    /// 100 for each further Yahtzee; 0 to 1200.
    #[must_use]
    pub const fn yahtzee_bonus(&self) -> u32 {
        self.yahtzee_bonus
    }

    /// The score so far, with both bonuses; 0 to 1575.
    #[must_use]
    pub const fn score(&self) -> u32 {
        self.upper_total + self.lower_total + self.upper_bonus() + self.yahtzee_bonus
    }

    /// The categories that may be named for these dice, by the forced joker rule.
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

    /// What these dice would put into a box, 0 to 50, by the joker rule where it applies.
    ///
    /// Whether the category may be named is for [`Scorecard::legal`] to say.
    #[must_use]
    pub fn box_score(&self, category: Category, dice: &Roll) -> u8 {
        if category.is_lower() && self.is_joker(dice) {
            category.full_score(dice)
        } else {
            category.score(dice)
        }
    }

    /// The Yahtzee bonus, 0 or 100, that scoring these dice now would earn.
    #[must_use]
    pub fn bonus_for(&self, dice: &Roll) -> u32 {
        let earned = self.is_joker(dice)
            && match self.rules {
                YahtzeeRules::Official => self.boxes[Category::Yahtzee.index()] == 50,
                YahtzeeRules::Mego2016 => true,
            };
        if earned { Self::YAHTZEE_BONUS } else { 0 }
    }

    /// Whether the joker rule applies: a Yahtzee, and the Yahtzee box filled, be it with 0.
    #[must_use]
    pub fn is_joker(&self, dice: &Roll) -> bool {
        !self.free.contains(Category::Yahtzee) && dice.iter().all(|die| *die == dice[0])
    }

    /// Fills a box that [`Scorecard::legal`] has.
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
