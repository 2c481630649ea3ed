//! The ids in a request to an external bot.

/// The ids in a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequestIds {
    /// The id of the request.
    pub request: u64,
    /// The id of the game.
    pub game: u64,
}

impl RequestIds {
    /// The ids in a report, which describes a position and not a message.
    pub(crate) const OF_REPORT: Self = Self { request: 1, game: 0 };
}
