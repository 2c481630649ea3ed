//! The answers of a bot in one game of its qualification.

use std::time::Duration;

use dicehill_rules::Game;

use crate::{Cause, Failure, Finding, Move, Reason, TestCase};

/// The bot's answers in one game.
#[derive(Default)]
pub(super) struct Trace {
    /// Its answers as text, each with its number in the game.
    pub(super) answers: Vec<(usize, String)>,
    /// The request of each answer.
    requests: Vec<String>,
    /// The time of each answer.
    pub(super) times: Vec<Duration>,
    pub(super) faults: Vec<Fault>,
}

/// An answer without a legal action.
pub(super) struct Fault {
    /// Its number in the game.
    answer: usize,
    request: String,
    pub(super) failure: Failure,
    /// Whether no sensible player leads another into the position.
    pub(super) is_contrived: bool,
}

impl Fault {
    /// Whether the process is broken, as opposed to a single answer.
    pub(super) const fn breaks_process(&self) -> bool {
        match self.failure.reason {
            Reason::IllegalMove | Reason::MalformedAnswer => false,
            Reason::Crash
            | Reason::StartTimeout
            | Reason::MoveTimeout
            | Reason::GameTimeout
            | Reason::Flood
            | Reason::Memory
            | Reason::Absent
            | Reason::ArenaError => true,
        }
    }

    pub(super) fn finding(&self, test_case: TestCase) -> Finding {
        let Self { answer, request, failure, .. } = self;
        Finding::Failed {
            test_case,
            answer: *answer,
            request: request.clone(),
            failure: failure.clone(),
        }
    }
}

impl Trace {
    /// Adds the last move of a game, which must be the bot's.
    pub(super) fn add_last_move<G: Game>(
        &mut self,
        moves: &[Move<G>],
        request: String,
        is_contrived: bool,
    ) {
        let answer = moves.len();
        match moves.last() {
            Some(Move::Acted(action)) => self.answers.push((answer, action.to_string())),
            Some(Move::Failed(failure)) => {
                self.answers.push((answer, failure.to_string()));
                let (failure, request) = ((**failure).clone(), request.clone());
                self.faults.push(Fault { answer, request, failure, is_contrived });
            }
            None => return,
        }
        self.requests.push(request);
    }

    /// The first answer that differs in `repetition`, the same game played again. If the process broke in only one of
    /// the two games, there is no answer to compare, and that failure is the finding.
    pub(super) fn difference(
        &self,
        repetition: &Self,
        game: u64,
        cause: impl Fn() -> Cause,
    ) -> Option<Finding> {
        let answers = self.answers.iter().zip(&self.requests);
        let mut pairs = answers.zip(&repetition.answers);
        let ((first, request), second) = pairs.find(|((first, _), second)| first != second)?;
        let process_failure = |trace: &Self, answer: usize| {
            let matches = |fault: &&Fault| fault.answer == answer && fault.breaks_process();
            trace.faults.iter().find(matches).map(|fault| fault.finding(TestCase::Game(game)))
        };
        if process_failure(self, first.0).is_some() {
            return None;
        }
        let (answer, first) = first.clone();
        process_failure(repetition, second.0).or_else(|| {
            let (request, second, cause) = (request.clone(), second.1.clone(), cause());
            Some(Finding::Unrepeatable { game, answer, request, first, second, cause })
        })
    }

    /// This game or position in a process that had been asked before; after a fault `alone`, because what came before may
    /// have caused it.
    pub(super) fn or_alone(self, alone: impl FnOnce() -> Self) -> Self {
        if self.faults.is_empty() { self } else { alone() }
    }

    /// The number of process failures at answers where `first` has no fault.
    pub(super) fn new_process_failures(&self, first: &Self) -> usize {
        let failures = self.faults.iter().filter(|fault| fault.breaks_process());
        let is_new = |fault: &&Fault| !first.faults.iter().any(|old| old.answer == fault.answer);
        failures.filter(is_new).count()
    }
}
