//! Bounds of the value of a round.

/// Bounds of the value of a round: the starter's expected payoff in an equilibrium.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bracket {
    /// The payoff that the starter's strategy guarantees, -1 to 1.
    pub lower: f64,
    /// The most that the responder's strategy concedes, -1 to 1.
    pub upper: f64,
}

impl Bracket {
    /// The trivial bounds.
    pub const UNKNOWN: Self = Self { lower: -1.0, upper: 1.0 };

    /// Half of the sum of both players' gains from best responses to the other's strategy.
    #[must_use]
    pub fn exploitability(self) -> f64 {
        (self.upper - self.lower) / 2.0
    }

    /// The midpoint of the bounds.
    #[must_use]
    pub fn midpoint(self) -> f64 {
        f64::midpoint(self.lower, self.upper)
    }
}
