//! The byte format of strategies and their guarantees.

use dicehill_rules::Face;

use crate::liars_dice::game::history::History;
use crate::liars_dice::game::round::{Round, Side};
use crate::liars_dice::strategy::{LAST, StoredAction, Strategy};
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::limits::TreeLimits;

/// Increases when the format changes.
const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"dicehill";

/// Why bytes are not a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadStrategyError {
    /// The magic bytes are different.
    #[error("not a strategy for a round of Liar's Dice")]
    Kind,
    /// The version is different.
    #[error("a strategy of version {0}, not {VERSION}")]
    Version(u32),
    /// The checksum does not match.
    #[error("a damaged strategy: its checksum is {found:08x}, not {stored:08x}")]
    Checksum {
        /// The checksum that the file contains.
        stored: u32,
        /// The checksum of its content.
        found: u32,
    },
    /// The checksum matches but the content is invalid.
    #[error("an invalid strategy: {0}")]
    Meaning(&'static str),
}

impl Strategy {
    /// The strategy and its `guarantee` as bytes for [`Strategy::from_bytes`]. Equal strategies
    /// have equal bytes.
    ///
    /// The format is `dicehill`, the version, dice and wild face, side, limits and guarantee; the
    /// numbers of histories and actions; each history as a set of bids; the number of actions of
    /// each history; all actions with their probabilities; and the CRC-32 of everything before.
    /// Numbers are little-endian.
    #[must_use]
    pub fn to_bytes(&self, guarantee: f64) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let [starter, responder] = Side::BOTH.map(|side| self.round.dice(side));
        let certified = self.limits.certified.map_or(2, |side| side.index() as u8);
        let side = self.side.index() as u8;
        let wild = self.round.wild().pips();
        bytes.extend([starter, responder, wild, side, certified, self.limits.call_from]);
        let max_bids = u64::try_from(self.limits.max_bids).unwrap_or(u64::MAX);
        let counts = [self.histories.len() as u64, self.actions.len() as u64];
        let numbers = [max_bids, self.limits.own_bids, guarantee.to_bits()];
        numbers.into_iter().chain(counts).for_each(|number| bytes.extend(number.to_le_bytes()));
        self.histories.iter().for_each(|history| bytes.extend(history.bits().to_le_bytes()));
        for begin in self.begins.windows(2) {
            bytes.extend(((begin[1] - begin[0]) as u32).to_le_bytes());
        }
        for StoredAction { action, weight } in &self.actions {
            bytes.push(*action);
            bytes.extend(weight.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a strategy and its guarantee, written by [`Strategy::to_bytes`].
    ///
    /// # Errors
    /// If the bytes are damaged or not a strategy of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, f64), ReadStrategyError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ReadStrategyError::Kind)?;
        let (version, _) = rest.split_first_chunk().ok_or(ReadStrategyError::Kind)?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(ReadStrategyError::Version(version));
        }
        let (body, stored) = bytes.split_last_chunk().ok_or(ReadStrategyError::Kind)?;
        let (stored, found) = (u32::from_le_bytes(*stored), crc32fast::hash(body));
        if stored != found {
            return Err(ReadStrategyError::Checksum { stored, found });
        }
        Bytes(&body[MAGIC.len() + 4..]).strategy()
    }
}

/// The bytes not read yet.
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
        let max_bids = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        let own_bids = self.number()?;
        let limits = TreeLimits { certified: side_of(certified), max_bids, call_from, own_bids };
        let guarantee = f64::from_bits(self.number()?);
        let (histories, actions) = (self.number()?, self.number()?);
        let known = self.list(histories)?.into_iter();
        let known = known.map(|bits| History::from_bits(u64::from_le_bytes(bits))).collect();
        let mut begins = vec![0];
        for count in self.list(histories)? {
            let last = *begins.last().expect("it begins with 0");
            begins.push(last + u64::from(u32::from_le_bytes(count)));
        }
        let stored = |[action, low, high]: [u8; 3]| StoredAction {
            action,
            weight: u16::from_le_bytes([low, high]),
        };
        let actions = self.list(actions)?.into_iter().map(stored).collect();
        let strategy = Strategy { round, limits, side, histories: known, begins, actions };
        strategy.check().map_err(meaning)?;
        Ok((strategy, guarantee))
    }
}

impl Strategy {
    /// Checks that the strategy can be played.
    fn check(&self) -> Result<(), &'static str> {
        let count = self.actions.len() as u64;
        if self.begins.last() != Some(&count) {
            return Err("histories and choices do not fit together");
        }
        let rises = |pair: &[History]| pair[0].order(pair[1]).is_lt();
        let highest = self.round.bids() as u8;
        let is_possible =
            |history: &History| history.last_bid_index().is_none_or(|last| last < highest);
        if !self.histories.windows(2).all(rises) || !self.histories.iter().all(is_possible) {
            return Err("its histories are in disorder");
        }
        let tree = Tree::new(self.round, self.limits);
        let must_call = |history: &History| {
            let last = history.last_bid_index();
            history.actor() != self.side
                || last.is_some_and(|last| tree.must_call(history.bids(), last))
        };
        if !tree.certifies(self.side) || self.histories.iter().any(must_call) {
            return Err("it acts where it is bound to call, or where the other acts");
        }
        let first = self.histories.first();
        if self.side == Side::Starter && first != Some(&History::EMPTY) {
            return Err("it has no first bid");
        }
        let hands = tree.hands(self.side).count();
        if (0..self.histories.len()).any(|number| !self.is_legal(number, hands)) {
            return Err("a choice that is against the rules");
        }
        Ok(())
    }

    /// Whether every hand has only legal actions at a history.
    fn is_legal(&self, number: usize, hands: usize) -> bool {
        let last = self.histories[number].last_bid_index();
        let lowest = last.map_or(1, |last| last + 2);
        let highest = self.round.bids() as u8;
        let is_legal = |stored: &StoredAction| match stored.action & !LAST {
            0 => last.is_some(),
            action => stored.weight > 0 && (lowest..=highest).contains(&action),
        };
        self.hands(number).count() == hands && self.hands(number).flatten().all(is_legal)
    }
}
