//! The byte format of blueprints.

use crate::liars_dice::blueprint::action_abstraction::AbstractState;
use crate::liars_dice::blueprint::range_coder::{BitProbability, Decoder, Encoder};
use crate::liars_dice::blueprint::{ActionShare, Blueprint, UNITS};
use crate::liars_dice::game::round::{Round, Side};

/// Increases when the format or the abstraction changes.
const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"dicehill";
/// Actions up to this one have their own bit models; later ones share the last.
const MODELLED_ACTIONS: usize = 16;
/// No abstract state has more actions.
const MAX_ACTIONS: usize = 64;

/// Why bytes are not a blueprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadBlueprintError {
    /// The magic bytes are different.
    #[error("not a blueprint for a round of Liar's Dice")]
    Kind,
    /// The version is different.
    #[error("a blueprint of version {0}, not {VERSION}")]
    Version(u32),
    /// The checksum does not match.
    #[error("a damaged blueprint: its checksum is {found:08x}, not {stored:08x}")]
    Checksum {
        /// The checksum that the bytes contain.
        stored: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// The checksum matches but the content is invalid.
    #[error("an invalid blueprint: {0}")]
    Meaning(&'static str),
}

impl Blueprint {
    /// The blueprint as bytes for [`Blueprint::from_bytes`]; equal blueprints have equal bytes.
    ///
    /// The format is `dicehill`, the version, the dice of the starter and of the responder, the
    /// range-coded action probabilities by side, abstract state and hand, and the CRC-32 of
    /// everything before. Numbers are little-endian.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(Side::BOTH.map(|side| self.round.dice(side)));
        let mut encoder = Encoder::new();
        for side in Side::BOTH {
            let mut model = ActionModel::new(self.hands[side.index()]);
            let mut infoset = 0;
            for state in self.abstraction.states() {
                for hand in 0..self.hands[side.index()] {
                    model.write(
                        &mut encoder,
                        self.stored_actions(side, infoset),
                        hand,
                        state.action_count(),
                    );
                    infoset += 1;
                }
            }
        }
        bytes.extend(encoder.finish());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a blueprint written by [`Blueprint::to_bytes`].
    ///
    /// # Errors
    /// If the bytes are damaged or not a blueprint of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadBlueprintError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ReadBlueprintError::Kind)?;
        let (version, _) = rest.split_first_chunk().ok_or(ReadBlueprintError::Kind)?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(ReadBlueprintError::Version(version));
        }
        let (body, stored) = bytes.split_last_chunk().ok_or(ReadBlueprintError::Kind)?;
        let (stored, found) = (u32::from_le_bytes(*stored), crc32fast::hash(body));
        if stored != found {
            return Err(ReadBlueprintError::Checksum { stored, found });
        }
        let (dice, coded) = body[MAGIC.len() + 4..].split_first_chunk::<2>().ok_or(TOO_SHORT)?;
        let round = Round::new(dice[0], dice[1]);
        let round = round.map_err(|_| ReadBlueprintError::Meaning("there is no such round"))?;
        Self::decode(round, coded)
    }

    fn decode(round: Round, coded: &[u8]) -> Result<Self, ReadBlueprintError> {
        let mut blueprint = Self::empty(round);
        let counts: Vec<_> =
            blueprint.abstraction.states().iter().map(AbstractState::action_count).collect();
        let mut decoder = Decoder::new(coded);
        for side in Side::BOTH {
            let hands = blueprint.hands[side.index()];
            let mut model = ActionModel::new(hands);
            for count in &counts {
                for hand in 0..hands {
                    let shares = model.read(&mut decoder, hand, *count)?;
                    blueprint.push(side, &shares);
                }
            }
        }
        Ok(blueprint)
    }
}

const TOO_SHORT: ReadBlueprintError = ReadBlueprintError::Meaning("it ends too soon");

/// By action of a state: its probability in sixteenths.
type Units = [u8; MAX_ACTIONS];

/// An adaptive model of action probabilities. Its contexts are the previous hand in the same state
/// and the same hand in the previous state.
struct ActionModel {
    is_empty: [[BitProbability; 2]; 2],
    is_played: [[[[BitProbability; 2]; 3]; 3]; MODELLED_ACTIONS],
    is_rest: [[[BitProbability; 2]; 3]; 3],
    units: [[BitProbability; 16]; 3],
    /// Sixteenths of the previous hand, and of each hand in the previous state; all 0 where no
    /// actions are stored.
    before: Units,
    last_states: Vec<Units>,
}

/// 0 for no sixteenths, 1 for some, 2 for all.
fn class(units: u8) -> usize {
    usize::from(units > 0) + usize::from(units == UNITS)
}

impl ActionModel {
    fn new(hands: usize) -> Self {
        let even = BitProbability::EVEN;
        Self {
            is_empty: [[even; 2]; 2],
            is_played: [[[[even; 2]; 3]; 3]; MODELLED_ACTIONS],
            is_rest: [[[even; 2]; 3]; 3],
            units: [[even; 16]; 3],
            before: [0; MAX_ACTIONS],
            last_states: vec![[0; MAX_ACTIONS]; hands],
        }
    }

    fn is_empty(&mut self, hand: usize) -> &mut BitProbability {
        let is_empty =
            |units: &Units| usize::from(units.iter().fold(0, |any, units| any | units) == 0);
        &mut self.is_empty[is_empty(&self.before)][is_empty(&self.last_states[hand])]
    }

    /// The context of an action: the classes of both neighbours, and whether part of the
    /// probability is already assigned.
    fn context(&self, hand: usize, action: usize, left: u8) -> (usize, usize, usize) {
        let other = self.last_states[hand][action];
        (class(self.before[action]), class(other), usize::from(left < UNITS))
    }

    fn set_context(&mut self, hand: usize, units: Units) {
        self.before = units;
        self.last_states[hand] = units;
    }

    fn write(
        &mut self,
        encoder: &mut Encoder,
        shares: &[ActionShare],
        hand: usize,
        actions: usize,
    ) {
        let mut units = [0; MAX_ACTIONS];
        shares.iter().for_each(|share| units[usize::from(share.action)] = share.units);
        encoder.encode(self.is_empty(hand), shares.is_empty());
        let mut left = if shares.is_empty() { 0 } else { UNITS };
        // The last action gets the remaining probability, which is not written.
        for (action, played) in units.into_iter().enumerate().take(actions.saturating_sub(1)) {
            if left == 0 {
                break;
            }
            self.write_action(encoder, (hand, action), played, left);
            left -= played;
        }
        self.set_context(hand, units);
    }

    fn write_action(
        &mut self,
        encoder: &mut Encoder,
        (hand, action): (usize, usize),
        played: u8,
        left: u8,
    ) {
        let (before, other, is_begun) = self.context(hand, action, left);
        let is_played =
            &mut self.is_played[action.min(MODELLED_ACTIONS - 1)][before][other][is_begun];
        encoder.encode(is_played, played > 0);
        if played == 0 {
            return;
        }
        encoder.encode(&mut self.is_rest[before][other][is_begun], played == left);
        if played < left {
            (0..4).rev().fold(1, |tree, place| {
                let bit = played >> place & 1 == 1;
                encoder.encode(&mut self.units[before][tree], bit);
                2 * tree + usize::from(bit)
            });
        }
    }

    fn read(
        &mut self,
        decoder: &mut Decoder<'_>,
        hand: usize,
        actions: usize,
    ) -> Result<Vec<ActionShare>, ReadBlueprintError> {
        let is_empty = decoder.decode(self.is_empty(hand));
        let (mut units, mut left) = ([0; MAX_ACTIONS], if is_empty { 0 } else { UNITS });
        for (action, to) in units.iter_mut().enumerate().take(actions.saturating_sub(1)) {
            if left == 0 {
                break;
            }
            *to = self.read_action(decoder, (hand, action), left)?;
            left -= *to;
        }
        if left > 0 {
            units[actions - 1] = left;
        }
        self.set_context(hand, units);
        let shares = units[..actions].iter().zip(0..).filter(|(units, _)| **units > 0);
        Ok(shares.map(|(units, action)| ActionShare { action, units: *units }).collect())
    }

    fn read_action(
        &mut self,
        decoder: &mut Decoder<'_>,
        (hand, action): (usize, usize),
        left: u8,
    ) -> Result<u8, ReadBlueprintError> {
        let (before, other, is_begun) = self.context(hand, action, left);
        if !decoder
            .decode(&mut self.is_played[action.min(MODELLED_ACTIONS - 1)][before][other][is_begun])
        {
            return Ok(0);
        }
        if decoder.decode(&mut self.is_rest[before][other][is_begun]) {
            return Ok(left);
        }
        let probabilities = &mut self.units[before];
        let bit = |tree, _| 2 * tree + usize::from(decoder.decode(&mut probabilities[tree]));
        let played = ((0..4).fold(1, bit) - 16) as u8;
        let fits = (1..left).contains(&played);
        fits.then_some(played).ok_or(ReadBlueprintError::Meaning("its parts do not sum up"))
    }
}
