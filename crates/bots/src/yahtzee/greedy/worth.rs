//! What filling a box is worth, with a guess at what comes of it after the turn.
//!
//! The constants were fitted, by least squares, to the exact values of cards that this player meets
//! in games by the official rules, and rounded. They are not the boxes' mean scores: a box that
//! costs little to fill with nothing is also worth something as a place for a bad roll.

use dicehill_rules::yahtzee::{Category, Roll, Scorecard, YahtzeeRules};

/// What a free Yahtzee box is worth for each round in which a Yahtzee may come.
const YAHTZEE_A_ROUND: f64 = 7.5;
/// The last rounds hardly count there: they have to fill other boxes.
const ROUNDS_WITHOUT_YAHTZEE: f64 = 3.0;
/// The least such number of rounds, for a Yahtzee may come in the last as well.
const LEAST_YAHTZEE_ROUNDS: f64 = 0.5;
/// What further Yahtzees earn in each later round, once the box is filled so that they do.
const FURTHER_YAHTZEES_A_ROUND: f64 = 6.0;

/// Dice of each face that add up to the upper bonus.
const UPPER_DICE: f64 = 3.0;
/// Dice that may be missing of each free face before the upper bonus is given up.
const UPPER_MISSING: f64 = 0.6;
/// Dice of each free face between an upper bonus given up and one that is certain.
const UPPER_SPREAD: f64 = 1.5;

/// Five dice and what they score in each box, without the joker rule.
pub(super) struct Rolled {
    dice: Roll,
    scores: [u8; 13],
}

impl Rolled {
    /// Scores the dice.
    pub(super) fn new(dice: Roll) -> Self {
        Self { dice, scores: Category::ALL.map(|category| category.score(&dice)) }
    }

    fn score(&self, card: &Scorecard, category: Category) -> u8 {
        if card.is_joker(&self.dice) {
            card.box_score(category, &self.dice)
        } else {
            self.scores[category.index()]
        }
    }
}

/// What filling the boxes of a card is worth, compared with leaving them free.
pub(super) struct Worth<'a> {
    card: &'a Scorecard,
    /// This round and all after it.
    rounds: f64,
    /// What each box is worth while it is free.
    free: [f64; 13],
    upper: Upper,
}

impl<'a> Worth<'a> {
    /// The worth of the boxes of `card`.
    pub(super) fn new(card: &'a Scorecard) -> Self {
        let rounds = card.free().len() as f64;
        let free = Category::ALL.map(|category| worth_of_free(category, rounds));
        Self { card, rounds, free, upper: Upper::of(card) }
    }

    /// The boxes that these dice may fill, in the order of the card, and what that is worth.
    pub(super) fn fills(&self, rolled: &Rolled) -> impl Iterator<Item = (Category, f64)> {
        let bonus = f64::from(self.card.bonus_for(&rolled.dice));
        self.card.legal(&rolled.dice).iter().map(move |category| {
            let score = rolled.score(self.card, category);
            (category, bonus + self.of(category, score))
        })
    }

    /// What it is worth to fill a box with a score, without the bonus for a further Yahtzee.
    pub(super) fn of(&self, category: Category, score: u8) -> f64 {
        let gain = f64::from(score) - self.free[category.index()];
        match category.face() {
            Some(face) => gain + self.upper.gain(face.pips(), score),
            None if category == Category::Yahtzee => gain + self.further_yahtzees(score),
            None => gain,
        }
    }

    fn further_yahtzees(&self, score: u8) -> f64 {
        let earn = match self.card.rules() {
            YahtzeeRules::Official => score > 0,
            YahtzeeRules::Mego2016 => true,
        };
        if earn { FURTHER_YAHTZEES_A_ROUND * (self.rounds - 1.0) } else { 0.0 }
    }
}

/// What a box is worth while it is free, with so many rounds to come.
const fn worth_of_free(category: Category, rounds: f64) -> f64 {
    match category {
        Category::Aces | Category::Twos => 6.0,
        Category::Threes => 7.0,
        Category::Fours => 8.0,
        Category::Fives => 10.0,
        Category::Sixes | Category::FourOfAKind => 11.0,
        Category::ThreeOfAKind => 21.0,
        Category::FullHouse => 14.0,
        Category::SmallStraight => 27.0,
        Category::LargeStraight => 17.0,
        Category::Yahtzee => {
            YAHTZEE_A_ROUND * (rounds - ROUNDS_WITHOUT_YAHTZEE).max(LEAST_YAHTZEE_ROUNDS)
        }
        Category::Chance => 28.0,
    }
}

/// How far the upper bonus is.
#[derive(Clone, Copy)]
struct Upper {
    total: f64,
    /// Sum of the faces whose boxes are free.
    free: f64,
}

impl Upper {
    fn of(card: &Scorecard) -> Self {
        let faces = card.free().iter().filter_map(Category::face);
        let free = faces.map(|face| f64::from(face.pips())).sum();
        Self { total: f64::from(card.upper_total()), free }
    }

    /// What the bonus comes nearer by a score in the box of the face with so many pips.
    fn gain(self, pips: u8, score: u8) -> f64 {
        let (total, free) = (self.total + f64::from(score), self.free - f64::from(pips));
        f64::from(Scorecard::UPPER_BONUS) * (Self { total, free }.chance() - self.chance())
    }

    /// A guess at the chance of the bonus: it grows evenly with the lead over three dice of each
    /// face, and the more slowly the more is still to be rolled.
    fn chance(self) -> f64 {
        let lead = self.total + UPPER_DICE * self.free - f64::from(Scorecard::UPPER_BONUS_FROM);
        if self.free > 0.0 {
            ((lead + UPPER_MISSING * self.free) / (UPPER_SPREAD * self.free)).clamp(0.0, 1.0)
        } else if lead < 0.0 {
            0.0
        } else {
            1.0
        }
    }
}
