//! Yahtzee as a bot sees it.

mod category;
mod keep;
mod wire;

pub use category::{Boxes, Category};
pub use keep::{Keep, KeepError};
pub(crate) use wire::{Yahtzee, function};

use crate::Start;

/// Decides in one game; every game has an object of its own.
pub trait Bot {
    /// The game begins.
    fn start(&mut self, _start: &Start) {}

    /// Keeps dice or fills a box; asked after each roll.
    fn turn(&mut self, turn: &Turn) -> Answer;

    /// The game is over.
    fn end(&mut self, _end: &End) {}
}

/// What the bot sees when it has to decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The request's number.
    pub id: u64,
    /// The game's number.
    pub game: u64,
    /// 1-13.
    pub round: u8,
    /// 0-2: how often dice were rolled again in this round.
    pub stage: u8,
    /// Faces 1-6: the dice just rolled first, then the kept ones in the order in which they were
    /// named.
    pub dice: [u8; 5],
    /// The filled boxes.
    pub card: Boxes,
    /// The categories that may be named now, each with the score that it would add to its box.
    pub legal: Boxes,
    /// The sum of the upper boxes.
    pub upper: u32,
    /// 0 or 35.
    pub upper_bonus: u32,
    /// 100 for each.
    pub yahtzee_bonus: u32,
    /// The bot's own total so far.
    pub score: u32,
    /// Everybody's totals so far, ascending.
    pub scores: Vec<u32>,
}

/// Either a keep, at stages 0 and 1 only, or one of the legal categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Keep these dice and roll the others.
    Keep(Keep),
    /// Fill this box.
    Category(Category),
}

/// A game is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The game's number.
    pub game: u64,
    /// Everybody's totals, ascending.
    pub scores: Vec<u32>,
    /// The bot's own.
    pub score: u32,
    /// Whether nobody had more.
    pub won: bool,
}

impl Turn {
    /// Keeps the dice at these indexes.
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

    /// Keeps every die for whose face `wanted` is true.
    #[must_use]
    #[track_caller]
    pub fn keep_where(&self, wanted: impl Fn(u8) -> bool) -> Answer {
        self.keep((0..self.dice.len()).filter(|&index| wanted(self.dice[index])))
    }

    /// Fills the box of `category`.
    ///
    /// # Panics
    /// If that is illegal now.
    #[must_use]
    #[track_caller]
    pub fn fill(&self, category: Category) -> Answer {
        assert!(self.legal.get(category).is_some(), "category {category} is not legal now");
        Answer::Category(category)
    }
}
