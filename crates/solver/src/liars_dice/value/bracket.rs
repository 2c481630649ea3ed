//! Between which numbers the value of a round lies.

/// Bounds of what the starter of a round gets on average, if both play as well as can be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bracket {
    /// What the starter's strategy guarantees, -1 to 1.
    pub lower: f64,
    /// What the responder's strategy concedes at most, -1 to 1.
    pub upper: f64,
}

impl Bracket {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { lower: -1.0, upper: 1.0 };

    /// Half of what both could gain together by answering the other's strategy as well as can be.
    #[must_use]
    pub fn exploitability(self) -> f64 {
        (self.upper - self.lower) / 2.0
    }

    /// The middle.
    #[must_use]
    pub fn middle(self) -> f64 {
        f64::midpoint(self.lower, self.upper)
    }
}
