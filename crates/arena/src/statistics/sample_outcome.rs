//! The outcome of a sample: the input of ratings.

/// The winners of the games of a sample, without the order of the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SampleOutcome {
    /// How many samples had this outcome.
    pub(crate) count: u64,
    /// The entrants at the table, ascending.
    pub(crate) seats: Vec<usize>,
    /// For each winner of each game: the number of its winners, and the entrant; ascending. Empty without a winner.
    pub(crate) winners: Vec<(usize, usize)>,
}
