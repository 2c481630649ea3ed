//! Strategies as bytes, with what they guarantee.

use dicehill_rules::Face;

use crate::liars_dice::game::history::History;
use crate::liars_dice::game::round::{Round, Side};
use crate::liars_dice::strategy::{Kept, LAST, Strategy};
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::limits::Limits;

/// Goes up whenever strategies are written in another way.
const VERSION: u32 = 1;
const BEGIN: &[u8; 8] = b"dicehill";

/// Why bytes are no strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadStrategyError {
    /// They begin otherwise.
    #[error("no strategy for a round of Liar's Dice")]
    Kind,
    /// They are of another version.
    #[error("a strategy of version {0}, not {VERSION}")]
    Version(u32),
    /// The checksum is another one.
    #[error("a damaged strategy: its checksum is {found:08x}, not {told:08x}")]
    Checksum {
        /// What the file tells.
        told: u32,
        /// What it has.
        found: u32,
    },
    /// They are whole, and mean nothing.
    #[error("a strategy that nobody can play: {0}")]
    Meaning(&'static str),
}

impl Strategy {
    /// The strategy and `guarantee`, which it gets at least, as bytes for [`Strategy::from_bytes`]. The same strategy has the same
    /// bytes.
    ///
    /// The bytes are, with all numbers little-endian: `dicehill`, the version, dice and wild face, side, limits and guarantee; the
    /// numbers of histories and choices; each history as a set of bids; for each the number of its choices, and all choices, an
    /// action and its share each; and the CRC-32 of all that.
    #[must_use]
    pub fn to_bytes(&self, guarantee: f64) -> Vec<u8> {
        let mut bytes = BEGIN.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let [starter, responder] = Side::BOTH.map(|side| self.round.dice(side));
        let certified = self.limits.certified.map_or(2, |side| side.index() as u8);
        let side = self.side.index() as u8;
        let wild = self.round.wild().pips();
        bytes.extend([starter, responder, wild, side, certified, self.limits.call_from]);
        let most_bids = u64::try_from(self.limits.most_bids).unwrap_or(u64::MAX);
        let counts = [self.histories.len() as u64, self.choices.len() as u64];
        let numbers = [most_bids, self.limits.own_bids, guarantee.to_bits()];
        numbers.into_iter().chain(counts).for_each(|number| bytes.extend(number.to_le_bytes()));
        self.histories.iter().for_each(|history| bytes.extend(history.bits().to_le_bytes()));
        for begin in self.begins.windows(2) {
            bytes.extend(((begin[1] - begin[0]) as u32).to_le_bytes());
        }
        for Kept { action, parts } in &self.choices {
            bytes.push(*action);
            bytes.extend(parts.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The strategy of [`Strategy::to_bytes`], and what it guarantees.
    ///
    /// # Errors
    /// If the bytes are not those of a strategy of this version, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, f64), ReadStrategyError> {
        let rest = bytes.strip_prefix(BEGIN).ok_or(ReadStrategyError::Kind)?;
        let (version, _) = rest.split_first_chunk().ok_or(ReadStrategyError::Kind)?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(ReadStrategyError::Version(version));
        }
        let (body, told) = bytes.split_last_chunk().ok_or(ReadStrategyError::Kind)?;
        let (told, found) = (u32::from_le_bytes(*told), crc32fast::hash(body));
        if told != found {
            return Err(ReadStrategyError::Checksum { told, found });
        }
        Bytes(&body[BEGIN.len() + 4..]).strategy()
    }
}

/// Bytes that are still to be read.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], ReadStrategyError> {
        let chunk = self.0.split_first_chunk();
        let (first, rest) = chunk.ok_or(ReadStrategyError::Meaning("it ends too soon"))?;
        self.0 = rest;
        Ok(*first)
    }

    fn number(&mut self) -> Result<u64, ReadStrategyError> {
        self.take().map(u64::from_le_bytes)
    }

    fn list<const N: usize>(&mut self, count: u64) -> Result<Vec<[u8; N]>, ReadStrategyError> {
        let length = usize::try_from(count).ok().and_then(|count| count.checked_mul(N));
        let split = length.and_then(|length| self.0.split_at_checked(length));
        let (list, rest) = split.ok_or(ReadStrategyError::Meaning("it ends too soon"))?;
        self.0 = rest;
        Ok(list.as_chunks().0.to_vec())
    }

    fn strategy(mut self) -> Result<(Strategy, f64), ReadStrategyError> {
        let meaning = ReadStrategyError::Meaning;
        let [starter, responder, wild, side, certified, call_from] = self.take()?;
        let wild = Face::new(wild).ok_or(meaning("no such wild face"))?;
        let round = Round::with_wild(starter, responder, wild);
        let round = round.map_err(|_| meaning("there is no such round"))?;
        let side_of = |number: u8| Side::BOTH.get(usize::from(number)).copied();
        let side = side_of(side).ok_or(meaning("no such side"))?;
        let most_bids = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        let own_bids = self.number()?;
        let limits = Limits { certified: side_of(certified), most_bids, call_from, own_bids };
        let guarantee = f64::from_bits(self.number()?);
        let (histories, choices) = (self.number()?, self.number()?);
        let known = self.list(histories)?.into_iter();
        let known = known.map(|bits| History::from_bits(u64::from_le_bytes(bits))).collect();
        let mut begins = vec![0];
        for count in self.list(histories)? {
            let last = *begins.last().expect("it begins with 0");
            begins.push(last + u64::from(u32::from_le_bytes(count)));
        }
        let kept =
            |[action, low, high]: [u8; 3]| Kept { action, parts: u16::from_le_bytes([low, high]) };
        let choices = self.list(choices)?.into_iter().map(kept).collect();
        let strategy = Strategy { round, limits, side, histories: known, begins, choices };
        strategy.check().map_err(meaning)?;
        Ok((strategy, guarantee))
    }
}

impl Strategy {
    /// Says what cannot be played.
    fn check(&self) -> Result<(), &'static str> {
        let count = self.choices.len() as u64;
        if self.begins.last() != Some(&count) {
            return Err("histories and choices do not fit together");
        }
        let rises = |pair: &[History]| pair[0].order(pair[1]).is_lt();
        let highest = self.round.bids() as u8;
        let is_bid = |history: &History| history.last_number().is_none_or(|last| last < highest);
        if !self.histories.windows(2).all(rises) || !self.histories.iter().all(is_bid) {
            return Err("its histories are in disorder");
        }
        let tree = Tree::new(self.round, self.limits);
        let is_bound = |history: &History| {
            let last = history.last_number();
            history.actor() != self.side
                || last.is_some_and(|last| tree.is_called(history.bids(), last))
        };
        if !tree.certifies(self.side) || self.histories.iter().any(is_bound) {
            return Err("it acts where it is bound to call, or where the other acts");
        }
        let first = self.histories.first();
        if self.side == Side::Starter && first != Some(&History::NONE) {
            return Err("it has no first bid");
        }
        let hands = tree.hands(self.side).count();
        if (0..self.histories.len()).any(|number| !self.is_legal(number, hands)) {
            return Err("a choice that is against the rules");
        }
        Ok(())
    }

    /// Whether each hand does something that is allowed at the history of this number.
    fn is_legal(&self, number: usize, hands: usize) -> bool {
        let last = self.histories[number].last_number();
        let lowest = last.map_or(1, |last| last + 2);
        let highest = self.round.bids() as u8;
        let is_legal = |kept: &Kept| match kept.action & !LAST {
            0 => last.is_some(),
            action => kept.parts > 0 && (lowest..=highest).contains(&action),
        };
        self.hands(number).count() == hands && self.hands(number).flatten().all(is_legal)
    }
}
