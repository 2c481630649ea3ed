//! The strengths of a hill's entrants, among which a new entrant is placed.

use std::collections::HashMap;
use std::f64::consts::LN_10;

use dicehill_arena::{Entrant, FormatName, PlacementResult, six_digits};
use dicehill_store::{FileError, HillStore, RunSummary};
use serde::Deserialize;
use serde_json::Value;

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

/// The parts of a result document that give strengths. A part that cannot be read gives none, and hides no other.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RatedResult {
    format: Value,
    placing: Value,
    standings: Vec<Value>,
}

#[derive(Deserialize)]
struct RatedBot {
    bot: String,
    hash: String,
    rating: Option<f64>,
}

/// The strengths that a result document gives, with name and hash, on the scale of placements: the ratings of a duel, or the
/// strength of a placement.
fn strengths_in(result: &str) -> Vec<((String, String), f64)> {
    let RatedResult { format, placing, standings } =
        serde_json::from_str(result).unwrap_or_default();
    let is_duel = matches!(FormatName::deserialize(format), Ok(FormatName::Duel));
    let placed = PlacementResult::deserialize(placing).ok();
    let rows = standings.into_iter().filter_map(|row| RatedBot::deserialize(row).ok());
    let known = |RatedBot { bot, hash, rating }: RatedBot| {
        let rated = rating.filter(|_| is_duel).map(|rating| rating * LN_10 / 400.0);
        let placed = || placed.as_ref().filter(|placed| placed.bot == bot).map(|it| it.strength);
        let strength = rated.or_else(placed)?;
        Some(((bot, hash), six_digits(strength)))
    };
    rows.filter_map(known).collect()
}

/// Adds the strengths that a run gives. Later runs replace those of earlier ones.
fn learn(run: &RunSummary, known: &mut HashMap<(String, String), f64>) {
    if let Some(result) = &run.result {
        known.extend(strengths_in(result));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_cannot_be_read_hides_no_other() {
        let row = |bot: &str, rating: &str| {
            format!("{{\"bot\":\"{bot}\",\"hash\":\"h\",\"rating\":{rating}}}")
        };
        let rows = [row("A", "400"), row("B", "\"much\""), "7".to_owned(), row("C", "-400")];
        let result = |placing: &str| {
            format!(
                "{{\"format\":\"duel\",\"placing\":{placing},\"standings\":[{}]}}",
                rows.join(",")
            )
        };
        let names = |result: &str| {
            strengths_in(result).into_iter().map(|((bot, _), _)| bot).collect::<Vec<_>>()
        };
        assert_eq!(names(&result("null")), ["A", "C"]);
        assert_eq!(names(&result("\"first\"")), ["A", "C"]);
        assert_eq!(names("[]"), [""; 0]);
    }
}
