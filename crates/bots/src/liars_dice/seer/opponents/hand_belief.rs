//! The posterior distribution of a hidden hand, given its player's bids.

use std::cell::OnceCell;
use std::sync::LazyLock;

use dicehill_rules::Face;

use crate::liars_dice::actions::non_wild_faces;
use crate::liars_dice::count_distribution::{ByDice, CountDistribution, MAX_DICE};
use crate::liars_dice::fair_dice::fair_distribution;

/// 1 / n! for n from 0 to 25.
const INVERSE_FACTORIALS: ByDice = {
    let mut inverses = [1.0; MAX_DICE + 1];
    let mut n = 1;
    while n <= MAX_DICE {
        inverses[n] = inverses[n - 1] / n as f64;
        n += 1;
    }
    inverses
};

/// How many dice of a hand count for one non-wild face, by the number of its dice (0 to 25) and by how many of them count for
/// another: each of those is a one with probability 1/2, and each other die shows the face with probability 1/4.
static CONDITIONAL: LazyLock<Vec<Vec<CountDistribution>>> = LazyLock::new(|| {
    let conditional = |dice: u8, held: u8| {
        let mut distribution = CountDistribution::new(held, 0.5);
        distribution.add(&CountDistribution::new(dice - held, 0.25));
        distribution
    };
    let of_dice = |dice| (0..=dice).map(|held| conditional(dice, held)).collect();
    (0..=MAX_DICE as u8).map(of_dice).collect()
});

/// The belief about a player's hidden hand.
///
/// The probability of a hand is multinomial, times a likelihood for each face that the player has bid on, which is a function of the
/// dice that count for the face. Faces depend on each other only through the ones and the total number of dice. So for each number
/// of ones, the sum over hands factorises by face: it is exact and needs no list of hands.
pub(crate) struct HandBelief {
    dice: usize,
    /// The likelihood of the bids on a face by the number of dice that count for it, for each face with a bid.
    observed: Vec<(Face, ByDice)>,
    /// The dice that count for any non-wild face without a bid, computed once.
    unobserved: OnceCell<CountDistribution>,
}

impl HandBelief {
    /// The belief about a fair hand.
    ///
    /// # Panics
    /// If there are more than 25 dice.
    pub(crate) fn new(dice: u8) -> Self {
        assert!(usize::from(dice) <= MAX_DICE, "{dice} dice in a hand");
        Self { dice: usize::from(dice), observed: Vec::new(), unobserved: OnceCell::new() }
    }

    /// Adds the likelihood of the player's last bid on `face` by the number of dice that count for it. To be called at most once for
    /// each face.
    pub(crate) fn observe(&mut self, face: Face, likelihoods: ByDice) {
        self.observed.push((face, likelihoods));
    }

    /// Whether there was a bid on the face.
    pub(crate) fn is_observed(&self, face: Face) -> bool {
        self.likelihoods(face).is_some()
    }

    fn likelihoods(&self, face: Face) -> Option<&ByDice> {
        self.observed.iter().find(|(of, _)| *of == face).map(|(_, likelihoods)| likelihoods)
    }

    /// The number of dice, if the player has made no bid.
    pub(crate) fn fair_dice(&self) -> Option<usize> {
        self.observed.is_empty().then_some(self.dice)
    }

    /// The distribution of the number of dice that count for a bid on `face`.
    pub(crate) fn counting(&self, face: Face) -> CountDistribution {
        if face == Face::ONE || self.is_observed(face) {
            return self.distribution(face);
        }
        self.unobserved.get_or_init(|| self.distribution(face)).clone()
    }

    /// The same, by the cheapest formula that is exact.
    fn distribution(&self, face: Face) -> CountDistribution {
        match self.observed.as_slice() {
            [] => fair_distribution(self.dice, face).clone(),
            [(observed, _)] if *observed == face => self.reweighted(face),
            [(observed, _)] if *observed != Face::ONE && face != Face::ONE => {
                self.conditional(*observed)
            }
            [_, ..] => self.summed(face),
        }
    }

    /// The distribution for the only face with a bid.
    fn reweighted(&self, face: Face) -> CountDistribution {
        let mut weights = [0.0; MAX_DICE + 1];
        let fair = fair_distribution(self.dice, face).chances();
        for (held, (weight, fair)) in weights.iter_mut().zip(fair).enumerate() {
            *weight = fair * self.likelihood(face, held);
        }
        CountDistribution::weighted(&weights[..=self.dice])
    }

    /// The distribution for a non-wild face, where only another non-wild face has a bid.
    fn conditional(&self, observed: Face) -> CountDistribution {
        let mut weights = [0.0; MAX_DICE + 1];
        for (held, chance) in self.reweighted(observed).chances().iter().enumerate() {
            let conditional = CONDITIONAL[self.dice][held].chances();
            weights.iter_mut().zip(conditional).for_each(|(sum, of)| *sum += chance * of);
        }
        CountDistribution::weighted(&weights[..=self.dice])
    }

    /// The distribution for any face, whichever faces have bids.
    fn summed(&self, face: Face) -> CountDistribution {
        let mut weights = [0.0; MAX_DICE + 1];
        let own = self.likelihoods(face);
        for (ones, inverse) in INVERSE_FACTORIALS.iter().enumerate().take(self.dice + 1) {
            let weight = self.likelihood(Face::ONE, ones) * inverse;
            let non_wild = self.dice - ones;
            let others = self.others(face, ones);
            if face == Face::ONE {
                weights[ones] = weight * others[non_wild];
                continue;
            }
            for (shown, inverse) in INVERSE_FACTORIALS.iter().enumerate().take(non_wild + 1) {
                let held = ones + shown;
                let own = own.map_or(1.0, |own| own[held]) * inverse;
                weights[held] += weight * own * others[non_wild - shown];
            }
        }
        CountDistribution::weighted(&weights[..=self.dice])
    }

    fn likelihood(&self, face: Face, held: usize) -> f64 {
        self.likelihoods(face).map_or(1.0, |likelihoods| likelihoods[held])
    }

    /// The weight of each number of dice that show non-wild faces other than `face`, in a hand with `ones` ones.
    fn others(&self, face: Face, ones: usize) -> ByDice {
        let observed = || self.observed.iter().filter(|(of, _)| *of != face && *of != Face::ONE);
        let most = self.dice - ones;
        let others = non_wild_faces().filter(|other| *other != face).count();
        let mut weights = fair_weights(others - observed().count(), most);
        for (_, likelihoods) in observed() {
            let own = |shown: usize| likelihoods[ones + shown] * INVERSE_FACTORIALS[shown];
            weights = convolved(&weights, own, most);
        }
        weights
    }
}

/// The weights of dice that show any of `faces` faces without bids.
fn fair_weights(faces: usize, most: usize) -> ByDice {
    let mut weights = [0.0; MAX_DICE + 1];
    let mut power = 1.0;
    for (dice, weight) in weights.iter_mut().enumerate().take(most + 1) {
        *weight = power * INVERSE_FACTORIALS[dice];
        power *= faces as f64;
    }
    weights
}

fn convolved(weights: &ByDice, own: impl Fn(usize) -> f64, most: usize) -> ByDice {
    let mut sums = [0.0; MAX_DICE + 1];
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

    /// All hands of `dice` dice, in every order.
    fn hands(dice: usize) -> impl Iterator<Item = Vec<Face>> {
        (0..6usize.pow(dice as u32)).map(move |number| {
            (0..dice).map(|die| Face::ALL[number / 6usize.pow(die as u32) % 6]).collect()
        })
    }

    /// Compares every formula with the sum over all hands.
    #[test]
    fn beliefs_are_those_of_a_sum_over_all_hands() {
        let likelihood = |face: Face, held: usize| 0.2 + (held as f64) * f64::from(face.pips());
        let bids: [&[Face]; 6] =
            [&[], &Face::ALL[3..4], &Face::ALL[..1], &Face::ALL[1..3], &Face::ALL[..3], &Face::ALL];
        for dice in 1..=5 {
            for observed in bids {
                let mut belief = HandBelief::new(dice);
                let observe = |face: &Face| {
                    belief.observe(*face, std::array::from_fn(|held| likelihood(*face, held)));
                };
                observed.iter().for_each(observe);
                for face in Face::ALL {
                    let mut sums: ByDice = [0.0; 26];
                    for hand in hands(usize::from(dice)) {
                        let held = |face: Face| dice_that_count(&hand, face) as usize;
                        let weight = observed.iter().map(|face| likelihood(*face, held(*face)));
                        sums[held(face)] += weight.product::<f64>();
                    }
                    let all: f64 = sums.iter().sum();
                    let distribution = belief.counting(face);
                    for (found, sum) in distribution.chances().iter().zip(sums) {
                        assert!(
                            (found - sum / all).abs() < 1e-12,
                            "{dice} dice, {observed:?}, {face}"
                        );
                    }
                }
            }
        }
    }
}
