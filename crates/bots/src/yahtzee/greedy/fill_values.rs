//! The value of filling a box, with a heuristic for the rest of the game.
//!
//! The constants were fitted by least squares to the exact values of cards from the bot's own games by the official rules, and rounded.
//! They are not the mean scores of the boxes: a free box with a low score is also worth something as a place for a bad roll.

use dicehill_rules::yahtzee::{Category, Roll, Scorecard, YahtzeeRules};

/// The value of a free Yahtzee box for each round in which a Yahtzee may be rolled.
const YAHTZEE_A_ROUND: f64 = 7.5;
/// The last rounds hardly count for that: other boxes have to be filled in them.
const ROUNDS_WITHOUT_YAHTZEE: f64 = 3.0;
/// The minimum of that number of rounds, because a Yahtzee may be rolled in the last round as well.
const MIN_YAHTZEE_ROUNDS: f64 = 0.5;
/// The value of further Yahtzees for each later round, if the Yahtzee box is filled so that they earn the bonus.
const FURTHER_YAHTZEES_A_ROUND: f64 = 6.0;

/// Dice of each face that earn the upper bonus.
const UPPER_DICE: f64 = 3.0;
/// Dice that may be missing for each free face before the upper bonus is out of reach.
const UPPER_MISSING: f64 = 0.6;
/// Dice of each free face between an upper bonus out of reach and a certain one.
const UPPER_SPREAD: f64 = 1.5;

/// Five dice and their score in each box, without the joker rule.
pub(super) struct ScoredRoll {
    dice: Roll,
    scores: [u8; 13],
}

impl ScoredRoll {
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

/// The values of filling the boxes of a card, relative to leaving them free.
pub(super) struct FillValues<'a> {
    card: &'a Scorecard,
    /// Rounds left, including this one.
    rounds: f64,
    /// The value of each free box.
    free: [f64; 13],
    upper: UpperBonus,
}

impl<'a> FillValues<'a> {
    /// The values for the boxes of `card`.
    pub(super) fn new(card: &'a Scorecard) -> Self {
        let rounds = card.free().len() as f64;
        let free = Category::ALL.map(|category| value_of_free(category, rounds));
        Self { card, rounds, free, upper: UpperBonus::of(card) }
    }

    /// The boxes that these dice may fill, in the order of the card, each with its value.
    pub(super) fn fills(&self, rolled: &ScoredRoll) -> impl Iterator<Item = (Category, f64)> {
        let bonus = f64::from(self.card.bonus_for(&rolled.dice));
        self.card.legal(&rolled.dice).iter().map(move |category| {
            let score = rolled.score(self.card, category);
            (category, bonus + self.of(category, score))
        })
    }

    /// The value of filling a box with a score, without the bonus for a further Yahtzee.
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

/// The value of a free box, with `rounds` rounds left.
const fn value_of_free(category: Category, rounds: f64) -> f64 {
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
            YAHTZEE_A_ROUND * (rounds - ROUNDS_WITHOUT_YAHTZEE).max(MIN_YAHTZEE_ROUNDS)
        }
        Category::Chance => 28.0,
    }
}

/// The progress towards the upper bonus.
#[derive(Clone, Copy)]
struct UpperBonus {
    total: f64,
    /// The sum of the faces whose boxes are free.
    free: f64,
}

impl UpperBonus {
    fn of(card: &Scorecard) -> Self {
        let faces = card.free().iter().filter_map(Category::face);
        let free = faces.map(|face| f64::from(face.pips())).sum();
        Self { total: f64::from(card.upper_total()), free }
    }

    /// The gain in expected bonus from a score in the box of the face with `pips` pips.
    fn gain(self, pips: u8, score: u8) -> f64 {
        let (total, free) = (self.total + f64::from(score), self.free - f64::from(pips));
        f64::from(Scorecard::UPPER_BONUS) * (Self { total, free }.chance() - self.chance())
    }

    /// A heuristic for the probability of the bonus: linear in the lead over three dice of each face, with a slope that falls with the
    /// sum of the free faces.
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
