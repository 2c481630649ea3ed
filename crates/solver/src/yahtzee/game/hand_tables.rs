//! How hands grow and shrink by one die.

use std::array;
use std::sync::LazyLock;

use dicehill_rules::Face;

/// Hands of up to five dice.
pub(crate) const HANDS: usize = 462;

/// Hands of up to four dice: the keeps that leave something to roll.
pub(crate) const PARTIAL: usize = 210;

/// Hands of five dice.
pub(crate) const ROLLS: usize = HANDS - PARTIAL;

/// Hands of up to three dice.
pub(crate) const UP_TO_THREE: usize = 84;

/// A hand and the hands that it is without a die of each of its `D` faces.
pub(crate) struct Shrunk<const D: usize> {
    pub(crate) hand: u8,
    pub(crate) smaller: [u8; D],
}

/// Hands that shrink to others, by the number of different faces that they show.
#[derive(Default)]
pub(crate) struct Shrinking {
    pub(crate) one: Vec<Shrunk<1>>,
    pub(crate) two: Vec<Shrunk<2>>,
    pub(crate) three: Vec<Shrunk<3>>,
    pub(crate) four: Vec<Shrunk<4>>,
    pub(crate) five: Vec<Shrunk<5>>,
}

/// How hands grow and shrink, by index. In tables of bytes, hands of five dice have their place among rolls.
pub(crate) struct Tables {
    /// Of every partial hand, the hand with one more die of each face.
    pub(crate) grown: [[u16; 6]; PARTIAL],
    /// Of hands of up to three dice.
    pub(crate) grown_partial: [[u8; 6]; UP_TO_THREE],
    /// Of hands of four dice.
    pub(crate) grown_rolls: [[u8; 6]; PARTIAL - UP_TO_THREE],
    /// Hands of one to four dice, by size.
    pub(crate) shrinking: [Shrinking; 4],
    pub(crate) shrinking_rolls: Shrinking,
    /// Of every partial hand the rolls that it may become, and how likely each is.
    pub(crate) completions: Vec<Vec<(u8, f64)>>,
    /// Of every hand.
    pub(crate) smaller: Vec<Vec<u8>>,
    pub(crate) counts: [[u8; 6]; HANDS],
    pub(crate) ways: [u16; ROLLS],
}

pub(crate) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

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
