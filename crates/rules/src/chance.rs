//! Everything random, as pure functions of a master seed and a place.
//!
//! The master seed is any text; what counts are its UTF-8 bytes. Each purpose has a 128-bit key of
//! its own, the first 16 bytes of SHA-256 over an ASCII label, a newline and the seed:
//!
//! | purpose | label |
//! |---|---|
//! | dice | `dicehill/1/dice` |
//! | who sits where | `dicehill/1/seat` |
//! | how many sit | `dicehill/1/size` |
//! | the bots' own seeds | `dicehill/1/bot` |
//! | the ids of games that bots are told | `dicehill/1/id` |
//!
//! A *word* is SipHash-2-4 under that key of a short message, a number below 2^64. Integers in
//! messages are little-endian.
//!
//! - **Dice.** The die at (table, seat, round, roll, slot) is found with `block = roll + slot / 12`
//!   (integer division) in the message table (8 bytes), round (4), seat (2), block (1), attempt (1).
//!   The attempt starts at 0 and goes up by one as long as the word is 2^64 - (2^64 mod 6^12) or
//!   more, so that all faces are exactly equally likely. Slot `12 k + i` is then digit `i` of the
//!   word written in base six, lowest first, plus one. In Yahtzee a slot is below 5, in Liar's Dice
//!   the roll is always 0: no two dice share a digit.
//! - **Seating.** The key of an entrant in a game is the word of game (8 bytes) and the UTF-8 bytes
//!   of its name; the smallest key sits first.
//! - **Table size.** A uniform choice among `n` sizes is the word of game (8 bytes) and attempt
//!   (8 bytes) modulo `n`, the attempt going up as long as the word is 2^64 - (2^64 mod n) or more.
//! - **A bot's own seed** is the word of game (8 bytes) and the bytes of its name. Its key tells
//!   nothing of the dice's key.
//! - **The id of a game** as a bot outside is told it: the word of game (8 bytes) and the bytes of
//!   the bot's name, divided by 2^12. So ids do not tell which games share a table, and each can be
//!   told again alone.
//!
//! `protocol/chance.py` recomputes all of it in Python, and `protocol/chance-vectors.json` holds
//! vectors that both are tested against.

use sha2::{Digest, Sha256};

use crate::siphash::{SipKey, SipPrefix};
use crate::{Face, Seat};

/// Dice that fit in one word.
const DICE_PER_WORD: usize = 12;
/// 6^12, the number of equally likely values of those dice.
const FACES_PER_WORD: u64 = 6u64.pow(DICE_PER_WORD as u32);
/// Words from here on are drawn again.
const DICE_LIMIT: u64 = u64::MAX - (u64::MAX % FACES_PER_WORD + 1) % FACES_PER_WORD;

/// A source of dice for one table, asked by place.
pub trait Dice {
    /// Fills `faces` with the dice at slots 0, 1, ... of `roll` in `round` at `seat`.
    ///
    /// Rounds count from 1, rolls from 0. The same place always has the same die. A game that rolls
    /// more than once a round has at most 12 slots, or else its rolls would share dice.
    fn roll(&self, seat: Seat, round: u32, roll: u8, faces: &mut [Face]);
}

/// All chance of one master seed.
#[derive(Clone, Debug)]
pub struct Chance {
    dice: SipKey,
    seat: SipKey,
    size: SipKey,
    bot: SipKey,
    id: SipKey,
}

impl Chance {
    /// The chance of the master seed `seed`, which may be any text.
    #[must_use]
    pub fn new(seed: &str) -> Self {
        Self {
            dice: keyed("dicehill/1/dice", seed),
            seat: keyed("dicehill/1/seat", seed),
            size: keyed("dicehill/1/size", seed),
            bot: keyed("dicehill/1/bot", seed),
            id: keyed("dicehill/1/id", seed),
        }
    }

    /// The dice of table `table`.
    #[must_use]
    pub fn table(&self, table: u64) -> TableDice {
        TableDice { prefix: self.dice.begin(table) }
    }

    /// The key that orders `name` among the entrants of `game`; smaller sits earlier.
    #[must_use]
    pub fn seat_key(&self, game: u64, name: &str) -> u64 {
        named_word(self.seat, game, name)
    }

    /// A number in `0..choices`, uniform over games: which of the sizes a table has.
    ///
    /// # Panics
    /// If `choices` is 0.
    #[must_use]
    pub fn table_size(&self, game: u64, choices: u64) -> u64 {
        assert!(choices > 0, "a choice needs something to choose from");
        let limit = u64::MAX - (u64::MAX % choices + 1) % choices;
        let word = |attempt| self.size.begin(game).end(attempt);
        (0..).map(word).find(|word| *word <= limit).expect("words do not run out") % choices
    }

    /// The seed that the arena gives to `name` in `game`; it tells nothing about any die.
    #[must_use]
    pub fn bot_seed(&self, game: u64, name: &str) -> u64 {
        named_word(self.bot, game, name)
    }

    /// The id by which `name` is told of `game`, below 2^52.
    #[must_use]
    pub fn game_id(&self, game: u64, name: &str) -> u64 {
        named_word(self.id, game, name) >> 12
    }
}

/// The dice of one table.
#[derive(Clone, Copy, Debug)]
pub struct TableDice {
    prefix: SipPrefix,
}

impl TableDice {
    #[inline]
    fn word(&self, seat: Seat, round: u32, block: u8) -> u64 {
        let seat = seat.index() as u64;
        let place = u64::from(round) | seat << 32 | u64::from(block) << 48;
        let mut attempt = 0;
        loop {
            let word = self.prefix.end(place | attempt << 56);
            if word <= DICE_LIMIT {
                return word;
            }
            attempt += 1;
        }
    }
}

impl Dice for TableDice {
    fn roll(&self, seat: Seat, round: u32, roll: u8, faces: &mut [Face]) {
        for (part, faces) in faces.chunks_mut(DICE_PER_WORD).enumerate() {
            let mut word = self.word(seat, round, roll + part as u8);
            for pair in faces.chunks_mut(2) {
                let digits = PAIRS[(word % 36) as usize];
                pair[0] = digits[0];
                if let [_, second] = pair {
                    *second = digits[1];
                }
                word /= 36;
            }
        }
    }
}

/// The faces of two digits in base six, the lower one first.
const PAIRS: [[Face; 2]; 36] = {
    let mut pairs = [[Face::ONE; 2]; 36];
    let mut value = 0;
    while value < 36 {
        pairs[value] = [Face::from_digit(value as u64 % 6), Face::from_digit(value as u64 / 6)];
        value += 1;
    }
    pairs
};

fn keyed(label: &str, seed: &str) -> SipKey {
    let digest = Sha256::new().chain_update(label).chain_update("\n").chain_update(seed).finalize();
    let mut key = [0; 16];
    key.copy_from_slice(&digest[..16]);
    SipKey::new(u128::from_le_bytes(key))
}

fn named_word(key: SipKey, game: u64, name: &str) -> u64 {
    const SHORT: usize = 64;
    let length = 8 + name.len();
    if length <= SHORT {
        let mut message = [0; SHORT];
        message[..8].copy_from_slice(&game.to_le_bytes());
        message[8..length].copy_from_slice(name.as_bytes());
        key.hash(&message[..length])
    } else {
        key.hash(&[&game.to_le_bytes(), name.as_bytes()].concat())
    }
}
