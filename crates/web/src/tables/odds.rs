//! Exact chances that bids hold.

use std::fmt;

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Bid, dice_that_count};

/// A chance as a fraction in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Odds {
    ways: u64,
    all: u64,
}

impl Odds {
    /// The chance that a bid holds for a player with the dice `own`, if the `hidden` dice of others, at most 24, are fair
    /// and independent.
    ///
    /// Each hidden die counts with chance 1/3, or 1/6 if ones are bid, so that their number is binomial.
    pub(crate) fn that_holds(bid: Bid, own: &[Face], hidden: u32) -> Self {
        let sides: u64 = if bid.face() == Face::ONE { 6 } else { 3 };
        let missing = bid.count().saturating_sub(dice_that_count(own, bid.face()));
        let ways = |hits| choose(hidden, hits) * (sides - 1).pow(hidden - hits);
        Self::new((missing..=hidden).map(ways).sum(), sides.pow(hidden))
    }

    /// The chance that the bid does not hold.
    pub(crate) const fn against(self) -> Self {
        Self { ways: self.all - self.ways, all: self.all }
    }

    /// The chance, from 0 to 1.
    pub(crate) fn chance(self) -> f64 {
        self.ways as f64 / self.all as f64
    }

    fn new(ways: u64, all: u64) -> Self {
        let divisor = greatest_common_divisor(ways, all);
        Self { ways: ways / divisor, all: all / divisor }
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.ways, self.all)
    }
}

/// The binomial coefficient.
fn choose(of: u32, chosen: u32) -> u64 {
    (0..u64::from(chosen)).fold(1, |ways, one| ways * (u64::from(of) - one) / (one + 1))
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faces(pips: &[u8]) -> Vec<Face> {
        pips.iter().map(|pips| Face::new(*pips).unwrap()).collect()
    }

    /// Counts every roll of the hidden dice.
    fn counted(bid: Bid, own: &[Face], hidden: u32) -> Odds {
        let all = 6u64.pow(hidden);
        let holds = |roll: &u64| {
            let digit = |place| Face::ALL[(roll / 6u64.pow(place) % 6) as usize];
            let roll: Vec<_> = (0..hidden).map(digit).collect();
            let there = dice_that_count(own, bid.face()) + dice_that_count(&roll, bid.face());
            there >= bid.count()
        };
        Odds::new((0..all).filter(holds).count() as u64, all)
    }

    #[test]
    fn odds_are_those_of_counting_every_roll() {
        for own in [faces(&[]), faces(&[1, 3, 3, 5, 6])] {
            for hidden in 0..=5 {
                for face in Face::ALL {
                    for count in 1..=own.len() as u32 + hidden + 1 {
                        let bid = Bid::new(count, face).unwrap();
                        let odds = Odds::that_holds(bid, &own, hidden);
                        assert_eq!(odds, counted(bid, &own, hidden), "{bid}, {hidden} hidden");
                        let sum = odds.chance() + odds.against().chance();
                        assert!((sum - 1.0).abs() < 1e-12);
                    }
                }
            }
        }
    }

    #[test]
    fn the_largest_table_fits() {
        let sure = Odds::that_holds(Bid::LOWEST, &faces(&[1]), 24);
        assert_eq!(sure.to_string(), "1/1");
        let all = Odds::that_holds(Bid::new(24, Face::ONE).unwrap(), &faces(&[2]), 24);
        assert_eq!(all.to_string(), format!("1/{}", 6u64.pow(24)));
        let none = Odds::that_holds(Bid::new(Bid::MAX_COUNT, Face::SIX).unwrap(), &faces(&[2]), 24);
        assert_eq!(none.to_string(), "0/1");
    }
}
