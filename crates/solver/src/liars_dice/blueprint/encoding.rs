//! Blueprints as bytes.

use crate::liars_dice::blueprint::action_abstraction::Node;
use crate::liars_dice::blueprint::range_coder::{Chance, Decoder, Encoder};
use crate::liars_dice::blueprint::{Blueprint, Kept, PARTS};
use crate::liars_dice::game::round::{Round, Side};

/// Goes up whenever blueprints are written, or remember, in another way.
const VERSION: u32 = 1;
const BEGIN: &[u8; 8] = b"dicehill";
/// Rows have chances of their own up to this one.
const ROWS: usize = 16;
/// No node has more of them.
const MOST_ROWS: usize = 64;

/// Why bytes are no blueprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadBlueprintError {
    /// They begin otherwise.
    #[error("no blueprint for a round of Liar's Dice")]
    Kind,
    /// They are of another version.
    #[error("a blueprint of version {0}, not {VERSION}")]
    Version(u32),
    /// The checksum is another one.
    #[error("a damaged blueprint: its checksum is {found:08x}, not {told:08x}")]
    Checksum {
        /// What the bytes tell.
        told: u32,
        /// What they have.
        found: u32,
    },
    /// They are whole, and mean nothing.
    #[error("a blueprint that nobody can play: {0}")]
    Meaning(&'static str),
}

impl Blueprint {
    /// The blueprint as bytes for [`Blueprint::from_bytes`]; the same blueprint has the same bytes.
    ///
    /// They are `dicehill`, the version (little-endian, as all numbers), the dice of the starter and of the responder, the choices of
    /// all hands by side and node as a range coder leaves them, and the CRC-32 of all that.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = BEGIN.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(Side::BOTH.map(|side| self.round.dice(side)));
        let mut encoder = Encoder::new();
        for side in Side::BOTH {
            let mut model = Model::new(self.hands[side.index()]);
            let mut place = 0;
            for node in self.menu.nodes() {
                for hand in 0..self.hands[side.index()] {
                    model.write(&mut encoder, self.kept(side, place), hand, node.rows());
                    place += 1;
                }
            }
        }
        bytes.extend(encoder.finish());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The blueprint of [`Blueprint::to_bytes`].
    ///
    /// # Errors
    /// If the bytes are not those of a blueprint of this version, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadBlueprintError> {
        let rest = bytes.strip_prefix(BEGIN).ok_or(ReadBlueprintError::Kind)?;
        let (version, _) = rest.split_first_chunk().ok_or(ReadBlueprintError::Kind)?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(ReadBlueprintError::Version(version));
        }
        let (body, told) = bytes.split_last_chunk().ok_or(ReadBlueprintError::Kind)?;
        let (told, found) = (u32::from_le_bytes(*told), crc32fast::hash(body));
        if told != found {
            return Err(ReadBlueprintError::Checksum { told, found });
        }
        let (dice, coded) = body[BEGIN.len() + 4..].split_first_chunk::<2>().ok_or(SHORT)?;
        let round = Round::new(dice[0], dice[1]);
        let round = round.map_err(|_| ReadBlueprintError::Meaning("there is no such round"))?;
        Self::decode(round, coded)
    }

    fn decode(round: Round, coded: &[u8]) -> Result<Self, ReadBlueprintError> {
        let mut blueprint = Self::empty(round);
        let rows: Vec<_> = blueprint.menu.nodes().iter().map(Node::rows).collect();
        let mut decoder = Decoder::new(coded);
        for side in Side::BOTH {
            let hands = blueprint.hands[side.index()];
            let mut model = Model::new(hands);
            for rows in &rows {
                for hand in 0..hands {
                    let kept = model.read(&mut decoder, hand, *rows)?;
                    blueprint.push(side, &kept);
                }
            }
        }
        Ok(blueprint)
    }
}

const SHORT: ReadBlueprintError = ReadBlueprintError::Meaning("it ends too soon");

/// For each row of a node how often it is done.
type Parts = [u8; MOST_ROWS];

/// What is expected of the choices of a hand, from those of the hand before it and from its own at the node before.
struct Model {
    is_empty: [[Chance; 2]; 2],
    is_done: [[[[Chance; 2]; 3]; 3]; ROWS],
    is_all: [[[Chance; 2]; 3]; 3],
    parts: [[Chance; 16]; 3],
    /// Parts of each row of the hand before, and of each hand at the node before; all 0 where there is nothing.
    before: Parts,
    others: Vec<Parts>,
}

/// 0 for nothing, 1 for a part, 2 for all.
fn class(parts: u8) -> usize {
    usize::from(parts > 0) + usize::from(parts == PARTS)
}

impl Model {
    fn new(hands: usize) -> Self {
        let even = Chance::EVEN;
        Self {
            is_empty: [[even; 2]; 2],
            is_done: [[[[even; 2]; 3]; 3]; ROWS],
            is_all: [[[even; 2]; 3]; 3],
            parts: [[even; 16]; 3],
            before: [0; MOST_ROWS],
            others: vec![[0; MOST_ROWS]; hands],
        }
    }

    fn is_empty(&mut self, hand: usize) -> &mut Chance {
        let is_empty =
            |parts: &Parts| usize::from(parts.iter().fold(0, |any, parts| any | parts) == 0);
        &mut self.is_empty[is_empty(&self.before)][is_empty(&self.others[hand])]
    }

    /// Two classes that the row is expected to have, and whether anything is done already.
    fn expected(&self, hand: usize, row: usize, left: u8) -> (usize, usize, usize) {
        let other = self.others[hand][row];
        (class(self.before[row]), class(other), usize::from(left < PARTS))
    }

    fn keep(&mut self, hand: usize, parts: Parts) {
        self.before = parts;
        self.others[hand] = parts;
    }

    fn write(&mut self, encoder: &mut Encoder, kept: &[Kept], hand: usize, rows: usize) {
        let mut parts = [0; MOST_ROWS];
        kept.iter().for_each(|kept| parts[usize::from(kept.row)] = kept.parts);
        encoder.put(self.is_empty(hand), kept.is_empty());
        let mut left = if kept.is_empty() { 0 } else { PARTS };
        // What is left for the last row needs no word.
        for (row, done) in parts.into_iter().enumerate().take(rows.saturating_sub(1)) {
            if left == 0 {
                break;
            }
            self.write_row(encoder, (hand, row), done, left);
            left -= done;
        }
        self.keep(hand, parts);
    }

    fn write_row(
        &mut self,
        encoder: &mut Encoder,
        (hand, row): (usize, usize),
        done: u8,
        left: u8,
    ) {
        let (before, other, begun) = self.expected(hand, row, left);
        let is_done = &mut self.is_done[row.min(ROWS - 1)][before][other][begun];
        encoder.put(is_done, done > 0);
        if done == 0 {
            return;
        }
        encoder.put(&mut self.is_all[before][other][begun], done == left);
        if done < left {
            (0..4).rev().fold(1, |tree, bit| {
                let answer = done >> bit & 1 == 1;
                encoder.put(&mut self.parts[before][tree], answer);
                2 * tree + usize::from(answer)
            });
        }
    }

    fn read(
        &mut self,
        decoder: &mut Decoder<'_>,
        hand: usize,
        rows: usize,
    ) -> Result<Vec<Kept>, ReadBlueprintError> {
        let is_empty = decoder.get(self.is_empty(hand));
        let (mut parts, mut left) = ([0; MOST_ROWS], if is_empty { 0 } else { PARTS });
        for (row, to) in parts.iter_mut().enumerate().take(rows.saturating_sub(1)) {
            if left == 0 {
                break;
            }
            *to = self.read_row(decoder, (hand, row), left)?;
            left -= *to;
        }
        if left > 0 {
            parts[rows - 1] = left;
        }
        self.keep(hand, parts);
        let kept = parts[..rows].iter().zip(0..).filter(|(parts, _)| **parts > 0);
        Ok(kept.map(|(parts, row)| Kept { row, parts: *parts }).collect())
    }

    fn read_row(
        &mut self,
        decoder: &mut Decoder<'_>,
        (hand, row): (usize, usize),
        left: u8,
    ) -> Result<u8, ReadBlueprintError> {
        let (before, other, begun) = self.expected(hand, row, left);
        if !decoder.get(&mut self.is_done[row.min(ROWS - 1)][before][other][begun]) {
            return Ok(0);
        }
        if decoder.get(&mut self.is_all[before][other][begun]) {
            return Ok(left);
        }
        let chances = &mut self.parts[before];
        let bit = |tree, _| 2 * tree + usize::from(decoder.get(&mut chances[tree]));
        let done = ((0..4).fold(1, bit) - 16) as u8;
        let fits = (1..left).contains(&done);
        fits.then_some(done).ok_or(ReadBlueprintError::Meaning("its parts do not sum up"))
    }
}
