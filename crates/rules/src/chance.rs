//! All randomness, as pure functions of a master seed and a place.
//!
//! The master seed is any text, taken as its UTF-8 bytes. If it ends with `#` and 32 lower-case hexadecimal digits, these digits are
//! its secret and what is before them is its text; otherwise all of it is its text ([`SeedParts`]). Each purpose has
//! its own 128-bit key: the first 16 bytes of SHA-256 over an ASCII label, a newline, and the seed or its text.
//!
//! | purpose | label | of |
//! |---|---|---|
//! | dice | `dicehill/1/dice` | the seed |
//! | seating | `dicehill/1/seat` | the text |
//! | table size | `dicehill/1/size` | the text |
//! | seeds of bots | `dicehill/1/bot` | the seed |
//! | ids of games in the bot protocol | `dicehill/1/id` | the seed |
//!
//! In qualification, the dice and the seeds of bots have the labels `dicehill/1/qualification-dice` and `dicehill/1/qualification-bot`,
//! so that a bot learns nothing there about the games of the run.
//!
//! A *word* is the SipHash-2-4 of a short message under such a key, a number below 2^64. Integers in messages are little-endian.
//!
//! - **Dice.** The die at (table, seat, round, roll, slot) comes from the message table (8 bytes), round (4), seat (2), block (1),
//!   attempt (1), where `block = roll + slot / 12` (integer division). The attempt starts at 0 and increases by one while the word is
//!   2^64 - (2^64 mod 6^12) or more, so that all faces are exactly equally likely. Slot `12 k + i` is digit `i` of the word in base
//!   six, lowest first, plus one. In Yahtzee a slot is below 5, in Liar's Dice the roll is always 0: no two dice share a digit.
//! - **Seating.** The key of an entrant in a game is the word of the game (8 bytes) and the UTF-8 bytes of its name. Entrants are seated
//!   by ascending key.
//! - **Table size.** A uniform choice among `n` sizes is the word of the game (8 bytes) and the attempt (8 bytes) modulo `n`. The attempt
//!   increases while the word is 2^64 - (2^64 mod n) or more.
//! - **A bot's seed** is the word of the game (8 bytes) and the bytes of the bot's name. It reveals nothing about the dice, which have
//!   another key.
//! - **The id of a game** in the bot protocol is the word of the game (8 bytes) and the bytes of the bot's name, divided by 2^12. Ids do
//!   not reveal which bots share a table, and each can be recomputed alone.
//!
//! `protocol/chance.py` recomputes all of this in Python, and both are tested against the vectors in `protocol/chance-vectors.json`.

use sha2::{Digest, Sha256};

use crate::siphash::{SipKey, SipPrefix};
use crate::{Face, Seat, SeedParts};

/// Number of dice in one word.
const DICE_PER_WORD: usize = 12;
/// 6^12, the number of outcomes of those dice.
const FACES_PER_WORD: u64 = 6u64.pow(DICE_PER_WORD as u32);
/// The largest word that is not drawn again.
const DICE_LIMIT: u64 = u64::MAX - (u64::MAX % FACES_PER_WORD + 1) % FACES_PER_WORD;

/// A source of dice for one table, addressed by place.
///
/// Arenas use the tables of [`Chance`]; a test or a simulation has its own:
///
/// ```
/// use dicehill_rules::yahtzee::{Category, Yahtzee, YahtzeeRules};
/// use dicehill_rules::{Dice, Face, Game, Seat};
///
/// /// Every die shows a six.
/// struct Sixes;
///
/// impl Dice for Sixes {
///     fn roll(&self, _seat: Seat, _round: u32, _roll: u8, faces: &mut [Face]) {
///         faces.fill(Face::SIX);
///     }
/// }
///
/// let game = Yahtzee::new(YahtzeeRules::Official, 1, &Sixes);
/// assert_eq!(Category::Yahtzee.score(game.dice()), 50);
/// ```
pub trait Dice {
    /// Fills `faces` with the dice at slots 0, 1, ... of `roll` in `round` at `seat`.
    ///
    /// Rounds count from 1, rolls from 0. The same place always has the same die. A game that rolls more than once per round uses at most
    /// 12 slots, otherwise its rolls would share dice.
    fn roll(&self, seat: Seat, round: u32, roll: u8, faces: &mut [Face]);
}

/// The randomness of one master seed.
///
/// ```
/// use dicehill_rules::{Chance, Dice, Face, Seat};
///
/// let chance = Chance::new("my seed");
/// let roll = |table| {
///     let mut faces = [Face::ONE; 5];
///     // Seat 0, round 1, first roll.
///     chance.table(table).roll(Seat::new(0), 1, 0, &mut faces);
///     faces
/// };
/// assert_eq!(roll(7), roll(7), "the same place has the same dice");
/// assert_ne!(roll(7), roll(8));
/// ```
#[derive(Clone, Debug)]
pub struct Chance {
    dice: SipKey,
    seat: SipKey,
    size: SipKey,
    bot: SipKey,
    id: SipKey,
}

impl Chance {
    /// The randomness of the master seed `seed`, which may be any text.
    #[must_use]
    pub fn new(seed: &str) -> Self {
        Self::with_labels(["dicehill/1/dice", "dicehill/1/bot"], seed)
    }

    /// The randomness of the games in which bots qualify for the run of this master seed.
    ///
    /// ```
    /// use dicehill_rules::{Chance, Dice, Face, Seat};
    ///
    /// let dice = |chance: Chance| {
    ///     let mut faces = [Face::ONE; 12];
    ///     chance.table(1).roll(Seat::new(0), 1, 0, &mut faces);
    ///     faces
    /// };
    /// assert_ne!(dice(Chance::of_qualification("my seed")), dice(Chance::new("my seed")));
    /// ```
    #[must_use]
    pub fn of_qualification(seed: &str) -> Self {
        Self::with_labels(["dicehill/1/qualification-dice", "dicehill/1/qualification-bot"], seed)
    }

    fn with_labels([dice, bot]: [&str; 2], seed: &str) -> Self {
        let SeedParts { text, .. } = SeedParts::of(seed);
        Self {
            dice: derive_key(dice, seed),
            seat: derive_key("dicehill/1/seat", text),
            size: derive_key("dicehill/1/size", text),
            bot: derive_key(bot, seed),
            id: derive_key("dicehill/1/id", seed),
        }
    }

    /// The dice of table `table`.
    #[must_use]
    pub fn table(&self, table: u64) -> TableDice {
        TableDice { prefix: self.dice.prefix(table) }
    }

    /// The key of the entrant `name` in `game`; entrants are seated by ascending key.
    ///
    /// ```
    /// use dicehill_rules::Chance;
    ///
    /// let chance = Chance::new("my seed");
    /// let mut seats = ["ann", "bob", "cleo"];
    /// seats.sort_by_key(|name| chance.seat_key(12, name));
    ///
    /// // Another entrant does not change the order of the others.
    /// let mut more = ["ann", "bob", "cleo", "dora"];
    /// more.sort_by_key(|name| chance.seat_key(12, name));
    /// let others: Vec<_> = more.into_iter().filter(|name| *name != "dora").collect();
    /// assert_eq!(others, seats);
    /// ```
    #[must_use]
    pub fn seat_key(&self, game: u64, name: &str) -> u64 {
        named_word(self.seat, game, name)
    }

    /// The index of the table size of `game` among `choices` sizes: uniform in `0..choices`.
    ///
    /// # Panics
    /// If `choices` is 0.
    #[must_use]
    pub fn table_size(&self, game: u64, choices: u64) -> u64 {
        assert!(choices > 0, "a choice needs something to choose from");
        let limit = u64::MAX - (u64::MAX % choices + 1) % choices;
        let word = |attempt| self.size.prefix(game).word(attempt);
        (0..).map(word).find(|word| *word <= limit).expect("words do not run out") % choices
    }

    /// The seed of the bot `name` in `game`. It reveals nothing about the dice.
    #[must_use]
    pub fn bot_seed(&self, game: u64, name: &str) -> u64 {
        named_word(self.bot, game, name)
    }

    /// The id of `game` in the protocol of the bot `name`, below 2^52.
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
            let word = self.prefix.word(place | attempt << 56);
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

/// The faces of two digits in base six, the lower digit first.
const PAIRS: [[Face; 2]; 36] = {
    let mut pairs = [[Face::ONE; 2]; 36];
    let mut value = 0;
    while value < 36 {
        pairs[value] = [Face::from_digit(value as u64 % 6), Face::from_digit(value as u64 / 6)];
        value += 1;
    }
    pairs
};

fn derive_key(label: &str, seed: &str) -> SipKey {
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
