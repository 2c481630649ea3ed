//! What is remembered of the others at the table, and from game to game.

use std::collections::BTreeMap;

use dicehill_rules::Seat;

use super::evidence::Evidence;
use super::parameters::Parameters;
use super::turn_taken::TurnTaken;

/// What is known of the players at the table, and of those met before in the same life.
#[derive(Default)]
pub(super) struct Memory {
    /// By seat; grows as seats are heard of.
    table: Vec<Met>,
    /// By name, of those met before.
    known: BTreeMap<String, Acquaintance>,
}

/// A player at the table.
#[derive(Default)]
struct Met {
    acquaintance: Acquaintance,
    /// Whether it is known who it is: hands may be shown before that.
    is_met: bool,
}

/// What is known of a player.
#[derive(Clone, Default)]
struct Acquaintance {
    /// `None` as long as nothing had to be known of it.
    evidence: Option<Evidence>,
    /// Turns that were shown since, oldest first: they are thought over when it matters, which it does not to
    /// somebody that is out.
    shown: Vec<TurnTaken>,
}

impl Memory {
    pub(super) fn begin_game(&mut self) {
        self.table.clear();
    }

    /// Thinks over what is known of who sits at a seat.
    pub(super) fn meet(&mut self, parameters: &Parameters, seat: Seat, name: Option<&str>) {
        let met = Self::at(&mut self.table, seat);
        if !met.is_met {
            met.is_met = true;
            // Of who was met before, more is known than the first hands of this game can tell.
            if let Some(known) = name.and_then(|name| self.known.get(name)) {
                met.acquaintance = known.clone();
            }
        }
        met.acquaintance.think(parameters);
    }

    /// Takes note of a turn.
    pub(super) fn add(&mut self, seat: Seat, turn: TurnTaken) {
        Self::at(&mut self.table, seat).acquaintance.shown.push(turn);
    }

    /// What is known of the player at a seat.
    ///
    /// # Panics
    /// If nobody was met there.
    pub(super) fn evidence(&self, seat: Seat) -> &Evidence {
        let evidence = self.table[seat.index()].acquaintance.evidence.as_ref();
        evidence.expect("all others at the table were met")
    }

    /// Keeps what was learned under the players' names.
    pub(super) fn end_game(&mut self, names: &[&str]) {
        for (met, name) in self.table.drain(..).zip(names) {
            if met.is_met {
                self.known.insert((*name).to_owned(), met.acquaintance);
            }
        }
    }

    fn at(table: &mut Vec<Met>, seat: Seat) -> &mut Met {
        let length = table.len().max(seat.index() + 1);
        table.resize_with(length, Met::default);
        &mut table[seat.index()]
    }
}

impl Acquaintance {
    fn think(&mut self, parameters: &Parameters) {
        let evidence = self.evidence.get_or_insert_with(|| Evidence::new(parameters));
        for turn in self.shown.drain(..) {
            evidence.add(parameters, &turn);
        }
    }
}

#[cfg(test)]
mod tests {
    use dicehill_rules::Seat;
    use dicehill_rules::liars_dice::Bid;

    use super::Memory;
    use crate::liars_dice::seer::claim::{Claim, Company};
    use crate::liars_dice::seer::parameters::Parameters;
    use crate::liars_dice::seer::turn_taken::{Answered, TurnTaken};

    /// A seat that calls a bid which it can trust about half.
    fn call(bid: Bid) -> TurnTaken {
        let claim = Claim::new(bid, &[5, 5, 5], 1);
        TurnTaken { answered: Some(Answered { claim, held: 2, called: true }), made: None }
    }

    #[test]
    fn names_are_remembered_from_game_to_game_and_seats_are_not() {
        let parameters = Parameters::shipped();
        let (seat, bid) = (Seat::new(1), "5 6".parse().expect("a bid"));
        let trust = Claim::new(bid, &[5, 5, 5], 1).trust(2);
        let calls = |memory: &Memory| memory.evidence(seat).calls(parameters, Company::More)[trust];
        let mut memory = Memory::default();
        memory.begin_game();
        memory.meet(parameters, seat, Some("Ann"));
        let before = calls(&memory);
        for _ in 0..20 {
            memory.add(seat, call(bid));
        }
        memory.meet(parameters, seat, Some("Ann"));
        let after = calls(&memory);
        assert!(after > before + 0.2, "{before} before and {after} after 20 calls");
        memory.end_game(&["Bob", "Ann"]);
        memory.begin_game();
        // A hand that is shown before anybody has said who sits there does not make it forget.
        memory.add(seat, call(bid));
        memory.meet(parameters, seat, Some("Ann"));
        assert_eq!(calls(&memory).to_bits(), after.to_bits());
        memory.begin_game();
        memory.meet(parameters, seat, Some("Cleo"));
        assert_eq!(calls(&memory).to_bits(), before.to_bits());
    }
}
