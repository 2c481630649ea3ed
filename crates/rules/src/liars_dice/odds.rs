//! Exact odds that a bid holds, given fair hidden dice.

use std::fmt;

use super::{Bid, dice_that_count};
use crate::Face;

/// The largest number of dice on a table.
const MAX_DICE: usize = 25;
/// The largest number of dice hidden from a player with one die. The outcomes of 25 dice in sixths would overflow 64 bits.
const MAX_HIDDEN: usize = MAX_DICE - 1;

/// `[n][k]` is the number of outcomes of n dice in which at least k of them count.
type Outcomes<const N: usize> = [[u64; MAX_DICE + 1]; N];

/// Outcomes of dice that count with probability 1/3.
static THIRDS: Outcomes<{ MAX_DICE + 1 }> = outcomes(2);
/// Outcomes of dice that count with probability 1/6.
static SIXTHS: Outcomes<{ MAX_HIDDEN + 1 }> = outcomes(5);

/// The outcomes of dice that count in one way and do not count in `others` ways.
const fn outcomes<const N: usize>(others: u64) -> Outcomes<N> {
    let mut table = [[0; MAX_DICE + 1]; N];
    table[0][0] = 1;
    let mut n = 1;
    while n < N {
        table[n][0] = (others + 1) * table[n - 1][0];
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + others * table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// An exact probability: a number of favourable outcomes among equally likely ones. [`Odds::reduced`] is the fraction in
/// lowest terms.
///
/// ```
/// use dicehill_rules::liars_dice::{Bid, Odds};
/// use dicehill_rules::Face;
///
/// let own = [2, 2, 6].map(|pips| Face::new(pips).expect("a face"));
/// let bid: Bid = "3 2".parse().expect("a bid");
/// // One of two hidden dice has to be a two or a one: 1 - 4/9.
/// let odds = Odds::for_bid(bid, &own, 2);
/// assert_eq!(odds, Odds { favourable: 5, all: 9 });
/// assert!(!odds.is_unlikely());
/// assert_eq!(odds.against().to_string(), "4/9");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Odds {
    /// Number of favourable outcomes.
    pub favourable: u64,
    /// Number of all outcomes.
    pub all: u64,
}

impl Odds {
    /// The odds that at least `needed` of `dice` hidden dice count, each with probability 1/3, as for a bid on any face but ones:
    /// 1 if `needed` is 0 or less, 0 if it is more than `dice`.
    ///
    /// # Panics
    /// If there are more than 25 dice.
    #[must_use]
    pub fn with_wild_ones(dice: u32, needed: i64) -> Self {
        Self::from_outcomes(&THIRDS[dice as usize], needed)
    }

    /// The same with probability 1/6, as for a bid on ones.
    ///
    /// # Panics
    /// If there are more than 24 dice.
    #[must_use]
    pub fn without_wild_ones(dice: u32, needed: i64) -> Self {
        Self::from_outcomes(&SIXTHS[dice as usize], needed)
    }

    /// The odds that at least `needed` of `dice` hidden dice count for a bid on `face`.
    ///
    /// # Panics
    /// If there are more than 24 dice.
    #[must_use]
    pub fn for_face(face: Face, dice: u32, needed: i64) -> Self {
        if face == Face::ONE {
            Self::without_wild_ones(dice, needed)
        } else {
            Self::with_wild_ones(dice, needed)
        }
    }

    /// The odds that a bid holds from the point of view of a player that holds the dice `own`, if `hidden` other dice are fair.
    ///
    /// # Panics
    /// If more than 24 dice are hidden.
    #[must_use]
    pub fn for_bid(bid: Bid, own: &[Face], hidden: u32) -> Self {
        let held = i64::from(dice_that_count(own, bid.face()));
        Self::for_face(bid.face(), hidden, i64::from(bid.count()) - held)
    }

    fn from_outcomes(outcomes: &[u64; MAX_DICE + 1], needed: i64) -> Self {
        let favourable = match usize::try_from(needed) {
            Err(_) => outcomes[0],
            Ok(needed) => outcomes.get(needed).copied().unwrap_or(0),
        };
        Self { favourable, all: outcomes[0] }
    }

    /// The odds of the opposite.
    #[must_use]
    pub const fn against(self) -> Self {
        Self { favourable: self.all - self.favourable, all: self.all }
    }

    /// The same probability as a fraction in lowest terms.
    #[must_use]
    pub const fn reduced(self) -> Self {
        let divisor = greatest_common_divisor(self.favourable, self.all);
        Self { favourable: self.favourable / divisor, all: self.all / divisor }
    }

    /// The probability, 0 to 1.
    #[must_use]
    pub fn chance(self) -> f64 {
        self.favourable as f64 / self.all as f64
    }

    /// Whether the probability is below 1/2.
    #[must_use]
    pub const fn is_unlikely(self) -> bool {
        // No overflow: there are at most 6^24 outcomes, fewer than 2^63.
        2 * self.favourable < self.all
    }
}

/// `5/9`
impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.favourable, self.all)
    }
}

const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(odds: Odds) -> (u64, u64) {
        (odds.favourable, odds.all)
    }

    #[test]
    fn odds_are_binomial() {
        assert_eq!(pair(Odds::with_wild_ones(2, 1)), (5, 9));
        assert_eq!(pair(Odds::with_wild_ones(3, 2)), (7, 27));
        assert_eq!(pair(Odds::with_wild_ones(4, -1)), (81, 81));
        assert_eq!(pair(Odds::with_wild_ones(4, 5)), (0, 81));
        assert_eq!(Odds::with_wild_ones(25, 0).favourable, 3u64.pow(25));
        assert_eq!(pair(Odds::without_wild_ones(2, 1)), (11, 36));
        assert_eq!(pair(Odds::without_wild_ones(24, 24)), (1, 6u64.pow(24)));
        assert!(
            Odds::without_wild_ones(1, 1).is_unlikely()
                && !Odds::without_wild_ones(24, 0).is_unlikely()
        );
    }

    #[test]
    fn odds_are_written_in_lowest_terms() {
        let text = |odds: Odds| odds.reduced().to_string();
        assert_eq!(text(Odds { favourable: 6, all: 9 }), "2/3");
        assert_eq!(text(Odds::with_wild_ones(4, 5)), "0/1");
        assert_eq!(text(Odds::with_wild_ones(4, 5).against()), "1/1");
        let all = 6u64.pow(24);
        assert_eq!(text(Odds::without_wild_ones(24, 24)), format!("1/{all}"));
        assert_eq!(text(Odds::without_wild_ones(24, 24).against()), format!("{}/{all}", all - 1));
    }

    /// Enumerates all rolls of up to four hidden dice.
    #[test]
    fn odds_match_the_enumeration_of_hidden_dice() {
        let own = [1, 3, 3, 6].map(|pips| Face::new(pips).expect("a face"));
        for hidden in 0..=4u32 {
            for bid in Bid::above(None).take(60) {
                let holds = |roll: u64| {
                    let die = |place| Face::ALL[(roll / 6u64.pow(place) % 6) as usize];
                    let dice: Vec<_> = (0..hidden).map(die).chain(own).collect();
                    dice_that_count(&dice, bid.face()) >= bid.count()
                };
                let rolls = 6u64.pow(hidden);
                let held = (0..rolls).filter(|roll| holds(*roll)).count() as u64;
                let Odds { favourable, all } = Odds::for_bid(bid, &own, hidden);
                assert_eq!(held * all, favourable * rolls, "{bid} with {hidden} hidden");
            }
        }
    }
}
