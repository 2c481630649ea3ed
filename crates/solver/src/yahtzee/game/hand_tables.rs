//! Tables of the hands with one die more or less.

use std::array;
use std::sync::LazyLock;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::Roll;

/// The number of hands of up to five dice.
pub(crate) const HANDS: usize = 462;

/// The number of hands of up to four dice, the keeps after which dice are rolled.
pub(crate) const PARTIAL: usize = 210;

/// The number of hands of five dice.
pub(crate) const ROLLS: usize = HANDS - PARTIAL;

/// The number of hands of up to three dice.
pub(crate) const UP_TO_THREE: usize = 84;

/// A hand with `D` different faces, and the hands without one die of each.
pub(crate) struct HandParts<const D: usize> {
    pub(crate) hand: u8,
    pub(crate) smaller: [u8; D],
}

/// Hands by their number of different faces.
#[derive(Default)]
pub(crate) struct HandsByFaces {
    pub(crate) one: Vec<HandParts<1>>,
    pub(crate) two: Vec<HandParts<2>>,
    pub(crate) three: Vec<HandParts<3>>,
    pub(crate) four: Vec<HandParts<4>>,
    pub(crate) five: Vec<HandParts<5>>,
}

/// Hands with one die more or less, by index. Tables of bytes index hands of five dice among rolls.
pub(crate) struct HandTables {
    /// By partial hand: the hands with one more die of each face.
    pub(crate) grown: [[u16; 6]; PARTIAL],
    /// The same for hands of up to three dice.
    pub(crate) grown_partial: [[u8; 6]; UP_TO_THREE],
    /// The same for hands of four dice.
    pub(crate) grown_rolls: [[u8; 6]; PARTIAL - UP_TO_THREE],
    /// By size: hands of one to four dice.
    pub(crate) partial_by_faces: [HandsByFaces; 4],
    pub(crate) rolls_by_faces: HandsByFaces,
    /// By partial hand: the rolls that it can become, with their probabilities.
    pub(crate) completions: Vec<Vec<(u8, f64)>>,
    /// By roll: the partial hands in it, one for each choice of its dice.
    pub(crate) parts: Vec<Vec<u8>>,
    /// By hand: the hands with one die less.
    pub(crate) smaller: Vec<Vec<u8>>,
    pub(crate) counts: [[u8; 6]; HANDS],
    pub(crate) ways: [u16; ROLLS],
    /// By roll: its dice, ascending.
    pub(crate) dice: [Roll; ROLLS],
}

pub(crate) static TABLES: LazyLock<HandTables> = LazyLock::new(HandTables::new);

impl HandTables {
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
        let mut partial_by_faces: [HandsByFaces; 5] = Default::default();
        for (hand, code) in codes.iter().enumerate().skip(1) {
            let size = (code >> 24) as usize;
            partial_by_faces[size - 1].add(byte(hand as u16), &smaller[hand]);
        }
        let [a, b, c, d, rolls] = partial_by_faces;
        Self {
            grown_partial: array::from_fn(|hand| grown[hand].map(byte)),
            grown_rolls: array::from_fn(|hand| grown[UP_TO_THREE + hand].map(byte)),
            partial_by_faces: [a, b, c, d],
            rolls_by_faces: rolls,
            completions: completions(&grown),
            parts: (PARTIAL..HANDS).map(|roll| parts(roll, &counts)).collect(),
            grown,
            smaller,
            ways: array::from_fn(|roll| ways(&counts[PARTIAL + roll])),
            dice: array::from_fn(|roll| dice(&counts[PARTIAL + roll])),
            counts,
        }
    }
}

impl HandsByFaces {
    fn add(&mut self, hand: u8, smaller: &[u8]) {
        match *smaller {
            [a] => self.one.push(HandParts { hand, smaller: [a] }),
            [a, b] => self.two.push(HandParts { hand, smaller: [a, b] }),
            [a, b, c] => self.three.push(HandParts { hand, smaller: [a, b, c] }),
            [a, b, c, d] => self.four.push(HandParts { hand, smaller: [a, b, c, d] }),
            [a, b, c, d, e] => self.five.push(HandParts { hand, smaller: [a, b, c, d, e] }),
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

fn parts(roll: usize, counts: &[[u8; 6]; HANDS]) -> Vec<u8> {
    let is_part = |hand: &usize| counts[*hand].iter().zip(counts[roll]).all(|(a, b)| *a <= b);
    (0..PARTIAL).filter(is_part).map(|hand| hand as u8).collect()
}

/// The codes of all hands, ascending.
///
/// A code has four bits for each face, aces lowest, that count its dice, and above them the number
/// of all dice, so that smaller hands come first.
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

/// The codes without one die of each face in the hand, aces first.
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

/// The dice with these counts of faces, five in total.
fn dice(counts: &[u8; 6]) -> Roll {
    let mut dice =
        Face::ALL.into_iter().zip(counts).flat_map(|(face, count)| (0..*count).map(move |_| face));
    array::from_fn(|_| dice.next().expect("five dice"))
}

/// The number of ordered rolls with these counts of faces.
fn ways(counts: &[u8; 6]) -> u16 {
    let factorial = |count: u8| (1..=u16::from(count)).product::<u16>();
    120 / counts.iter().map(|count| factorial(*count)).product::<u16>()
}
