//! The tokens that a language model took.

use std::collections::BTreeMap;

/// The tokens of bots whose transcripts are known, by name.
pub(super) type TokenCounts = BTreeMap<String, TokenCount>;

/// The prompt and completion tokens of a request, if they are known.
pub(super) type Usage = Option<(u64, u64)>;

/// The tokens of a bot in the games of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TokenCount {
    pub(super) turns: u64,
    pub(super) prompt: u64,
    pub(super) completion: u64,
    /// Turns whose tokens are not counted.
    pub(super) uncounted: u64,
}

impl TokenCount {
    /// Adds a turn.
    pub(super) fn add(&mut self, usage: Usage) {
        self.turns += 1;
        match usage {
            Some((prompt, completion)) => {
                self.prompt = self.prompt.saturating_add(prompt);
                self.completion = self.completion.saturating_add(completion);
            }
            None => self.uncounted += 1,
        }
    }

    /// All tokens.
    pub(super) const fn all(self) -> u64 {
        self.prompt.saturating_add(self.completion)
    }
}
