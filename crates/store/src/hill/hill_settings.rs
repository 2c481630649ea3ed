//! The settings of a hill, without its entrants.

use std::path::Path;

use dicehill_arena::{Confidence, EloMargin, Entrant, Hill, HillDraft, Limits, Terms};
use dicehill_rules::{Game, GameName, ParseGameNameError};

use super::{BotTerms, EntryTerms};
use crate::FileError;

/// The settings of a hill, without its entrants, as a run's header and a hill's store record them.
#[derive(Clone, Debug, PartialEq)]
pub struct HillSettings {
    game: GameName,
    /// The terms that all documents of a run share.
    pub terms: Terms,
    /// Games, or games for each pairing in a duel.
    pub games: i64,
    /// The time and memory that a bot may use.
    pub limits: Limits,
    /// The confidence at which a run ends early; `None` if it plays all its games, as the runs of a store do.
    pub until: Option<Confidence>,
    /// The margin of the question whether the first of two entrants is not worse than the second; only runs have one.
    pub margin: Option<EloMargin>,
    /// Whether external bots play with the text of the seed as it stands, without a secret. Only hills have this, runs
    /// do not.
    pub open_seed: bool,
    /// How entries are taken, and when runs are played. Only hills have this, runs do not.
    pub entries: EntryTerms,
}

impl HillSettings {
    /// Settings with these terms.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn new(
        terms: Terms,
        games: i64,
        limits: Limits,
        until: Option<Confidence>,
    ) -> Result<Self, ParseGameNameError> {
        let game = terms.game.parse()?;
        Ok(Self {
            game,
            terms,
            games,
            limits,
            until,
            margin: None,
            open_seed: false,
            entries: EntryTerms::default(),
        })
    }

    /// The settings of `hill`; `seed` is the seed of every run.
    ///
    /// # Panics
    /// If the game has no [`GameName`].
    #[must_use]
    pub fn from_hill<G: Game>(hill: &Hill<G>, seed: Option<&str>) -> Self {
        let terms = Terms { seed: seed.map(str::to_owned), ..Terms::new(hill, &[]) };
        let settings = Self::new(terms, hill.games() as i64, hill.limits(), hill.until());
        Self { margin: hill.margin(), ..settings.expect("every game has a GameName") }
    }

    /// The settings in a draft; `seed` is the seed of every run.
    ///
    /// # Panics
    /// If the game has no [`GameName`].
    #[must_use]
    pub fn from_draft<G: Game>(draft: &HillDraft<G>, seed: Option<&str>) -> Self {
        let terms = Terms { seed: seed.map(str::to_owned), ..Terms::from_draft(draft) };
        let settings = Self::new(terms, draft.games, draft.limits, draft.until);
        Self { margin: draft.margin, ..settings.expect("every game has a GameName") }
    }

    /// The game, which its terms name.
    #[must_use]
    pub const fn game(&self) -> GameName {
        self.game
    }

    /// The terms on which the hill's bots play. `path` is named in the error.
    ///
    /// # Errors
    /// If game `G` has no such rules.
    pub fn bot_terms<G: Game>(&self, path: &Path) -> Result<BotTerms<G::Rules>, FileError> {
        let Terms { rules: name, memory, .. } = &self.terms;
        let rules = G::RULES.iter().copied().find(|rules| rules.to_string() == *name);
        let unknown = || FileError::new(path, format!("rules = {name:?}: unknown for {}", G::NAME));
        Ok(BotTerms { rules: rules.ok_or_else(unknown)?, memory: *memory, limits: self.limits })
    }

    /// A run between `entrants` under these settings.
    #[must_use]
    pub fn draft<G: Game>(
        &self,
        rules: G::Rules,
        seed: &str,
        entrants: Vec<Entrant<G>>,
    ) -> HillDraft<G> {
        HillDraft {
            games: self.games,
            limits: self.limits,
            until: self.until,
            margin: self.margin,
            ..self.terms.draft(rules, seed, entrants)
        }
    }
}
