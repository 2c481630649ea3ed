//! Yahtzee as a bot sees it.

mod category;
mod keep;
mod wire;

pub use category::{Boxes, Category};
pub use keep::{Keep, KeepError};
pub(crate) use wire::{Yahtzee, function};

use crate::Start;

/// A bot for Yahtzee. Each game has its own object.
///
/// ```
/// use dicehill_bot::yahtzee::{Answer, Bot, Category, Turn};
///
/// /// Rolls for sixes until the box is filled, then takes the first roll.
/// struct Sixes;
///
/// impl Bot for Sixes {
///     fn turn(&mut self, turn: &Turn) -> Answer {
///         if turn.stage < 2 && turn.card.get(Category::Sixes).is_none() {
///             turn.keep_where(|die| die == 6)
///         } else {
///             turn.fill(turn.legal.best())
///         }
///     }
/// }
/// ```
pub trait Bot {
    /// Called when the game begins.
    fn start(&mut self, _start: &Start) {}

    /// Keeps dice or fills a box. Called after each roll.
    fn turn(&mut self, turn: &Turn) -> Answer;

    /// Called when the game has ended.
    fn end(&mut self, _end: &End) {}
}

/// What the bot sees after a roll.
///
/// ```
/// use dicehill_bot::yahtzee::{Answer, Keep, Turn};
///
/// let turn = Turn { round: 1, stage: 0, dice: [6, 2, 6, 4, 2], ..Turn::default() };
/// let sixes = Answer::Keep(Keep::new([0, 2]).expect("two of five dice"));
/// assert_eq!(turn.keep_where(|die| die == 6), sixes);
/// assert_eq!(turn.keep([0, 2]), sixes);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The request's number.
    pub id: u64,
    /// The game's number.
    pub game: u64,
    /// The round, 1-13.
    pub round: u8,
    /// The number of rerolls in this round, 0-2. At stage 2 a box has to be filled.
    pub stage: u8,
    /// The dice, faces 1-6: newly rolled dice first, then the kept ones in the order of the answer.
    pub dice: [u8; 5],
    /// The filled boxes with their scores.
    pub card: Boxes,
    /// The boxes that may be filled now, each with the score that the dice would get in it.
    pub legal: Boxes,
    /// The sum of the upper boxes, without the bonus.
    pub upper: u32,
    /// The upper bonus, 0 or 35.
    pub upper_bonus: u32,
    /// The bonuses for further Yahtzees, 100 each.
    pub yahtzee_bonus: u32,
    /// The bot's total so far.
    pub score: u32,
    /// The totals of all players so far, ascending.
    pub scores: Vec<u32>,
}

/// The answer to a turn: a keep, at stages 0 and 1 only, or one of the legal categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Keeps these dice and rolls the others.
    Keep(Keep),
    /// Fills this box.
    Category(Category),
}

/// The end of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The game's number.
    pub game: u64,
    /// The totals of all players, ascending.
    pub scores: Vec<u32>,
    /// The bot's total.
    pub score: u32,
    /// Whether no player had a higher total.
    pub won: bool,
}

impl Turn {
    /// The answer that keeps the dice at these indexes.
    ///
    /// # Panics
    /// If an index is not 0-4 or repeated.
    #[must_use]
    #[track_caller]
    pub fn keep(&self, indexes: impl IntoIterator<Item = usize>) -> Answer {
        match Keep::new(indexes) {
            Ok(keep) => Answer::Keep(keep),
            Err(error) => panic!("{error}"),
        }
    }

    /// The answer that keeps every die for whose face `wanted` is true.
    #[must_use]
    #[track_caller]
    pub fn keep_where(&self, wanted: impl Fn(u8) -> bool) -> Answer {
        self.keep((0..self.dice.len()).filter(|&index| wanted(self.dice[index])))
    }

    /// The answer that fills the box of `category`.
    ///
    /// # Panics
    /// If the category is not legal now.
    #[must_use]
    #[track_caller]
    pub fn fill(&self, category: Category) -> Answer {
        assert!(self.legal.get(category).is_some(), "category {category} is not legal now");
        Answer::Category(category)
    }
}
