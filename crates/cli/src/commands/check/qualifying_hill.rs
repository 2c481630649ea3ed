//! The hill for which `check` qualifies a bot.

use std::sync::Arc;

use dicehill_arena::{Entrant, EntrantId, Hill, HillDraft, InertBot};
use dicehill_store::{BotKind, BotTerms, FileError, HillStore, StoredEntrant};

use crate::bots::BotLoader;
use crate::failure::Failure;
use crate::games::TerminalGame;
use crate::qualification::usual_field;

/// The hill that a bot would enter: that of a store, or the challenge between it and the house bots. (A store of duels may
/// place new entrants instead; a bot sees the same tables of two.)
pub(super) struct QualifyingHill<'a, G: TerminalGame> {
    store: Option<&'a HillStore>,
    terms: BotTerms<G::Rules>,
    seed: &'a str,
    /// The entrants that the bot would meet. External ones are known by their names alone.
    others: Vec<Entrant<G>>,
}

impl<'a, G: TerminalGame> QualifyingHill<'a, G> {
    pub(super) fn new(
        store: Option<&'a HillStore>,
        terms: BotTerms<G::Rules>,
        seed: &'a str,
        loader: &BotLoader,
    ) -> Result<Self, Failure> {
        let Some(hill) = store else {
            let others = usual_field().collect();
            return Ok(Self { store, terms, seed, others });
        };
        let entrant = |StoredEntrant { name, kind, identity, .. }| {
            let house = match &kind {
                // One that another version of the program had is in no run either.
                BotKind::House(_) => loader.load::<G>(&name, &kind, terms).ok(),
                BotKind::Command { .. } | BotKind::Java { .. } | BotKind::Remote { .. } => None,
            };
            Entrant::new(name, house.unwrap_or_else(|| Arc::new(InertBot(identity))))
        };
        let others = hill.entrants()?.into_iter().map(entrant).collect();
        Ok(Self { store, terms, seed, others })
    }

    /// The hill with a candidate, which replaces an entrant of the same name, and the id of the candidate.
    pub(super) fn with(&self, candidate: &Entrant<G>) -> Result<(Hill<G>, EntrantId), Failure> {
        let is_other = |other: &&Entrant<G>| other.name != candidate.name;
        let mut entrants: Vec<_> = self.others.iter().filter(is_other).cloned().collect();
        for bot in usual_field() {
            let is_needed = entrants.len() + 1 < self.least_entrants();
            let is_new = is_other(&&bot) && entrants.iter().all(|one| one.name != bot.name);
            entrants.extend(Some(bot).filter(|_| is_needed && is_new));
        }
        let Entrant { name, program, own_terms, .. } = candidate.clone();
        entrants.push(Entrant { own_terms, ..Entrant::new(name, program) });
        let hill = match self.store {
            None => Hill::new(self.challenge(entrants))
                .map_err(|error| Failure::Usage(error.to_string()))?,
            Some(store) => Hill::new(self.stored(store, entrants))
                .map_err(|error| FileError::new(store.path(), error))?,
        };
        let id = hill.ids().last().expect("the candidate is the last");
        Ok((hill, id))
    }

    /// The fewest entrants of a run.
    fn least_entrants(&self) -> usize {
        let seats = self.store.and_then(|store| store.hill().terms.seats).unwrap_or(2);
        usize::try_from(seats).unwrap_or(2).max(2)
    }

    fn challenge(&self, entrants: Vec<Entrant<G>>) -> HillDraft<G> {
        HillDraft { rules: self.terms.rules, ..HillDraft::challenge(entrants, self.seed) }
    }

    fn stored(&self, store: &HillStore, entrants: Vec<Entrant<G>>) -> HillDraft<G> {
        let mut settings = store.hill().clone();
        let is_there = |name: &String| entrants.iter().any(|one| one.name.as_str() == name);
        settings.terms.challenger = settings.terms.challenger.filter(is_there);
        settings.draft(self.terms.rules, self.seed, entrants)
    }
}
