//! The settings of a hill, without its entrants.

use std::path::Path;

use dicehill_arena::{Confidence, Entrant, Format, FormatName, Hill, HillDraft, Limits, Memory};
use dicehill_rules::{Game, GameName};

use super::BotTerms;
use crate::FileError;

/// The settings of a hill, without its entrants, as a run's header and a hill's store record them.
#[derive(Clone, Debug, PartialEq)]
pub struct HillSettings {
    /// The name of the hill.
    pub name: String,
    /// The game.
    pub game: GameName,
    /// The variant of the rules, as the game names it.
    pub rules: String,
    /// The format.
    pub format: FormatName,
    /// Seats at a table of a duel.
    pub seats: Option<i64>,
    /// The bot under test of a gauntlet; `None` for the last entrant.
    pub challenger: Option<String>,
    /// The known strength of each entrant, in the order of the entrants, if the run places its challenger.
    pub strengths: Option<Vec<f64>>,
    /// Games, or games for each pairing in a duel.
    pub games: i64,
    /// How long a bot keeps its memory.
    pub memory: Memory,
    /// The time and memory that a bot may use.
    pub limits: Limits,
    /// The seed of every run; `None` if each run draws its own.
    pub seed: Option<String>,
    /// The confidence at which a run ends early; `None` if it plays all its games, as the runs of a store do.
    pub until: Option<Confidence>,
}

impl HillSettings {
    /// The settings of `hill`; `seed` is the seed of every run.
    #[must_use]
    pub fn from_hill<G: Game>(hill: &Hill<G>, seed: Option<&str>) -> Self {
        let (format, seats, challenger) = match hill.format() {
            Format::Challenge => (FormatName::Challenge, None, None),
            Format::Duel { seats } => (FormatName::Duel, Some(seats as i64), None),
            Format::Gauntlet { challenger } => {
                let name = challenger.map(|id| hill.name_of(id).to_owned());
                (FormatName::Gauntlet, None, name)
            }
        };
        Self {
            name: hill.name().to_owned(),
            game: G::NAME.parse().expect("every game has a GameName"),
            rules: hill.rules().to_string(),
            format,
            seats,
            challenger,
            strengths: hill.strengths().map(<[f64]>::to_vec),
            games: hill.games() as i64,
            memory: hill.memory(),
            limits: hill.limits(),
            seed: seed.map(str::to_owned),
            until: hill.until(),
        }
    }

    /// The terms on which the hill's bots play. `path` is named in the error.
    ///
    /// # Errors
    /// If game `G` has no such rules.
    pub fn terms<G: Game>(&self, path: &Path) -> Result<BotTerms<G::Rules>, FileError> {
        let rules = G::RULES.iter().copied().find(|rules| rules.to_string() == self.rules);
        let unknown =
            || FileError::new(path, format!("rules = {:?}: unknown for {}", self.rules, G::NAME));
        Ok(BotTerms { rules: rules.ok_or_else(unknown)?, memory: self.memory, limits: self.limits })
    }

    /// A run between `entrants` under these settings.
    #[must_use]
    pub fn draft<G: Game>(
        &self,
        rules: G::Rules,
        seed: String,
        entrants: Vec<Entrant<G>>,
    ) -> HillDraft<G> {
        HillDraft {
            name: self.name.clone(),
            rules,
            format: self.format,
            seats: self.seats,
            challenger: self.challenger.clone(),
            strengths: self.strengths.clone(),
            games: self.games,
            seed,
            memory: self.memory,
            limits: self.limits,
            until: self.until,
            entrants,
        }
    }
}
