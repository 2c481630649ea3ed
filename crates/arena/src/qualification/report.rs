//! What a qualification found.

use crate::{AnswerTimes, Failure};

/// What a qualification found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QualificationReport {
    /// Games played, not counting repetitions.
    pub games: u64,
    /// Answers of the bot in these games.
    pub answers: u64,
    /// Rare positions in which the bot was asked.
    pub positions: u64,
    /// Answer times in the repeated games, which are played as in a run; if the qualification stopped before their end,
    /// those of the first games.
    pub times: AnswerTimes,
    /// What is wrong with the bot; empty if it may take part.
    pub findings: Vec<Finding>,
    /// Failures in positions that are contrived ([`RarePosition::is_contrived`](crate::RarePosition::is_contrived)).
    pub notes: Vec<Finding>,
    /// Whether the qualification reached its end.
    pub extent: Extent,
}

/// How far a qualification went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// To its end.
    Whole,
    /// To its end with fewer games or positions, because the bot was slow ([`QualificationPlan::time`](crate::QualificationPlan::time)).
    Shortened,
    /// It stopped because the bot failed too often.
    Stopped {
        /// How often it failed.
        failures: usize,
    },
    /// It stopped because none of the bot's answers was legal.
    Futile,
}

/// A fault of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It gave no legal action.
    Failed {
        /// The game or position.
        test_case: TestCase,
        /// The number of the answer in the game, opponents' answers included, from 1.
        answer: usize,
        /// The request that it got.
        request: String,
        /// The fault.
        failure: Failure,
    },
    /// It gave two different answers to the same request with the same seed.
    Unrepeatable {
        /// The game, from 1.
        game: u64,
        /// The number of the answer in the game, opponents' answers included, from 1.
        answer: usize,
        /// The request, as reports show it.
        request: String,
        /// The first answer.
        first: String,
        /// The answer when the game was played again.
        second: String,
        /// The conclusion.
        cause: Cause,
    },
}

/// A test case of a qualification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestCase {
    /// The game with this number, from 1.
    Game(u64),
    /// The rare position with this name.
    Position(String),
}

/// Why a bot gave two different answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A process that had played other games answered differently than a fresh one.
    Remembers,
    /// Fresh bots differed, or no answers of other processes were those of a fresh one.
    NotDeterministic,
}

impl Cause {
    /// The description for reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Remembers => "remembers earlier games",
            Self::NotDeterministic => "not deterministic",
        }
    }
}

impl Finding {
    pub(super) const fn is_not_deterministic(&self) -> bool {
        matches!(self, Self::Unrepeatable { cause: Cause::NotDeterministic, .. })
    }

    /// The kind of finding, in a few words: a reason or a cause.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Failed { failure, .. } => failure.reason.name(),
            Self::Unrepeatable { cause, .. } => cause.name(),
        }
    }
}
