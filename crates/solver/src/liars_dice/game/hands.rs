//! The hands of a player: all rolls of some dice, without their order.

use dicehill_rules::Face;

/// Numbers of hands are rounded up to this many lanes; a lane that is no hand has no chance.
pub(crate) const LANES: usize = 8;

/// All hands of so many dice.
#[derive(Clone, Debug)]
pub struct Hands {
    dice: u8,
    /// How often each face is in each hand.
    faces: Vec<[u8; 6]>,
    chances: Vec<f64>,
    /// Of each face and lane, how many dice of the hand count for a bid on that face.
    counting: [Vec<u8>; 6],
    /// Of each face and each number up to that of the dice, a row that is 1 where at least so many count.
    at_least: [Vec<f32>; 6],
}

impl Hands {
    /// The hands of `dice` dice, 1 to 9, where `wild` counts for each face.
    pub(crate) fn new(dice: u8, wild: Face) -> Self {
        let mut faces = Vec::new();
        list(dice, 0, &mut [0; 6], &mut faces);
        let chances = faces.iter().map(|hand| chance(dice, hand)).collect();
        let width = faces.len().next_multiple_of(LANES);
        let counting = std::array::from_fn(|face| {
            let mut counting: Vec<u8> =
                faces.iter().map(|hand| counting(hand, face, wild)).collect();
            counting.resize(width, 0);
            counting
        });
        let lanes = faces.len();
        let at_least = std::array::from_fn(|face| {
            let row = |number| {
                let counts = counting[face].iter().enumerate();
                counts.map(
                    move |(lane, counting)| {
                        if lane < lanes && *counting >= number { 1.0 } else { 0.0 }
                    },
                )
            };
            (0..=dice).flat_map(row).collect()
        });
        Self { dice, faces, chances, counting, at_least }
    }

    /// The hands of `dice` dice, 1 to 9, ones wild.
    #[must_use]
    pub fn of(dice: u8) -> Self {
        Self::new(dice, Face::ONE)
    }

    /// How many hands there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.faces.len()
    }

    /// How many dice each hand has.
    #[must_use]
    pub const fn dice(&self) -> u8 {
        self.dice
    }

    /// The lanes of a vector over hands.
    pub(crate) fn width(&self) -> usize {
        self.counting[0].len()
    }

    /// The chance of each hand to be rolled.
    #[must_use]
    pub fn chances(&self) -> &[f64] {
        &self.chances
    }

    /// How often each face, from one to six, is in a hand.
    ///
    /// # Panics
    /// If there are no more than `hand` hands.
    #[must_use]
    pub fn faces(&self, hand: usize) -> [u8; 6] {
        self.faces[hand]
    }

    /// The number of the hand that these dice are, in whatever order; `None` if they are more or fewer.
    #[must_use]
    pub fn find(&self, dice: &[Face]) -> Option<usize> {
        let mut counts = [0; 6];
        dice.iter().for_each(|die| counts[die.index()] += 1);
        self.faces.iter().position(|hand| *hand == counts)
    }

    /// Of each lane, how many dice count for a bid on the face at this place.
    #[inline(always)]
    pub(crate) fn counting(&self, face: usize) -> &[u8] {
        &self.counting[face]
    }

    /// 1 for each hand with at least `number` dice, at most its own, that count for a bid on the face at this place.
    #[inline(always)]
    pub(crate) fn at_least(&self, face: usize, number: usize) -> &[f32] {
        let width = self.width();
        &self.at_least[face][number * width..][..width]
    }
}

/// Hands with many low faces first.
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

fn counting(hand: &[u8; 6], face: usize, wild: Face) -> u8 {
    if face == wild.index() { hand[face] } else { hand[face] + hand[wild.index()] }
}

/// The share of the 6^dice rolls that are this hand.
fn chance(dice: u8, hand: &[u8; 6]) -> f64 {
    let factorial = |number: u8| (1..=u64::from(number)).product::<u64>();
    let orders = hand.iter().fold(factorial(dice), |orders, count| orders / factorial(*count));
    orders as f64 / 6u64.pow(dice.into()) as f64
}
