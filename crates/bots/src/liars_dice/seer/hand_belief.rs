//! What a hand may hold, given its bids.

use dicehill_rules::Face;

use super::odds::{MOST_DICE, fair_chance};
use crate::liars_dice::plain_faces;
use crate::liars_dice::spread::Spread;

/// Something about each number of dice, 0 to 25.
type ByDice = [f64; MOST_DICE + 1];

/// The reciprocals of the factorials.
const SHARES: ByDice = {
    let mut shares = [1.0; MOST_DICE + 1];
    let mut n = 1;
    while n <= MOST_DICE {
        shares[n] = shares[n - 1] / n as f64;
        n += 1;
    }
    shares
};

/// The hidden hand of a player, of which the bids have told something.
///
/// The chance of a hand is multinomial times a likelihood for each face, which is a function of the dice
/// that count for it. Faces are tied together only by the ones and by the number of dice, so that for each
/// number of ones the others are summed up face by face: exactly, and without a list of hands.
pub(super) struct HandBelief {
    dice: usize,
    /// Of each number of counting dice, by face; `None` where nothing has been told.
    told: [Option<ByDice>; 6],
}

impl HandBelief {
    /// A fair hand.
    ///
    /// # Panics
    /// If it has more than 25 dice.
    pub(super) fn new(dice: u8) -> Self {
        assert!(usize::from(dice) <= MOST_DICE, "{dice} dice in a hand");
        Self { dice: usize::from(dice), told: [None; 6] }
    }

    /// Takes note of how likely each number of counting dice makes what was bid on the face last.
    pub(super) fn tell(&mut self, face: Face, likelihood: impl Fn(usize) -> f64) {
        let mut told = [0.0; MOST_DICE + 1];
        for (held, told) in told.iter_mut().enumerate().take(self.dice + 1) {
            *told = likelihood(held);
        }
        self.told[face.index()] = Some(told);
    }

    /// How many of the dice count for a bid on `face`.
    pub(super) fn counting(&self, face: Face) -> Spread {
        if self.told.iter().all(Option::is_none) {
            return Spread::new(self.dice as u8, fair_chance(face));
        }
        let mut weights = [0.0; MOST_DICE + 1];
        for ones in 0..=self.dice {
            let weight = self.likelihood(Face::ONE, ones) * SHARES[ones];
            let plain = self.dice - ones;
            let others = self.others(face, ones);
            if face == Face::ONE {
                weights[ones] = weight * others[plain];
                continue;
            }
            for shown in 0..=plain {
                let held = ones + shown;
                let own = self.likelihood(face, held) * SHARES[shown];
                weights[held] += weight * own * others[plain - shown];
            }
        }
        Spread::weighted(&weights[..=self.dice])
    }

    fn likelihood(&self, face: Face, held: usize) -> f64 {
        self.told[face.index()].map_or(1.0, |told| told[held])
    }

    /// The weight of each number of dice that show plain faces other than `face`, beside so many ones.
    fn others(&self, face: Face, ones: usize) -> ByDice {
        let others = plain_faces().filter(|other| *other != face);
        let (told, free): (Vec<_>, Vec<_>) =
            others.partition(|other| self.told[other.index()].is_some());
        let most = self.dice - ones;
        let mut weights = fair_weights(free.len(), most);
        for other in told {
            let own = |shown: usize| self.likelihood(other, ones + shown) * SHARES[shown];
            weights = convolved(&weights, own, most);
        }
        weights
    }
}

/// Of dice that show any of so many faces of which nothing was told.
fn fair_weights(faces: usize, most: usize) -> ByDice {
    let mut weights = [0.0; MOST_DICE + 1];
    let mut power = 1.0;
    for (dice, weight) in weights.iter_mut().enumerate().take(most + 1) {
        *weight = power * SHARES[dice];
        power *= faces as f64;
    }
    weights
}

fn convolved(weights: &ByDice, own: impl Fn(usize) -> f64, most: usize) -> ByDice {
    let mut sums = [0.0; MOST_DICE + 1];
    for shown in 0..=most {
        let own = own(shown);
        for (sum, weight) in sums[shown..=most].iter_mut().zip(weights) {
            *sum += own * weight;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use dicehill_rules::Face;
    use dicehill_rules::liars_dice::dice_that_count;

    use super::{ByDice, HandBelief};

    /// Every hand of so many dice, in every order.
    fn hands(dice: usize) -> impl Iterator<Item = Vec<Face>> {
        (0..6usize.pow(dice as u32)).map(move |number| {
            (0..dice).map(|die| Face::ALL[number / 6usize.pow(die as u32) % 6]).collect()
        })
    }

    /// The belief is that of a sum over all hands, whatever was bid.
    #[test]
    fn sums_by_face_are_those_over_all_hands() {
        let likelihood = |face: Face, held: usize| 0.2 + (held as f64) * f64::from(face.pips());
        let bids: [&[Face]; 4] = [&[], &Face::ALL[3..4], &Face::ALL[..3], &Face::ALL];
        for dice in 1..=5 {
            for told in bids {
                let mut belief = HandBelief::new(dice);
                told.iter().for_each(|face| belief.tell(*face, |held| likelihood(*face, held)));
                for face in Face::ALL {
                    let mut sums: ByDice = [0.0; 26];
                    for hand in hands(usize::from(dice)) {
                        let held = |face: Face| dice_that_count(&hand, face) as usize;
                        let weight = told.iter().map(|told| likelihood(*told, held(*told)));
                        sums[held(face)] += weight.product::<f64>();
                    }
                    let all: f64 = sums.iter().sum();
                    let spread = belief.counting(face);
                    for (found, sum) in spread.chances().iter().zip(sums) {
                        assert!((found - sum / all).abs() < 1e-12, "{dice} dice, {told:?}, {face}");
                    }
                }
            }
        }
    }
}
