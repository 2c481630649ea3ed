//! The hands of a player: all rolls of some dice, regardless of order.

use dicehill_rules::Face;

/// Vectors over hands are padded to a multiple of this many lanes; padding lanes have probability
/// 0.
pub(crate) const LANES: usize = 8;

/// All hands of some number of dice.
#[derive(Clone, Debug)]
pub struct Hands {
    dice: u8,
    /// By hand: the number of dice with each face.
    faces: Vec<[u8; 6]>,
    chances: Vec<f64>,
    /// By face and lane: the number of dice that match a bid on the face.
    matching: [Vec<u8>; 6],
    /// By face and number of dice: a row with 1 for each hand that has at least that many matching
    /// dice.
    at_least: [Vec<f32>; 6],
}

impl Hands {
    /// The hands of `dice` dice, 1 to 9, where the face `wild` matches every bid.
    pub(crate) fn with_wild(dice: u8, wild: Face) -> Self {
        let mut faces = Vec::new();
        list(dice, 0, &mut [0; 6], &mut faces);
        let chances = faces.iter().map(|hand| chance(dice, hand)).collect();
        let width = faces.len().next_multiple_of(LANES);
        let matching = std::array::from_fn(|face| {
            let mut matching: Vec<u8> =
                faces.iter().map(|hand| matching(hand, face, wild)).collect();
            matching.resize(width, 0);
            matching
        });
        let lanes = faces.len();
        let at_least = std::array::from_fn(|face| {
            let row = |number| {
                let counts = matching[face].iter().enumerate();
                counts.map(
                    move |(lane, matching)| {
                        if lane < lanes && *matching >= number { 1.0 } else { 0.0 }
                    },
                )
            };
            (0..=dice).flat_map(row).collect()
        });
        Self { dice, faces, chances, matching, at_least }
    }

    /// The hands of `dice` dice, 1 to 9, with wild ones.
    #[must_use]
    pub fn new(dice: u8) -> Self {
        Self::with_wild(dice, Face::ONE)
    }

    /// The number of hands.
    #[must_use]
    pub fn count(&self) -> usize {
        self.faces.len()
    }

    /// The number of dice in each hand.
    #[must_use]
    pub const fn dice(&self) -> u8 {
        self.dice
    }

    /// The number of lanes of a vector over hands.
    pub(crate) fn width(&self) -> usize {
        self.matching[0].len()
    }

    /// The probability of each hand.
    #[must_use]
    pub fn chances(&self) -> &[f64] {
        &self.chances
    }

    /// The number of dice with each face, ones first.
    ///
    /// # Panics
    /// If `hand` is not below [`Hands::count`].
    #[must_use]
    pub fn faces(&self, hand: usize) -> [u8; 6] {
        self.faces[hand]
    }

    /// The index of the hand with these dice in any order; `None` if their number is wrong.
    #[must_use]
    pub fn find(&self, dice: &[Face]) -> Option<usize> {
        let mut counts = [0; 6];
        dice.iter().for_each(|die| counts[die.index()] += 1);
        self.faces.iter().position(|hand| *hand == counts)
    }

    /// By lane: the number of dice that match a bid on the face with this index.
    #[inline(always)]
    pub(crate) fn matching(&self, face: usize) -> &[u8] {
        &self.matching[face]
    }

    /// By lane: 1 for each hand with at least `number` dice that match a bid on the face with this
    /// index, else 0. `number` is at most the number of dice.
    #[inline(always)]
    pub(crate) fn at_least(&self, face: usize, number: usize) -> &[f32] {
        let width = self.width();
        &self.at_least[face][number * width..][..width]
    }
}

/// Lists hands with many low faces first.
fn list(left: u8, face: usize, hand: &mut [u8; 6], hands: &mut Vec<[u8; 6]>) {
    if face == 5 {
        hand[5] = left;
        hands.push(*hand);
        return;
    }
    for count in (0..=left).rev() {
        hand[face] = count;
        list(left - count, face + 1, hand, hands);
    }
}

fn matching(hand: &[u8; 6], face: usize, wild: Face) -> u8 {
    if face == wild.index() { hand[face] } else { hand[face] + hand[wild.index()] }
}

/// The share of the 6^dice ordered rolls that are this hand.
fn chance(dice: u8, hand: &[u8; 6]) -> f64 {
    let factorial = |number: u8| (1..=u64::from(number)).product::<u64>();
    let permutations =
        hand.iter().fold(factorial(dice), |permutations, count| permutations / factorial(*count));
    permutations as f64 / 6u64.pow(dice.into()) as f64
}
