//! What a hand may hold, given its bids.

use std::cell::OnceCell;
use std::sync::LazyLock;

use dicehill_rules::Face;

use super::evidence::ByDice;
use super::odds::{MOST_DICE, fair_spread};
use crate::liars_dice::plain_faces;
use crate::liars_dice::spread::Spread;

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

/// Of hands of 0 to 25 dice, by how many of them count for one plain face: how many count for another. Half of
/// the first are ones, and of the rest every fourth shows the other face.
static RELATED: LazyLock<Vec<Vec<Spread>>> = LazyLock::new(|| {
    let related = |dice: u8, held: u8| {
        let mut spread = Spread::new(held, 0.5);
        spread.add(&Spread::new(dice - held, 0.25));
        spread
    };
    let of_dice = |dice| (0..=dice).map(|held| related(dice, held)).collect();
    (0..=MOST_DICE as u8).map(of_dice).collect()
});

/// The hidden hand of a player, of which the bids have told something.
///
/// The chance of a hand is multinomial times a likelihood for each face, which is a function of the dice
/// that count for it. Faces are tied together only by the ones and by the number of dice, so that for each
/// number of ones the others are summed up face by face: exactly, and without a list of hands.
pub(super) struct HandBelief {
    dice: usize,
    /// How likely each number of counting dice makes what was told, of each face of which something was.
    told: Vec<(Face, ByDice)>,
    /// How many count for any plain face of which nothing was told.
    free: OnceCell<Spread>,
}

impl HandBelief {
    /// A fair hand.
    ///
    /// # Panics
    /// If it has more than 25 dice.
    pub(super) fn new(dice: u8) -> Self {
        assert!(usize::from(dice) <= MOST_DICE, "{dice} dice in a hand");
        Self { dice: usize::from(dice), told: Vec::new(), free: OnceCell::new() }
    }

    /// Takes note of how likely each number of counting dice makes what was bid on the face last; once for each face.
    pub(super) fn tell(&mut self, face: Face, likelihoods: ByDice) {
        self.told.push((face, likelihoods));
    }

    /// Whether something was told of the face.
    pub(super) fn is_told(&self, face: Face) -> bool {
        self.of(face).is_some()
    }

    fn of(&self, face: Face) -> Option<&ByDice> {
        self.told.iter().find(|(of, _)| *of == face).map(|(_, told)| told)
    }

    /// Its dice, if nothing was told of it.
    pub(super) fn fair_dice(&self) -> Option<usize> {
        self.told.is_empty().then_some(self.dice)
    }

    /// How many of the dice count for a bid on `face`.
    pub(super) fn counting(&self, face: Face) -> Spread {
        if face == Face::ONE || self.is_told(face) {
            return self.spread(face);
        }
        self.free.get_or_init(|| self.spread(face)).clone()
    }

    /// The same, by the cheapest way.
    fn spread(&self, face: Face) -> Spread {
        match self.told.as_slice() {
            [] => fair_spread(self.dice, face).clone(),
            [(told, _)] if *told == face => self.weighed(face),
            [(told, _)] if *told != Face::ONE && face != Face::ONE => self.related(*told),
            [_, ..] => self.spread_of_many(face),
        }
    }

    /// How many count for a face, if that alone was told.
    fn weighed(&self, face: Face) -> Spread {
        let mut weights = [0.0; MOST_DICE + 1];
        let fair = fair_spread(self.dice, face).chances();
        for (held, (weight, fair)) in weights.iter_mut().zip(fair).enumerate() {
            *weight = fair * self.likelihood(face, held);
        }
        Spread::weighted(&weights[..=self.dice])
    }

    /// How many count for a plain face, if another plain one alone was told.
    fn related(&self, told: Face) -> Spread {
        let mut weights = [0.0; MOST_DICE + 1];
        for (held, chance) in self.weighed(told).chances().iter().enumerate() {
            let related = RELATED[self.dice][held].chances();
            weights.iter_mut().zip(related).for_each(|(sum, of)| *sum += chance * of);
        }
        Spread::weighted(&weights[..=self.dice])
    }

    /// Whatever was told.
    fn spread_of_many(&self, face: Face) -> Spread {
        let mut weights = [0.0; MOST_DICE + 1];
        let own = self.of(face);
        for (ones, share) in SHARES.iter().enumerate().take(self.dice + 1) {
            let weight = self.likelihood(Face::ONE, ones) * share;
            let plain = self.dice - ones;
            let others = self.others(face, ones);
            if face == Face::ONE {
                weights[ones] = weight * others[plain];
                continue;
            }
            for (shown, share) in SHARES.iter().enumerate().take(plain + 1) {
                let held = ones + shown;
                let own = own.map_or(1.0, |own| own[held]) * share;
                weights[held] += weight * own * others[plain - shown];
            }
        }
        Spread::weighted(&weights[..=self.dice])
    }

    fn likelihood(&self, face: Face, held: usize) -> f64 {
        self.of(face).map_or(1.0, |told| told[held])
    }

    /// The weight of each number of dice that show plain faces other than `face`, beside so many ones.
    fn others(&self, face: Face, ones: usize) -> ByDice {
        let told = || self.told.iter().filter(|(of, _)| *of != face && *of != Face::ONE);
        let most = self.dice - ones;
        let others = plain_faces().filter(|other| *other != face).count();
        let mut weights = fair_weights(others - told().count(), most);
        for (_, told) in told() {
            let own = |shown: usize| told[ones + shown] * SHARES[shown];
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
        let bids: [&[Face]; 6] =
            [&[], &Face::ALL[3..4], &Face::ALL[..1], &Face::ALL[1..3], &Face::ALL[..3], &Face::ALL];
        for dice in 1..=5 {
            for told in bids {
                let mut belief = HandBelief::new(dice);
                let tell = |face: &Face| {
                    belief.tell(*face, std::array::from_fn(|held| likelihood(*face, held)));
                };
                told.iter().for_each(tell);
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
