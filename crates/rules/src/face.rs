//! The face of one six-sided die.

use std::fmt;

/// A face of a six-sided die, 1 to 6.
///
/// ```
/// use dicehill_rules::Face;
///
/// let dice = [3, 1, 4].map(|pips| Face::new(pips).expect("1 to 6"));
/// assert_eq!(dice.iter().map(|die| die.pips()).sum::<u8>(), 8);
/// assert!(dice.contains(&Face::ONE));
/// assert_eq!(Face::new(7), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face(u8);

impl Face {
    /// The six faces, ascending.
    pub const ALL: [Self; 6] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6)];
    /// The face with one pip, wild in Liar's Dice.
    pub const ONE: Self = Self(1);
    /// The face with six pips.
    pub const SIX: Self = Self(6);

    /// The face with `pips` pips, if `pips` is 1 to 6.
    #[must_use]
    pub const fn new(pips: u8) -> Option<Self> {
        match pips {
            1..=6 => Some(Self(pips)),
            _ => None,
        }
    }

    /// The face of a base-six digit, 0 to 5.
    #[must_use]
    pub(crate) const fn from_digit(digit: u64) -> Self {
        debug_assert!(digit < 6);
        Self(digit as u8 + 1)
    }

    /// The number of pips, 1 to 6.
    #[must_use]
    pub const fn pips(self) -> u8 {
        self.0
    }

    /// The index in [`Face::ALL`], 0 to 5.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
