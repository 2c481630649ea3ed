//! What the steps of a check have found.

use super::discrepancy::Discrepancy;

/// A step and its finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedStep {
    /// The name of the step, as in `protocol/proof.md`.
    pub name: &'static str,
    /// What the step has found.
    pub finding: Finding,
}

/// What a step has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// There is no problem.
    Holds(VerifiedPart),
    /// These problems.
    Altered(Vec<Discrepancy>),
    /// The step cannot be carried out, for this reason.
    Skipped(String),
}

impl Finding {
    /// The finding of a step that found these problems, or confirmed `holds`.
    pub(super) fn of(holds: VerifiedPart, problems: Vec<Discrepancy>) -> Self {
        if problems.is_empty() { Self::Holds(holds) } else { Self::Altered(problems) }
    }

    pub(super) fn skipped(why: &str) -> Self {
        Self::Skipped(why.to_owned())
    }

    /// The problems, if there are any.
    pub(super) fn problems(&self) -> &[Discrepancy] {
        match self {
            Self::Altered(problems) => problems,
            Self::Holds(_) | Self::Skipped(_) => &[],
        }
    }
}

/// What a step without problems has confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifiedPart {
    /// Everything but the games is as it was sealed.
    Seal,
    /// The copies of all bots' files.
    Files,
    /// This number of pages: their hashes, and the checksum of each game with its answer times.
    Pages(u64),
    /// The seed is derived from this commitment, the entrants and the public text.
    Commitment(String),
    /// The header, with this number of entrants.
    Header(u64),
    /// This number of replayed games: order, tables, seats, dice, moves and scores.
    Replayed(u64),
    /// This number of games whose moves were not kept: order, tables and seats.
    WithoutMoves(u64),
    /// This number of games that are of earlier runs of the hill.
    Reused(u64),
    /// This number of remarkable games.
    Highlights(u64),
    /// This number of failures.
    Failures(u64),
    /// The result document, with this hash over all records.
    Board(String),
}

/// What a check knows about the games of a run after all steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedGames {
    /// The number of games that count.
    pub count: u64,
    /// Whether no game has a problem and yet the hash over all records differs. Then a record was altered, and only
    /// repeating the games with their bots shows which one.
    pub only_records_differ: bool,
}
