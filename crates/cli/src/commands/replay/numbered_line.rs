//! The line of a recorded game.

/// The line of a recorded game.
#[derive(Clone, Copy)]
pub(super) struct NumberedLine<'a> {
    /// Its number in a log, from 1; `None` in the store of a hill.
    pub(super) number: Option<usize>,
    pub(super) text: &'a str,
}
