//! A newcomer to a hill of duels is placed among those whose strengths are known, in few games.

use std::collections::HashMap;

use dicehill_arena::{Entrant, FormatName, Hill, Past, six_digits};
use dicehill_store::{FileError, HillRecord, HillStore, RunSummary};
use serde_json::Value;

use crate::bot_spec::Candidate;
use crate::failure::{Failure, Outcome};
use crate::hill_tournament::{self, Tournament, not_added};
use crate::interrupt;
use crate::terminal_game::TerminalGame;
use crate::tournament::{self, Manner};

/// Entrants among whom somebody can be placed, at least.
const LEAST: usize = 2;

/// What is known of the strengths of a hill's entrants, by their names and hashes.
pub(crate) struct Strengths(HashMap<(String, String), f64>);

impl Strengths {
    /// Those of all entrants of a hill of duels; `None` if one is not known, or they are too few: then a
    /// whole tournament has to be played.
    pub(crate) fn of(store: &HillStore) -> Result<Option<Self>, FileError> {
        let hill = store.hill();
        if hill.format != FormatName::Duel || hill.seats.unwrap_or(2) != 2 {
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
        Ok((is_known && present.len() >= LEAST).then_some(Self(known)))
    }

    /// In the order of `entrants`; 0 of who is not known.
    fn in_order<G: TerminalGame>(&self, entrants: &[Entrant<G>]) -> Vec<f64> {
        let key = |entrant: &Entrant<G>| (entrant.name.to_string(), entrant.program.identity());
        entrants.iter().map(|one| self.0.get(&key(one)).copied().unwrap_or(0.0)).collect()
    }
}

/// Takes what a run says: the ratings of a duel, or where somebody was placed. Later runs know better.
fn learn(run: &RunSummary, known: &mut HashMap<(String, String), f64>) {
    let Some(result) = &run.result else { return };
    let Ok(document) = serde_json::from_str::<Value>(result) else { return };
    let placed = &document["placing"];
    for row in document["standings"].as_array().into_iter().flatten() {
        let (Some(bot), Some(hash)) = (row["bot"].as_str(), row["hash"].as_str()) else { continue };
        let strength = match (document["format"].as_str(), row["rating"].as_f64()) {
            (Some("duel"), Some(rating)) => Some(rating * std::f64::consts::LN_10 / 400.0),
            _ if placed["bot"] == bot => placed["strength"].as_f64(),
            _ => None,
        };
        if let Some(strength) = strength {
            known.insert((bot.to_owned(), hash.to_owned()), six_digits(strength));
        }
    }
}

impl<G: TerminalGame> Tournament<'_, G> {
    /// Places a candidate, which is on the hill afterwards if it qualifies.
    pub(crate) fn place(
        self,
        candidate: &Candidate<G>,
        strengths: &Strengths,
    ) -> Result<Outcome, Failure> {
        let stop = interrupt::stop_flag(self.console)?;
        let seed = self.seed()?;
        let newcomers = std::slice::from_ref(candidate);
        let (_files, entrants) = self.field(newcomers)?;
        let name = &candidate.entrant.name;
        let record = HillRecord {
            format: FormatName::Gauntlet,
            seats: None,
            challenger: Some(name.to_string()),
            strengths: Some(strengths.in_order(&entrants)),
            ..self.store.hill().clone()
        };
        let draft = record.draft::<G>(self.terms.rules, seed, entrants);
        let hill = Hill::new(draft).map_err(|error| FileError::new(self.store.path(), error))?;
        let hill = self.args.luck.appraised(hill);
        let bars = tournament::qualify_one(&hill, name, &stop, self.console)?;
        if !bars.is_empty() {
            return Ok(not_added(&bars, self.console));
        }
        let console = self.console;
        let manner = Manner::of(&self.args.manner, &stop, console);
        let writer = self.begin(newcomers)?;
        console.tell(format!("run {}: {name} is placed; --full plays everybody", writer.run()));
        tournament::play(
            &hill,
            Past::qualified(bars),
            Some(hill_tournament::record(writer)),
            manner,
        )
    }
}
