//! Dice without their order, and how hands grow and shrink by one die.

use std::array;
use std::fmt;
use std::sync::LazyLock;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Keep, Roll};

/// Hands of up to five dice.
pub(super) const HANDS: usize = 462;
/// Hands of up to four dice: the keeps that leave something to roll.
pub(super) const PARTIAL: usize = 210;
/// Hands of five dice.
pub(super) const ROLLS: usize = HANDS - PARTIAL;
/// Hands of up to three dice.
pub(super) const UP_TO_THREE: usize = 84;

/// Up to five dice without their order.
///
/// There are 462 such hands. Smaller ones come first: the empty one has index 0, those of five dice are
/// the last 252.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand(u16);

impl Hand {
    /// No dice.
    pub const EMPTY: Self = Self(0);

    /// The hand of these dice, or `None` if there are more than five.
    #[must_use]
    pub fn of(dice: impl IntoIterator<Item = Face>) -> Option<Self> {
        dice.into_iter().try_fold(Self::EMPTY, Self::with)
    }

    /// The hand of a roll.
    #[must_use]
    pub fn of_roll(roll: &Roll) -> Self {
        let grown = &TABLES.grown;
        Self(roll.iter().fold(0, |hand, die| grown[usize::from(hand)][die.index()]))
    }

    /// The hand with one more die, or `None` if it has five.
    #[must_use]
    pub fn with(self, die: Face) -> Option<Self> {
        TABLES.grown.get(self.index()).map(|grown| Self(grown[die.index()]))
    }

    /// The hands without one die, once for each face that is shown, aces first.
    pub fn smaller(self) -> impl Iterator<Item = Self> + Clone {
        let partial = |part: &u8| Self(u16::from(*part));
        TABLES.smaller[self.index()].iter().map(partial)
    }

    /// The dice of a roll that make this hand, of equal ones the first; `None` if they are not all there.
    #[must_use]
    pub fn keep_from(self, roll: &Roll) -> Option<Keep> {
        let mut missing = Face::ALL.map(|face| self.count(face));
        let keep = Keep::filter(roll, |face| {
            let wanted = missing[face.index()] > 0;
            missing[face.index()] -= u8::from(wanted);
            wanted
        });
        (missing == [0; 6]).then_some(keep)
    }

    /// The hand that a keep leaves of a roll.
    #[must_use]
    pub fn kept(keep: Keep, roll: &Roll) -> Self {
        let grown = &TABLES.grown;
        Self(keep.indexes().fold(0, |hand, index| grown[usize::from(hand)][roll[index].index()]))
    }

    /// All 462, in the order of their indexes.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..HANDS as u16).map(Self)
    }

    /// The 252 of five dice.
    pub fn rolls() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (PARTIAL as u16..HANDS as u16).map(Self)
    }

    /// The place among all hands, below 462.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The place among the hands of five dice, below 252; `None` if there are fewer dice.
    #[must_use]
    pub const fn roll_index(self) -> Option<usize> {
        self.index().checked_sub(PARTIAL)
    }

    /// How many dice show `face`, 0 to 5.
    #[must_use]
    pub fn count(self, face: Face) -> u8 {
        TABLES.counts[self.index()][face.index()]
    }

    /// How many dice there are, 0 to 5.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a hand is no collection")]
    pub fn len(self) -> usize {
        TABLES.counts[self.index()].iter().copied().map(usize::from).sum()
    }

    /// The dice, ascending.
    pub fn dice(self) -> impl Iterator<Item = Face> + Clone {
        Face::ALL.into_iter().flat_map(move |face| (0..self.count(face)).map(move |_| face))
    }

    /// The dice of a hand of five, ascending.
    #[must_use]
    pub fn roll(self) -> Option<Roll> {
        let mut dice = self.dice();
        let roll = [dice.next()?, dice.next()?, dice.next()?, dice.next()?, dice.next()?];
        Some(roll)
    }

    /// The probability of a hand of five among all rolls of five dice, in 7776ths; 0 for fewer dice.
    #[must_use]
    pub fn ways(self) -> u16 {
        self.roll_index().map_or(0, |roll| TABLES.ways[roll])
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.dice().map(|die| char::from(b'0' + die.pips())).collect();
        f.pad(if text.is_empty() { "-" } else { &text })
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A hand and the hands that it is without a die of each of its `D` faces.
pub(super) struct Shrunk<const D: usize> {
    pub(super) hand: u8,
    pub(super) smaller: [u8; D],
}

/// Hands that shrink to others, by the number of different faces that they show.
#[derive(Default)]
pub(super) struct Shrinking {
    pub(super) one: Vec<Shrunk<1>>,
    pub(super) two: Vec<Shrunk<2>>,
    pub(super) three: Vec<Shrunk<3>>,
    pub(super) four: Vec<Shrunk<4>>,
    pub(super) five: Vec<Shrunk<5>>,
}

/// How hands grow and shrink, by index. In tables of bytes, hands of five dice have their place among rolls.
pub(super) struct Tables {
    /// Of every partial hand, the hand with one more die of each face.
    grown: [[u16; 6]; PARTIAL],
    /// Of hands of up to three dice.
    pub(super) grown_partial: [[u8; 6]; UP_TO_THREE],
    /// Of hands of four dice.
    pub(super) grown_rolls: [[u8; 6]; PARTIAL - UP_TO_THREE],
    /// Hands of one to four dice, by size.
    pub(super) shrinking: [Shrinking; 4],
    pub(super) shrinking_rolls: Shrinking,
    /// Of every partial hand the rolls that it may become, and how likely each is.
    pub(super) completions: Vec<Vec<(u8, f64)>>,
    /// Of every hand.
    smaller: Vec<Vec<u8>>,
    counts: [[u8; 6]; HANDS],
    pub(super) ways: [u16; ROLLS],
}

pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

impl Tables {
    fn new() -> Self {
        let codes = codes();
        let find = |code: u32| codes.binary_search(&code).expect("another hand") as u16;
        let byte = |hand: u16| {
            (if usize::from(hand) < PARTIAL { hand } else { hand - PARTIAL as u16 }) as u8
        };
        let grown: [[u16; 6]; PARTIAL] = array::from_fn(|hand| grow(codes[hand]).map(find));
        let counts: [[u8; 6]; HANDS] = array::from_fn(|hand| counts(codes[hand]));
        let smaller_of = |code: &u32| shrink(*code).map(|code| byte(find(code))).collect();
        let smaller: Vec<Vec<u8>> = codes.iter().map(smaller_of).collect();
        let mut shrinking: [Shrinking; 5] = Default::default();
        for (hand, code) in codes.iter().enumerate().skip(1) {
            let size = (code >> 24) as usize;
            shrinking[size - 1].add(byte(hand as u16), &smaller[hand]);
        }
        let [a, b, c, d, rolls] = shrinking;
        Self {
            grown_partial: array::from_fn(|hand| grown[hand].map(byte)),
            grown_rolls: array::from_fn(|hand| grown[UP_TO_THREE + hand].map(byte)),
            shrinking: [a, b, c, d],
            shrinking_rolls: rolls,
            completions: completions(&grown),
            grown,
            smaller,
            ways: array::from_fn(|roll| ways(&counts[PARTIAL + roll])),
            counts,
        }
    }
}

impl Shrinking {
    fn add(&mut self, hand: u8, smaller: &[u8]) {
        match *smaller {
            [a] => self.one.push(Shrunk { hand, smaller: [a] }),
            [a, b] => self.two.push(Shrunk { hand, smaller: [a, b] }),
            [a, b, c] => self.three.push(Shrunk { hand, smaller: [a, b, c] }),
            [a, b, c, d] => self.four.push(Shrunk { hand, smaller: [a, b, c, d] }),
            [a, b, c, d, e] => self.five.push(Shrunk { hand, smaller: [a, b, c, d, e] }),
            _ => unreachable!("up to five dice show one to five faces"),
        }
    }
}

fn completions(grown: &[[u16; 6]; PARTIAL]) -> Vec<Vec<(u8, f64)>> {
    let mut shares = vec![[0.0; ROLLS]; HANDS];
    for roll in 0..ROLLS {
        shares[PARTIAL + roll][roll] = 1.0;
    }
    for hand in (0..PARTIAL).rev() {
        let larger = grown[hand].map(usize::from);
        shares[hand] =
            array::from_fn(|roll| larger.iter().map(|hand| shares[*hand][roll]).sum::<f64>() / 6.0);
    }
    let possible = |shares: &[f64; ROLLS]| {
        (0..)
            .zip(shares)
            .filter(|(_, share)| **share > 0.0)
            .map(|(roll, share)| (roll, *share))
            .collect()
    };
    shares[..PARTIAL].iter().map(possible).collect()
}

/// The codes of all hands, ascending.
///
/// A code has four bits for each face, aces lowest, that count its dice, and above them the number
/// of all dice, which puts smaller hands first.
fn codes() -> Vec<u32> {
    let mut codes = vec![0];
    let mut smaller = 0;
    for _ in 0..5 {
        let mut larger: Vec<_> = codes[smaller..].iter().flat_map(|code| grow(*code)).collect();
        larger.sort_unstable();
        larger.dedup();
        smaller = codes.len();
        codes.append(&mut larger);
    }
    codes
}

const fn one_more(face: Face) -> u32 {
    (1 << 24) + (1 << (4 * face.index()))
}

/// The codes with one more die of each face.
fn grow(code: u32) -> [u32; 6] {
    Face::ALL.map(|face| code + one_more(face))
}

/// The codes without a die of each face that is shown, aces first.
fn shrink(code: u32) -> impl Iterator<Item = u32> {
    Face::ALL
        .into_iter()
        .zip(counts(code))
        .filter(|(_, count)| *count > 0)
        .map(move |(face, _)| code - one_more(face))
}

fn counts(code: u32) -> [u8; 6] {
    array::from_fn(|face| (code >> (4 * face) & 0xf) as u8)
}

/// Ways of five dice to show so many of each face.
fn ways(counts: &[u8; 6]) -> u16 {
    let factorial = |count: u8| (1..=u16::from(count)).product::<u16>();
    120 / counts.iter().map(|count| factorial(*count)).product::<u16>()
}
