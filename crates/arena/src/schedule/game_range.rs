//! Games with consecutive numbers, as one machine plays them.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Games with consecutive numbers; there may be none.
///
/// ```
/// use dicehill_arena::GameRange;
///
/// let range = GameRange::new(251, 375).unwrap();
/// assert_eq!((range.count(), range.to_string().as_str()), (125, "games 251 to 375"));
/// assert!(GameRange::new(3, 1).is_none() && GameRange::new(0, 1).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameRange {
    /// From 1.
    first: u64,
    count: u64,
}

impl GameRange {
    /// The games `first` to `last`, both included; none if `last` is `first - 1`. `None` for other numbers.
    #[must_use]
    pub const fn new(first: u64, last: u64) -> Option<Self> {
        if first == 0 || last < first - 1 {
            return None;
        }
        Some(Self { first, count: last - (first - 1) })
    }

    /// The number of the first game, from 1.
    #[must_use]
    pub const fn first(self) -> u64 {
        self.first
    }

    /// The number of the last game; one less than the first if there is none.
    #[must_use]
    pub const fn last(self) -> u64 {
        self.first - 1 + self.count
    }

    /// How many games these are.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.count
    }

    /// The numbers of the games.
    #[must_use]
    pub const fn numbers(self) -> RangeInclusive<u64> {
        self.first..=self.last()
    }

    /// The games from `first` on, as far as they are in this range.
    #[must_use]
    pub fn starting_at(self, first: u64) -> Self {
        let first = first.clamp(self.first, self.last() + 1);
        Self { first, count: self.last() + 1 - first }
    }
}

impl fmt::Display for GameRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            0 => f.write_str("no game"),
            1 => write!(f, "game {}", self.first),
            _ => write!(f, "games {} to {}", self.first, self.last()),
        }
    }
}

/// One of several equal parts of a run.
///
/// ```
/// use dicehill_arena::Shard;
///
/// let shard: Shard = "3/8".parse().unwrap();
/// let range = shard.of(1000, 1);
/// assert_eq!((range.first(), range.last()), (251, 375));
/// // Blocks of two games stay together.
/// assert_eq!("1/3".parse::<Shard>().unwrap().of(10, 2).last(), 2);
/// assert!("9/8".parse::<Shard>().is_err() && "0/8".parse::<Shard>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// From 1.
    index: u32,
    of: u32,
}

/// The most shards of a run.
const MAX_SHARDS: u32 = 1_000_000;

/// A text that names no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseShardError {
    /// Not two numbers.
    #[error("a shard is I/N, such as 3/8 for the third of eight")]
    Form,
    /// No such number of shards.
    #[error("{0} shards: a run has 1 to {MAX_SHARDS}")]
    Count(u32),
    /// No such shard.
    #[error("shard {index} of {of}: shards are numbered 1 to {of}")]
    Index {
        /// The number of the shard.
        index: u32,
        /// The number of shards.
        of: u32,
    },
}

impl Shard {
    /// The games of this shard of a run of `games` games: as many as of each other shard, but for one block.
    ///
    /// # Panics
    /// If `block` is 0.
    #[must_use]
    pub fn of(self, games: u64, block: u64) -> GameRange {
        let blocks = u128::from(games.div_ceil(block));
        let end = |shard: u32| {
            let blocks = blocks * u128::from(shard) / u128::from(self.of);
            games.min(blocks as u64 * block)
        };
        let before = end(self.index - 1);
        GameRange { first: before + 1, count: end(self.index) - before }
    }
}

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Self, ParseShardError> {
        let number = |text: &str| text.parse::<u32>().map_err(|_| ParseShardError::Form);
        let (index, of) = text.split_once('/').ok_or(ParseShardError::Form)?;
        let (index, of) = (number(index)?, number(of)?);
        if !(1..=MAX_SHARDS).contains(&of) {
            return Err(ParseShardError::Count(of));
        }
        if !(1..=of).contains(&index) {
            return Err(ParseShardError::Index { index, of });
        }
        Ok(Self { index, of })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_every_game_once_in_whole_blocks() {
        for (games, block) in [(0, 1), (1, 1), (5, 1), (1000, 1), (1000, 2), (999, 3), (12, 4)] {
            for of in [1, 2, 3, 7, 8, 1000] {
                let mut next = 1;
                for index in 1..=of {
                    let range = Shard { index, of }.of(games, block);
                    assert_eq!(range.first(), next, "{index}/{of} of {games}");
                    assert!((next - 1).is_multiple_of(block), "{index}/{of} of {games}");
                    next = range.last() + 1;
                }
                assert_eq!(next, games + 1, "{of} shards of {games}");
            }
        }
    }

    #[test]
    fn a_range_can_start_later() {
        let range = GameRange::new(5, 9).unwrap();
        let later = |first| range.starting_at(first).numbers();
        assert_eq!((later(1), later(7), later(9)), (5..=9, 7..=9, 9..=9));
        assert_eq!((range.starting_at(10).count(), range.starting_at(99).count()), (0, 0));
    }

    #[test]
    fn texts_that_name_no_shard_are_refused() {
        for text in ["", "3", "3/", "/8", "a/8", "3/8/2", "-1/8", "3/0", "1/1000001", "4/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
