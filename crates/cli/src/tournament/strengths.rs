//! The strengths of a hill's entrants, among which a new entrant is placed.

use std::collections::HashMap;

use dicehill_arena::{Entrant, FormatName, PlacementResult, six_digits};
use dicehill_store::{FileError, HillStore, RunSummary};
use serde::Deserialize;

use crate::games::TerminalGame;

/// The fewest entrants among which a new one can be placed.
const FEWEST: usize = 2;

/// The known strengths of a hill's entrants, by name and hash.
pub(crate) struct Strengths(HashMap<(String, String), f64>);

impl Strengths {
    /// The strengths of all entrants of a hill of duels; `None` if one is unknown or the entrants are too few,
    /// so that a whole tournament has to be played.
    pub(crate) fn of(store: &HillStore) -> Result<Option<Self>, FileError> {
        let terms = &store.hill().terms;
        if terms.format != FormatName::Duel || terms.seats.unwrap_or(2) != 2 {
            return Ok(None);
        }
        let mut known = HashMap::new();
        for run in store.runs()? {
            if run.result.is_some() {
                store.check_seal(run.run)?;
            }
            learn(&run, &mut known);
        }
        let present = store.entrants()?;
        let is_known = present.iter().all(|entrant| {
            known.contains_key(&(entrant.name.to_string(), entrant.identity.clone()))
        });
        Ok((is_known && present.len() >= FEWEST).then_some(Self(known)))
    }

    /// The strengths in the order of `entrants`; 0 for unknown ones.
    pub(super) fn in_order<G: TerminalGame>(&self, entrants: &[Entrant<G>]) -> Vec<f64> {
        let key = |entrant: &Entrant<G>| (entrant.name.to_string(), entrant.program.identity());
        entrants.iter().map(|one| self.0.get(&key(one)).copied().unwrap_or(0.0)).collect()
    }
}

/// The parts of a result document that give strengths.
#[derive(Deserialize)]
struct RatedResult {
    format: Option<FormatName>,
    placing: Option<PlacementResult>,
    #[serde(default)]
    standings: Vec<RatedBot>,
}

#[derive(Deserialize)]
struct RatedBot {
    bot: String,
    hash: String,
    rating: Option<f64>,
}

impl RatedResult {
    /// The strength of a bot, on the scale of placements: the rating of a duel, or that of its placement.
    fn strength(&self, row: &RatedBot) -> Option<f64> {
        match (self.format, row.rating) {
            (Some(FormatName::Duel), Some(rating)) => {
                Some(rating * std::f64::consts::LN_10 / 400.0)
            }
            _ => {
                let placed = self.placing.as_ref().filter(|placed| placed.bot == row.bot);
                placed.map(|placed| placed.strength)
            }
        }
    }
}

/// Adds the strengths that a run gives. Later runs replace those of earlier ones.
fn learn(run: &RunSummary, known: &mut HashMap<(String, String), f64>) {
    let Some(result) = &run.result else { return };
    let Ok(document) = serde_json::from_str::<RatedResult>(result) else { return };
    for row in &document.standings {
        if let Some(strength) = document.strength(row) {
            known.insert((row.bot.clone(), row.hash.clone()), six_digits(strength));
        }
    }
}
