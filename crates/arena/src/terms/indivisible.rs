//! Runs that cannot be divided among machines.

/// Why the games of a run cannot be played apart from each other, and so not by several machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndivisibleRun {
    /// Bots remember earlier games.
    #[error(
        "memory = \"set\": bots remember the games before, so that one machine has to play all games in order"
    )]
    Memory,
    /// The results decide when the run ends.
    #[error(
        "a run that may end early decides after each game whether there is a next one, so that one machine has to play it"
    )]
    Until,
    /// The results decide the next opponent.
    #[error(
        "a placement chooses each opponent by the results so far, so that one machine has to play it"
    )]
    Placement,
}
