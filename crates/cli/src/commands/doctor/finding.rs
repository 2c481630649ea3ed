//! The outcome of an attack.

use crate::text::{BAD, GOOD, styled};

/// Whether an attack was contained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Contained,
    Open,
    Unknown,
}

impl Verdict {
    /// The word in the table. Bad results stand out without colours too.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Contained => "contained",
            Self::Open => "OPEN",
            Self::Unknown => "UNKNOWN",
        }
    }

    /// A line of the table, with the word in colour.
    pub(super) fn coloured(self, line: &str) -> String {
        let style = if self == Self::Contained { GOOD } else { BAD };
        line.replacen(self.word(), &styled(style, self.word()), 1)
    }

    pub(super) const fn is_contained(self) -> Option<bool> {
        match self {
            Self::Contained => Some(true),
            Self::Open => Some(false),
            Self::Unknown => None,
        }
    }
}

/// The result of one attack.
pub(super) struct Finding {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    pub(super) verdict: Verdict,
    /// What a bot can do where it is open; else empty.
    pub(super) meaning: &'static str,
    pub(super) detail: String,
    /// The mechanisms that should contain it, the most important first.
    pub(super) mechanisms: Vec<&'static str>,
    /// Empty if it was contained.
    pub(super) remedy: String,
}
