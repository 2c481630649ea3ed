//! The lines of recorded games, appraised on several threads.

use std::collections::HashSet;
use std::num::NonZero;
use std::thread;

use dicehill_arena::{ReadRecordError, read_game_line};
use dicehill_rules::Chance;

use crate::analyzed_game::{AnalyzedGame, Appraised};

/// Games that a thread appraises at a time.
const CHUNK: usize = 64;

/// Appraises the lines of games of one run.
pub struct LineAppraiser<G: AnalyzedGame> {
    rules: G::Rules,
    chance: Chance,
    model: G::Model,
    /// The bots of the run.
    known: HashSet<String>,
    wanted: HashSet<String>,
    jobs: NonZero<usize>,
}

/// Why a line is no game of the run.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// It is not the record of a game.
    #[error(transparent)]
    Unreadable(#[from] ReadRecordError),
    /// A bot plays that is not of the run.
    #[error("bot {0:?} plays, but the header does not name it")]
    Unnamed(String),
}

impl<G: AnalyzedGame> LineAppraiser<G> {
    /// Appraises the decisions of the bots `wanted` in games of a run between the bots `known` under the master seed `seed`, on
    /// `jobs` threads. Preparing the model may take a second.
    #[must_use]
    pub fn new(
        rules: G::Rules,
        seed: &str,
        known: impl IntoIterator<Item = String>,
        wanted: impl IntoIterator<Item = String>,
        jobs: NonZero<usize>,
    ) -> Self {
        Self {
            rules,
            chance: Chance::new(seed),
            model: G::model(rules, jobs),
            known: known.into_iter().collect(),
            wanted: wanted.into_iter().collect(),
            jobs,
        }
    }

    /// The model with which decisions were compared.
    #[must_use]
    pub fn into_model(self) -> G::Model {
        self.model
    }

    /// The number of lines that all threads appraise at a time.
    #[must_use]
    pub const fn batch_len(&self) -> usize {
        self.jobs.get() * CHUNK
    }

    /// Appraises the games of these lines, in their order; `None` for a void game.
    ///
    /// # Errors
    /// Each item, if its line is no game of the run.
    #[must_use]
    pub fn appraise(&self, lines: &[&str]) -> Vec<Result<Option<Appraised<G>>, LineError>> {
        let appraise = |chunk: &[&str]| -> Vec<_> {
            chunk.iter().map(|line| self.appraise_line(line)).collect()
        };
        let chunks: Vec<Vec<_>> = thread::scope(|scope| {
            let mut chunks = lines.chunks(CHUNK);
            let first = chunks.next().unwrap_or_default();
            let others: Vec<_> = chunks.map(|chunk| scope.spawn(move || appraise(chunk))).collect();
            let first = appraise(first);
            let joined = others.into_iter().map(|thread| thread.join().expect("no game panics"));
            std::iter::once(first).chain(joined).collect()
        });
        chunks.into_iter().flatten().collect()
    }

    fn appraise_line(&self, line: &str) -> Result<Option<Appraised<G>>, LineError> {
        let replay = read_game_line::<G>(line, self.rules, &self.chance)?;
        if let Some(unnamed) = replay.names.iter().find(|name| !self.known.contains(*name)) {
            return Err(LineError::Unnamed(unnamed.clone()));
        }
        let wanted = |name: &str| self.wanted.contains(name);
        Ok(G::appraise(&self.model, self.rules, &replay, wanted))
    }
}
