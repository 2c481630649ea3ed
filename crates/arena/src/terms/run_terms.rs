//! The terms of a run that its documents share.

use dicehill_rules::Game;
use serde::{Deserialize, Serialize};

use crate::{Entrant, EntrantId, Format, FormatName, Hill, HillDraft, Memory};

/// The terms of a run that its header and its result document share, in the order of their keys. The store of a hill
/// has the same keys.
///
/// Only the types of the values are checked: [`Hill::new`] checks a [draft](Terms::draft) with them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// The hill's name.
    pub name: String,
    /// The game.
    pub game: String,
    /// The variant of the rules, as the game names it.
    pub rules: String,
    /// The format.
    pub format: FormatName,
    /// Seats per table, in a duel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<i64>,
    /// The challenger of a gauntlet; in the terms of a hill, `None` for the last entrant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenger: Option<String>,
    /// The known strength of each entrant, in the order of the entrants, if the run places its challenger. Result
    /// documents do not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strengths: Option<Vec<f64>>,
    /// How long a bot keeps its memory: a game, or the whole run.
    pub memory: Memory,
    /// The master seed; in the terms of a hill, `None` if each run draws its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

impl Terms {
    /// The terms of a run of `hill`. `active` are the entrants that are not barred, ascending: the last of them is the
    /// challenger of a gauntlet if none is named.
    #[must_use]
    pub fn new<G: Game>(hill: &Hill<G>, active: &[EntrantId]) -> Self {
        let seats = match hill.format() {
            Format::Duel { seats } => Some(seats as i64),
            Format::Challenge | Format::Gauntlet { .. } => None,
        };
        let challenger = hill.challenger(active).map(|id| hill.name_of(id).to_owned());
        Self { seats, challenger, ..Self::from_draft(hill.draft()) }
    }

    /// The terms of a draft as they are written in it.
    #[must_use]
    pub fn from_draft<G: Game>(draft: &HillDraft<G>) -> Self {
        Self {
            name: draft.name.clone(),
            game: G::NAME.to_owned(),
            rules: draft.rules.to_string(),
            format: draft.format,
            seats: draft.seats,
            challenger: draft.challenger.clone(),
            strengths: draft.strengths.clone(),
            memory: draft.memory,
            seed: Some(draft.seed.clone()),
        }
    }

    /// A draft with these terms, with `rules` and `seed` in place of their own and defaults for everything else.
    #[must_use]
    pub fn draft<G: Game>(
        &self,
        rules: G::Rules,
        seed: &str,
        entrants: Vec<Entrant<G>>,
    ) -> HillDraft<G> {
        HillDraft {
            name: self.name.clone(),
            rules,
            format: self.format,
            seats: self.seats,
            challenger: self.challenger.clone(),
            strengths: self.strengths.clone(),
            memory: self.memory,
            ..HillDraft::challenge(entrants, seed)
        }
    }
}
